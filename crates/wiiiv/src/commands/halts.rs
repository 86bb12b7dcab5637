//! `halt`, `resume`, `halts`: the kill switch.

use crate::args::HaltArgs;
use crate::connection::{Connection, text};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::short_id::{Lists, short};
use crate::texts::named;
use serde_json::{Value, json};
use wiiiv_domain::SessionId;

pub async fn halt(context: &Context, args: &HaltArgs) -> Result<Exit, Failure> {
    send(context, args, "halt", &context.texts.halts.halted).await
}

pub async fn resume(context: &Context, args: &HaltArgs) -> Result<Exit, Failure> {
    send(context, args, "resume", &context.texts.halts.resumed).await
}

async fn send(context: &Context, args: &HaltArgs, verb: &str, done: &str) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let (scope, below) = match (&args.scope.session, &args.scope.project) {
        (Some(session), _) => {
            let id: SessionId = session.of(&connection, Lists::Sessions).await?;
            ("session", format!("/sessions/{id}"))
        }
        (None, Some(project)) => {
            let id = connection.project(Some(project)).await?;
            ("project", format!("/projects/{id}"))
        }
        (None, None) => ("server", "/server".to_owned()),
    };
    let (below, body) = (format!("{below}/{verb}"), json!({ "reason": args.reason }));
    let answer = connection.post(&below, body).await?;
    let scope = named(&context.texts.halts.scopes, scope);
    let scope = match &args.scope.project {
        Some(project) if args.scope.session.is_none() => format!("{scope} {project}"),
        Some(_) | None => scope.to_owned(),
    };
    context.done(&answer, done, &[("scope", &scope)])
}

/// What is halted of what concerns the person.
pub async fn list(context: &Context) -> Result<Exit, Failure> {
    let rows = Connection::open(context)?.all("/halts").await?;
    let (texts, list) = (&context.texts.halts, &context.texts.list);
    let cells = |row: &Value| {
        let scope = named(&texts.scopes, text(row, "scope"));
        let id = match text(row, "session") {
            "" => text(row, "project"),
            session => session,
        };
        [scope, short(id), text(row, "at"), text(row, "by_name"), text(row, "reason")]
            .map(str::to_owned)
    };
    let heads = [&texts.scope, &list.id, &list.at, &texts.by, &texts.reason];
    context.list(&rows, heads, cells)
}
