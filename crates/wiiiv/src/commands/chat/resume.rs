//! Chooses the conversation: the one named, the newest, or a new one. It names an old one before
//! the first message.

use crate::{
    args::ChatArgs,
    commands::sessions::{last_at, said_first},
    connection::{Connection, items, parsed, text},
    context::Context,
    failure::Failure,
    short_id::Lists,
    texts::fill,
};
use serde_json::{Value, json};
use wiiiv_domain::{ProjectId, SessionId};

/// Rows of a conversation's beginning, of which one is what the person said first.
const BEGINNING_ROWS: u32 = 8;

pub async fn session(
    context: &Context,
    connection: &Connection,
    args: &ChatArgs,
) -> Result<SessionId, Failure> {
    if let Some(session) = &args.session {
        return session.of(connection, Lists::Sessions).await;
    }
    let project = connection.project(args.project.project.as_deref()).await?;
    let below = format!("/projects/{project}/sessions");
    if !args.resume && args.fields.is_empty() {
        return parsed(&connection.post(&below, json!({})).await?, "id");
    }
    let newest = connection.get(&format!("{below}?limit=1")).await?;
    let row = newest.pointer("/items/0").ok_or(Failure::NoSession)?;
    name(context, connection, project, row).await?;
    parsed(row, "id")
}

async fn name(
    context: &Context,
    connection: &Connection,
    project: ProjectId,
    row: &Value,
) -> Result<(), Failure> {
    let title = match said_first(row) {
        "" => first_words(connection, text(row, "id")).await?,
        words => words.to_owned(),
    };
    let project = connection.get(&format!("/projects/{project}")).await?;
    let (session, project, at) = (text(row, "id"), text(&project, "name"), last_at(row));
    let named = json!({
        "event": "continues", "session": session, "project": project, "title": title, "at": at,
    });
    context.output.document(&named)?;
    let values = [("title", title.as_str()), ("project", project), ("at", at)];
    context.output.aside(&fill(&context.texts.chat.continues, &values))
}

/// What the person said first, from the conversation itself.
async fn first_words(connection: &Connection, session: &str) -> Result<String, Failure> {
    let below = format!("/sessions/{session}/history?limit={BEGINNING_ROWS}");
    let page = connection.get(&below).await?;
    let said = items(&page, "items").iter().filter(|row| text(row, "event") == "accepted");
    let first = said.map(|row| text(row, "text")).find(|words| !words.is_empty());
    Ok(first.unwrap_or("-").to_owned())
}
