//! Passages: what citations open.

use crate::connection::{Connection, items, number, text, words};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::{Absent, Failure};
use crate::output::harmless;
use crate::short_id::{IdArg, Lists};
use crate::texts::{RagTexts, fill};
use serde_json::Value;
use wiiiv_context::has_slides;
use wiiiv_domain::DocumentId;

/// Headings over a passage, the outermost first.
pub fn place(of: &Value) -> String {
    place_below("", of)
}

/// The same behind the document's title, which a document often has for its first heading.
fn place_below(title: &str, of: &Value) -> String {
    let headings = words(of, "headings");
    let below = headings.strip_prefix(&[title]).unwrap_or(&headings);
    below.join(" › ")
}

/// On which it stands, where its file has pages.
pub fn page(of: &Value) -> Option<&Value> {
    of.get("page").filter(|page| page.is_u64())
}

/// The same in words, of a file of that name.
fn page_words(texts: &RagTexts, of: &Value, file_name: &str) -> Option<String> {
    let template = if has_slides(file_name) { &texts.slide } else { &texts.page };
    page(of).map(|page| fill(template, &[("page", &page.to_string())]))
}

/// A passage by its document's title and file, the headings over it, and its page; what is not known is left out.
pub fn called(texts: &RagTexts, document: &Value, of: &Value) -> String {
    let (title, file) = (text(document, "title"), text(document, "file_name"));
    let page = page_words(texts, of, file).unwrap_or_default();
    let file = if file == title { "" } else { file };
    let parts = [title.to_owned(), file.to_owned(), place_below(title, of), page];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" · ")
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
    of: &IdArg,
    (number_of, cited): (u32, Option<u32>),
) -> Result<Exit, Failure> {
    let connection = Connection::open(context)?;
    let id: DocumentId = of.of(&connection, Lists::Documents).await?;
    let document = connection.document(id).await?;
    let view = connection.get(&format!("/rag/documents/{id}/passages/{number_of}")).await;
    let view = view.map_err(Failure::of_absent(Absent::Passage))?;
    context.output.document(&view)?;
    let texts = &context.texts.rag;
    if let Some(cited) = cited {
        let now = number(&document, "version");
        if now != u64::from(cited) {
            let values = [("cited", cited.to_string()), ("now", now.to_string())];
            let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
            let was_there = (1..now).contains(&u64::from(cited));
            let told = if was_there { &texts.changed_since } else { &texts.no_version };
            context.output.aside(&fill(told, &values))?;
        }
    }
    context.output.aside(&harmless(&called(texts, &document, &view)))?;
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

#[cfg(test)]
mod tests {
    use super::{place, place_below};
    use serde_json::json;

    #[test]
    fn a_title_is_not_said_again_as_the_first_heading() {
        let of = |headings: &[&str]| json!({ "headings": headings });
        assert_eq!(place(&of(&["Leave", "Days"])), "Leave › Days");
        assert_eq!(place_below("Leave", &of(&["Leave", "Days"])), "Days");
        assert_eq!(place_below("Leave", &of(&["Leave"])), "");
        assert_eq!(place_below("Policy", &of(&["Leave", "Policy"])), "Leave › Policy");
        assert_eq!(place_below("Leave", &of(&[])), "");
    }
}
