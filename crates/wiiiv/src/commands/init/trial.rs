//! Tries one message through flow, gates, budget, model and record.

use super::enter::Entered;
use crate::{commands::chat, connection::parsed, context::Context, exit::Exit, failure::Failure};
use serde_json::json;

pub async fn try_model(context: &Context, entered: &Entered) -> Result<Exit, Failure> {
    let texts = &context.texts.init;
    context.output.aside(&texts.trying)?;
    let below = format!("/projects/{}/sessions", entered.project);
    let made = entered.connection.post(&below, json!({ "title": texts.test_title })).await?;
    chat::say(context, &entered.connection, parsed(&made, "id")?, &texts.test_message).await
}
