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

/// The provider's model that texts of it go or went to. Empty: it failed, nothing of it was new, or nothing was sent.
pub fn sent_to(job: &Value) -> &str {
    let unsent = ["NOT_EMBEDDED_BUDGET", "NOT_EMBEDDED_REFUSED"].contains(&text(job, "code"));
    let new = number(job, "to_embed") > 0 && (number(job, "embedded") > 0 || !unsent);
    let was_sent = new && text(job, "state") != "failed";
    if was_sent || !has_ended(job) { text(job, "sent_to") } else { "" }
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
    context.done(&view, &context.texts.rag.cancelled, &[("file", &file)])
}

#[cfg(test)]
mod tests {
    use super::sent_to;
    use serde_json::{Value, json};

    #[test]
    fn a_model_is_named_where_texts_go_to_it() {
        let job = |state: &str, code: Value, (embedded, to_embed): (u64, u64)| {
            json!({ "state": state, "code": code, "sent_to": "openai:m", "embedded": embedded,
                "to_embed": to_embed })
        };
        for (job, is_told) in [
            (job("queued", Value::Null, (0, 0)), true),
            (job("ready", Value::Null, (2, 2)), true),
            (job("ready", Value::Null, (0, 0)), false),
            (job("ready", json!("NOT_EMBEDDED"), (0, 2)), true),
            (job("ready", json!("NOT_EMBEDDED_BUDGET"), (1, 2)), true),
            (job("ready", json!("NOT_EMBEDDED_REFUSED"), (0, 2)), false),
            (job("failed", json!("DAMAGED"), (0, 0)), false),
            (Value::Null, false),
        ] {
            assert_eq!(sent_to(&job), if is_told { "openai:m" } else { "" }, "{job}");
        }
    }
}
