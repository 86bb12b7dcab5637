//! `chat`: a conversation on a terminal, or one message of one.

mod follow;
mod lines;
mod tell;

use crate::args::ChatArgs;
use crate::connection::{Connection, required, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal;
use crate::texts::fill;
use follow::{End, Turn, cancel, follow};
use lines::{Heard, Lines};
use serde_json::json;
use wiiiv_domain::{Lang, SessionId};

pub async fn chat(context: &Context, args: &ChatArgs) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let session = session(&connection, args).await?;
    match &args.message {
        Some(message) => once(context, &connection, session, message).await,
        None => converse(context, &connection, session).await,
    }
}

async fn session(connection: &Connection, args: &ChatArgs) -> Result<SessionId, Failure> {
    if let Some(session) = args.session {
        return Ok(session);
    }
    let project = connection.project(args.project.project.as_deref()).await?;
    let below = format!("/projects/{project}/sessions");
    let id = if args.resume {
        let newest = connection.get(&format!("{below}?limit=1")).await?;
        let row = newest.pointer("/items/0").ok_or(Failure::NoSession)?;
        text(row, "id").to_owned()
    } else {
        required(&connection.post(&below, json!({})).await?, "id")?.to_owned()
    };
    id.parse().map_err(|_| Failure::Answer { field: "id" })
}

/// One message; on a terminal a question that it leads to can be answered at once.
async fn once(
    context: &Context,
    connection: &Connection,
    session: SessionId,
    message: &str,
) -> Result<Exit, Failure> {
    let mut turn = Turn { context, connection, session };
    let mut end = follow(&mut turn, message).await?;
    let may_ask = terminal::is_interactive() && !context.output.is_json();
    let mut lines = may_ask.then(Lines::begin);
    while let (End::Pending { .. }, Some(lines)) = (&end, &mut lines) {
        context.output.ask(&context.texts.chat.decide)?;
        match lines.next().await {
            // Anything but a bare y or n may change what was asked for: it goes as it was typed.
            Heard::Line(line) if line.trim().is_empty() => {}
            Heard::Line(line) => {
                end = follow(&mut turn, decided(context.language, &line)).await?;
            }
            Heard::Unreadable => context.output.aside(&context.texts.chat.unreadable)?,
            Heard::End => break,
            Heard::Interrupted => return withdraw(&turn).await,
        }
    }
    if let End::Pending { approval } = &end {
        let values = [("session", session.to_string()), ("approval", approval.clone())];
        let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
        context.output.aside(&fill(&context.texts.chat.pending, &values))?;
    }
    Ok(end.exit())
}

/// Ctrl-C at a question: nobody is to say yes to it any more.
async fn withdraw(turn: &Turn<'_>) -> Result<Exit, Failure> {
    cancel(turn).await?;
    Ok(Exit::Interrupted)
}

async fn converse(
    context: &Context,
    connection: &Connection,
    session: SessionId,
) -> Result<Exit, Failure> {
    let texts = &context.texts.chat;
    let (mut lines, mut pending) = (Lines::begin(), false);
    context.output.aside(&fill(&texts.welcome, &[("session", &session.to_string())]))?;
    loop {
        context.output.ask(if pending { &texts.decide } else { &texts.prompt })?;
        let line = match lines.next().await {
            Heard::Line(line) => line,
            Heard::Unreadable => {
                context.output.aside(&texts.unreadable)?;
                continue;
            }
            Heard::End => break,
            Heard::Interrupted if pending => {
                return withdraw(&Turn { context, connection, session }).await;
            }
            Heard::Interrupted => return Ok(Exit::Interrupted),
        };
        let message = if pending { decided(context.language, &line) } else { line.as_str() };
        if message.trim().is_empty() {
            continue;
        }
        let end = follow(&mut Turn { context, connection, session }, message).await?;
        pending = matches!(end, End::Pending { .. });
    }
    context.output.aside(&fill(&texts.continue_with, &[("session", &session.to_string())]))?;
    Ok(Exit::Done)
}

/// A bare y or n where one is asked for; anything else goes as it was typed.
fn decided(language: Lang, line: &str) -> &str {
    match line.trim() {
        "y" | "Y" => answer(language, true),
        "n" | "N" => answer(language, false),
        _ => line,
    }
}

/// What a person would type: the server reads it as any other message.
const fn answer(language: Lang, agreed: bool) -> &'static str {
    match (language, agreed) {
        (Lang::Ko, true) => "네",
        (Lang::Ko, false) => "아니요",
        (Lang::En, true) => "yes",
        (Lang::En, false) => "no",
    }
}
