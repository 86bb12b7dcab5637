//! What was read out of a file, in its order. It crosses from the sandboxed child as JSON.

mod code;
mod markdown;
mod plain;

use serde::{Deserialize, Serialize};

/// The text of one document, without anything of its layout that does not matter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceText {
    /// [`SourceText::VERSION`] of whoever wrote it.
    pub version: u32,
    /// As the document itself says it.
    pub title: Option<String>,
    /// In reading order.
    pub parts: Vec<Part>,
}

/// A piece that belongs together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// Its words, marks of a list or a table included.
    pub text: String,
    /// From 1, where the file has pages.
    pub page: Option<u32>,
}

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// Of this level, from 1; what is below 6 counts as 6.
    Heading(u8),
    /// Sentences.
    Paragraph,
    /// Of a list.
    Item,
    /// Of a table, a line of text; the first of several in a row is their header.
    Row,
    /// A definition with its body, or lines between blank lines.
    Code,
}

impl SourceText {
    /// Of the JSON form.
    pub const VERSION: u32 = 1;

    /// As this version writes it.
    #[must_use]
    pub const fn new(title: Option<String>, parts: Vec<Part>) -> Self {
        Self { version: Self::VERSION, title, parts }
    }
}

impl Part {
    /// On no page.
    fn new(kind: PartKind, text: &str) -> Self {
        Self { kind, text: text.to_owned(), page: None }
    }
}
