//! `rag list`, `show`, `remove`, `rename` and `reembed`.

use super::passages::{excerpt, page, place};
use super::scopes::{rows, scope_name};
use crate::args::{RagScopeArgs, project::ProjectArg};
use crate::connection::{Connection, flag, items, number, path, text};
use crate::context::Context;
use crate::document_scopes::DocumentScopes;
use crate::exit::Exit;
use crate::failure::{Absent, Failure};
use crate::output::harmless;
use crate::short_id::{IdArg, Lists, short};
use serde_json::{Value, json};
use wiiiv_context::has_slides;
use wiiiv_domain::DocumentId;
use wiiiv_net::ApiCall;

/// Of a passage in a list, in Unicode scalar values.
const LINE_CHARS_MAX: usize = 60;

pub async fn list(context: &Context, of: &RagScopeArgs) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let scopes = DocumentScopes::of(&connection).await?;
    let mut rows = rows(&connection, &scopes, (of, "/rag/documents")).await?;
    newest_first(&mut rows);
    let (texts, list) = (&context.texts.rag, &context.texts.list);
    let cells = |row: &Value| {
        let note = if flag(row, "stale") { format!(" {}", texts.stale) } else { String::new() };
        let title = format!("{}{note}", text(row, "title"));
        [
            short(text(row, "id")).to_owned(),
            scope_name(context, &scopes, row),
            number(row, "passages").to_string(),
            text(row, "updated_at").to_owned(),
            text(row, "file_name").to_owned(),
            title,
        ]
    };
    let heads = [&list.id, &texts.scope, &texts.passages, &texts.changed, &texts.file, &list.title];
    context.list(&rows, heads, cells)
}

/// By their last change, whatever scope they are of: a server lists one scope, in the order in which its documents were added.
fn newest_first(rows: &mut [Value]) {
    rows.sort_by(|a, b| text(b, "updated_at").cmp(text(a, "updated_at")));
}

/// A document, and what its passages begin with.
pub async fn show(context: &Context, document: &IdArg) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let id: DocumentId = document.of(&connection, Lists::Documents).await?;
    let view = connection.document(id).await?;
    let passages = connection.rows(&format!("/rag/documents/{id}/passages")).await?;
    context.output.document(&json!({ "document": view, "passages": passages }))?;
    let (texts, list) = (&context.texts.rag, &context.texts.list);
    let scopes = DocumentScopes::of(&connection).await?;
    let (by, author) = match text(&view, "author_name") {
        "" => (&texts.origin, &*texts.folder),
        name => (&texts.author, name),
    };
    context.output.line(&harmless(text(&view, "title")))?;
    let fields = [
        (&list.id, text(&view, "id").to_owned()),
        (&texts.scope, scope_name(context, &scopes, &view)),
        (&texts.file, text(&view, "file_name").to_owned()),
        (&texts.size, number(&view, "bytes").to_string()),
        (&texts.version, number(&view, "version").to_string()),
        (&texts.changed, text(&view, "updated_at").to_owned()),
        (by, author.to_owned()),
    ];
    for (head, value) in fields {
        context.output.line(&harmless(&format!("{head}: {value}")))?;
    }
    if flag(&view, "stale") {
        context.warn(&texts.stale, &[])?;
    }
    let cells = |row: &Value| {
        let parts = [place(row), excerpt(text(row, "text"), LINE_CHARS_MAX)];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        [
            number(row, "number").to_string(),
            page(row).map(Value::to_string).unwrap_or_default(),
            items(row, "chunks").len().to_string(),
            parts.join("  "),
        ]
    };
    let slides = has_slides(text(&view, "file_name"));
    let page_head = if slides { &texts.slide_head } else { &texts.page_head };
    let heads = [&texts.number, page_head, &texts.chunks, &texts.passage];
    context.table(&passages, heads, cells)
}

pub async fn remove(context: &Context, document: &IdArg) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let id: DocumentId = document.of(&connection, Lists::Documents).await?;
    let call = ApiCall::delete(path(&format!("/rag/documents/{id}")));
    let removed = connection.client.send(call).await.map_err(Failure::from);
    removed.map_err(Failure::of_absent(Absent::Document))?;
    let answer = json!({ "id": id, "removed": true });
    context.done(&answer, &context.texts.rag.removed, &[("document", short(&id.to_string()))])
}

pub async fn rename(context: &Context, document: &IdArg, title: &str) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let id: DocumentId = document.of(&connection, Lists::Documents).await?;
    let below = format!("/rag/documents/{id}");
    let now = connection.client.send(ApiCall::get(path(&below))).await.map_err(Failure::from);
    let now = now.map_err(Failure::of_absent(Absent::Document))?;
    let tag = now.etag.ok_or(Failure::Answer { field: "ETag" })?;
    let call = ApiCall::patch(path(&below)).json(json!({ "title": title })).if_match(tag);
    let view = connection.client.send(call).await?.body;
    let title = harmless(text(&view, "title"));
    context.done(&view, &context.texts.rag.renamed, &[("title", &title)])
}

/// Of everything on the server, or of the project that is named.
pub async fn reembed(context: &Context, of: &ProjectArg) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let at = match of.project.as_deref() {
        Some(named) => format!("/rag/projects/{}/reembed", connection.project(Some(named)).await?),
        None => "/rag/reembed".to_owned(),
    };
    let begun = connection.post(&at, json!({})).await?;
    let (texts, missing) = (&context.texts.rag, number(&begun, "missing").to_string());
    match text(&begun, "embedder") {
        "" => context.done(&begun, &texts.lexical_only, &[]),
        embedder => {
            let values = [("embedder", embedder), ("missing", &*missing)];
            let template = if missing == "0" { &texts.reembed_none } else { &texts.reembedding };
            context.done(&begun, template, &values)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{json, newest_first, text};

    #[test]
    fn what_changed_last_comes_first_whatever_its_scope() {
        let row = |scope: &str, at: &str| json!({"scope": scope, "updated_at": at});
        let mut rows = [
            row("global", "2026-01-02T00:00:00.000Z"),
            row("global", "2026-01-04T00:00:00.000Z"),
            row("user:u", "2026-01-01T00:00:00.000Z"),
            row("user:u", "2026-01-03T00:00:00.000Z"),
        ];
        newest_first(&mut rows);
        let days: Vec<&str> = rows.iter().map(|row| &text(row, "updated_at")[8..10]).collect();
        assert_eq!(days, ["04", "03", "02", "01"]);
    }
}
