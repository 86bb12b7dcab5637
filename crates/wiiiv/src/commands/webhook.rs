//! `approvals webhook`: shows it with its deliveries, sets it, removes it.

use crate::args::project::ProjectArg;
use crate::connection::{items, number, path, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::harmless;
use crate::texts::{Texts, fill, named};
use serde_json::{Value, json};
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
        context.output.line(&delivered(&context.texts, delivery))?;
    }
    Ok(Exit::Done)
}

/// An event is called as the record of it.
fn delivered(texts: &Texts, delivery: &Value) -> String {
    let attempts = number(delivery, "attempts").to_string();
    let values = [
        ("created_at", text(delivery, "created_at")),
        ("event", named(&texts.audit.kinds, text(delivery, "event"))),
        ("approval", text(delivery, "approval")),
        ("state", named(&texts.webhook.states, text(delivery, "state"))),
        ("attempts", attempts.as_str()),
        ("code", text(delivery, "code")),
    ];
    harmless(&fill(&texts.webhook.delivery, &values))
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

#[cfg(test)]
mod tests {
    use super::delivered;
    use crate::texts::Texts;
    use serde_json::json;
    use wiiiv_domain::Lang;

    #[test]
    fn a_delivery_is_told_in_the_readers_language() {
        let delivery = json!({"event": "approval.asked", "state": "given_up", "code": "TIMEOUT"});
        let told = delivered(&Texts::of(Lang::Ko).unwrap(), &delivery);
        assert!(told.contains("승인 요청") && told.contains("전달 포기"), "{told}");
        let told = delivered(&Texts::of(Lang::En).unwrap(), &delivery);
        assert!(told.contains("Approval requested") && told.contains("given up"), "{told}");
    }
}
