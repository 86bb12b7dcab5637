//! Wire form of a citation.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::Citation;
use wiiiv_hlx::neutralise;

/// A passage that an answer cites. `GET /rag/documents/{document}/passages/{passage}` opens it, for whoever may read it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CitationView {
    /// `n` of `[n]`.
    pub number: u32,
    pub document: Uuid,
    pub passage: u32,
    /// Of the document, when it was cited: where it has another one now, the passage may say something else. `null` where
    /// the answer is older than this field.
    pub version: Option<u64>,
    pub title: String,
    pub file_name: String,
    /// `null` where the file has no pages.
    pub page: Option<u32>,
    /// The innermost one over the passage; `null` where there is none but the title, and where the answer is older than this field.
    pub heading: Option<String>,
    /// Its file was gone from the folder when it was cited: the passage is what it held the last time.
    pub stale: bool,
    /// Whose document it is: `global`, `user:ID` or `project:ID`.
    pub scope: String,
}

impl From<&Citation> for CitationView {
    fn from(citation: &Citation) -> Self {
        let Citation {
            number,
            document,
            passage,
            version,
            title,
            file_name,
            page,
            heading,
            stale,
            scope,
        } = citation;
        Self {
            number: *number,
            document: document.uuid(),
            passage: *passage,
            version: *version,
            title: neutralise(title),
            file_name: neutralise(file_name),
            page: *page,
            heading: heading.as_deref().map(neutralise),
            stale: *stale,
            scope: scope.to_string(),
        }
    }
}
