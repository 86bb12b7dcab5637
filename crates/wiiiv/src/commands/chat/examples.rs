//! `chat --examples`: sentences that fit a project's systems and policy, and beside them one that it refuses.

use crate::{
    args::ChatArgs,
    connection::{Connection, items, text},
    context::Context,
    exit::Exit,
    failure::Failure,
    output::harmless,
    texts::fill,
};
use serde_json::Value;

/// What the server calls the one that shows how a request is refused.
const REFUSED: &str = "denied";

pub async fn list(
    context: &Context,
    connection: &Connection,
    args: &ChatArgs,
) -> Result<Exit, Failure> {
    let project = connection.project(args.project.project.as_deref()).await?;
    let told = connection.get(&format!("/projects/{project}/suggestions")).await?;
    context.output.document(&told)?;
    let said =
        |item: &Value| item.get("text").map(|both| harmless(text(both, context.language.as_str())));
    let is_refused = |item: &&Value| text(item, "kind") == REFUSED;
    let (refused, allowed): (Vec<&Value>, Vec<&Value>) =
        items(&told, "items").iter().partition(is_refused);
    if allowed.is_empty() {
        context.output.aside(&context.texts.chat.no_examples)?;
    }
    for line in allowed.into_iter().filter_map(said) {
        context.output.line(&line)?;
    }
    for line in refused.into_iter().filter_map(said) {
        let values = [("text", line.as_str())];
        context.output.aside(&fill(&context.texts.chat.refused_example, &values))?;
    }
    Ok(Exit::Done)
}
