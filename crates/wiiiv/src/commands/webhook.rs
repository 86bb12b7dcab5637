//! `approvals webhook`: shows it with its deliveries, sets it, removes it.

use crate::args::project::ProjectArg;
use crate::connection::{items, number, path, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::harmless;
use crate::texts::fill;
use serde_json::json;
use wiiiv_net::ApiCall;

pub async fn show(context: &Context, project: &ProjectArg) -> Result<Exit, Failure> {
    let (connection, project) = project.open(context).await?;
    let found = connection.get(&format!("/projects/{project}/webhook")).await?;
    context.output.document(&found)?;
    let texts = &context.texts.webhook;
    if text(&found, "url").is_empty() {
        context.say(&texts.none, &[])?;
    } else {
        let values = ["url", "set_by_name", "set_at"].map(|name| (name, text(&found, name)));
        context.output.line(&harmless(&fill(&texts.is, &values)))?;
    }
    for delivery in items(&found, "deliveries") {
        let attempts = number(delivery, "attempts").to_string();
        let names = ["created_at", "event", "approval", "state", "code"];
        let mut values = names.map(|name| (name, text(delivery, name))).to_vec();
        values.push(("attempts", &attempts));
        context.output.line(&harmless(&fill(&texts.delivery, &values)))?;
    }
    Ok(Exit::Done)
}

/// The secret is printed this once.
pub async fn set(context: &Context, url: &str, project: &ProjectArg) -> Result<Exit, Failure> {
    let (connection, project) = project.open(context).await?;
    let call = ApiCall::put(path(&format!("/projects/{project}/webhook")));
    let set = connection.client.send(call.json(json!({ "url": url }))).await?.body;
    let values = ["url", "secret"].map(|name| (name, text(&set, name)));
    context.done(&set, &context.texts.webhook.set, &values)
}

pub async fn remove(context: &Context, project: &ProjectArg) -> Result<Exit, Failure> {
    let (connection, project) = project.open(context).await?;
    let call = ApiCall::delete(path(&format!("/projects/{project}/webhook")));
    connection.client.send(call).await?;
    context.done(&json!({ "removed": true }), &context.texts.webhook.removed, &[])
}
