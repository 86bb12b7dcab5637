//! Passages: what citations open.

use crate::connection::{Connection, items, number, text, words};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::harmless;
use crate::short_id::{IdArg, Lists};
use crate::texts::fill;
use serde_json::Value;
use wiiiv_domain::DocumentId;

/// Headings over a passage, the outermost first.
pub fn place(of: &Value) -> String {
    words(of, "headings").join(" › ")
}

/// On which it begins, where its file has pages.
pub fn page(of: &Value) -> Option<&Value> {
    of.get("page").filter(|page| page.is_u64())
}

/// The beginning of a text, on one line.
pub fn excerpt(text: &str, chars_max: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(chars_max).collect()
}

/// The text on standard output; where it is from, and its chunks, beside it. `cited`: the version that the document had
/// when the passage was cited.
pub async fn show(
    context: &Context,
    document: &IdArg,
    (number_of, cited): (u32, Option<u32>),
) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let id: DocumentId = document.of(&connection, Lists::Documents).await?;
    let view = connection.get(&format!("/rag/documents/{id}/passages/{number_of}")).await?;
    context.output.document(&view)?;
    let texts = &context.texts.rag;
    if let Some(cited) = cited {
        let now = number(&connection.get(&format!("/rag/documents/{id}")).await?, "version");
        if now != u64::from(cited) {
            let values = [("cited", cited.to_string()), ("now", now.to_string())];
            let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
            context.output.aside(&fill(&texts.changed_since, &values))?;
        }
    }
    let page = page(&view).map(|page| fill(&texts.page, &[("page", &page.to_string())]));
    let from = [Some(place(&view)), page].into_iter().flatten().filter(|part| !part.is_empty());
    context.output.aside(&harmless(&from.collect::<Vec<_>>().join(" · ")))?;
    context.output.line(&harmless(text(&view, "text")))?;
    for chunk in items(&view, "chunks") {
        let vector = if chunk.get("embedded") == Some(&Value::Bool(true)) {
            texts.has_vector.as_str()
        } else {
            texts.no_vector.as_str()
        };
        let chars = text(chunk, "text").chars().count().to_string();
        let values = [
            ("number", &*number(chunk, "number").to_string()),
            ("chars", &chars),
            ("vector", vector),
        ];
        context.output.aside(&harmless(&fill(&texts.chunk, &values)))?;
    }
    Ok(Exit::Done)
}
