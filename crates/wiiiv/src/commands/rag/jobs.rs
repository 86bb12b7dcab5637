//! `rag jobs` and `rag cancel`: how files that were added stand.

use super::reason;
use super::scopes::{rows, scope_name};
use crate::args::RagScopeArgs;
use crate::connection::{Connection, number, path, text};
use crate::context::Context;
use crate::document_scopes::DocumentScopes;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::harmless;
use crate::short_id::{IdArg, Lists, short};
use crate::texts::named;
use serde_json::Value;
use wiiiv_domain::IngestJobId;
use wiiiv_net::ApiCall;

pub async fn list(context: &Context, of: &RagScopeArgs) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let scopes = DocumentScopes::of(&connection).await?;
    let rows = rows(&connection, &scopes, (of, "/rag/jobs")).await?;
    let (texts, list) = (&context.texts.rag, &context.texts.list);
    let cells = |row: &Value| {
        [
            short(text(row, "id")).to_owned(),
            standing(context, row),
            scope_name(context, &scopes, row),
            text(row, "created_at").to_owned(),
            text(row, "file_name").to_owned(),
            why(context, row).unwrap_or_default(),
        ]
    };
    let heads = [&list.id, &list.state, &texts.scope, &list.at, &texts.file, &texts.reason];
    context.list(&rows, heads, cells)
}

/// Its state in words; of what is embedded how much is done.
pub fn standing(context: &Context, job: &Value) -> String {
    let state = text(job, "state");
    let told = named(&context.texts.rag.states, state);
    let (done, all) = (number(job, "embedded"), number(job, "to_embed"));
    if state == "embedding" && all > 0 { format!("{told} {done}/{all}") } else { told.to_owned() }
}

/// Nothing more comes of it.
pub fn has_ended(job: &Value) -> bool {
    matches!(text(job, "state"), "ready" | "failed" | "cancelled")
}

/// Why it failed.
pub fn why(context: &Context, job: &Value) -> Option<String> {
    let code = text(job, "code");
    (!code.is_empty()).then(|| reason::of(context, code))
}

pub async fn cancel(context: &Context, job: &IdArg) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let id: IngestJobId = job.of(&connection, Lists::Ingests).await?;
    let call = ApiCall::delete(path(&format!("/rag/jobs/{id}")));
    let view = connection.client.send(call).await?.body;
    let file = harmless(text(&view, "file_name"));
    let texts = &context.texts.rag;
    let is_there = text(&view, "state") == "ready";
    let told = if is_there { &texts.cancelled_there } else { &texts.cancelled };
    context.done(&view, told, &[("file", &file)])
}
