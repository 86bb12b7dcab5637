//! `chat --examples`: sentences that fit a project's systems and policy.

use crate::{
    args::ChatArgs,
    connection::{Connection, items},
    context::Context,
    exit::Exit,
    failure::Failure,
    output::harmless,
};
use serde_json::Value;

pub async fn list(
    context: &Context,
    connection: &Connection,
    args: &ChatArgs,
) -> Result<Exit, Failure> {
    let project = connection.project(args.project.project.as_deref()).await?;
    let told = connection.get(&format!("/projects/{project}/suggestions")).await?;
    context.output.document(&told)?;
    let text = |item: &Value| {
        let text = item.get("text")?.get(context.language.as_str())?;
        text.as_str().map(str::to_owned)
    };
    for line in items(&told, "items").iter().filter_map(text) {
        context.output.line(&harmless(&line))?;
    }
    Ok(Exit::Done)
}
