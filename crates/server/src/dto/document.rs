//! Wire forms of documents and their passages. None with a text of it can be printed.

use super::mirror::mirror;
use crate::problem::{Problem, ProblemCode};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use wiiiv_domain::Scope;
use wiiiv_store::{DocumentOrigin, DocumentRow, PassageChunk, PassageRow};

/// Where the file of a document comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DocumentOriginName {
    Upload,
    /// The administrator's folder, which the server watches.
    Folder,
}

mirror!(DocumentOrigin => DocumentOriginName: Upload, Folder);

/// Whose documents or ingests.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ScopeQuery {
    /// `global`, `user:ID` of the caller, or `project:ID`.
    pub scope: String,
    /// Rows, 1 to 100; 50 by default.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<u32>,
    /// `next_cursor` of the page before.
    pub cursor: Option<String>,
}

impl ScopeQuery {
    pub(crate) fn scope(&self) -> Result<Scope, Problem> {
        let scope = self.scope.parse();
        scope.map_err(|_| Problem::new(ProblemCode::InvalidQuery).with("parameter", "scope"))
    }
}

/// Changes a document.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PatchDocument {
    /// 1 to 200 characters on one line.
    pub title: String,
}

/// A document, without its text.
#[derive(Serialize, ToSchema)]
pub(crate) struct DocumentView {
    pub id: Uuid,
    /// Who finds it: `global` (everybody), `user:ID` (that person) or `project:ID` (its members).
    pub scope: String,
    pub origin: DocumentOriginName,
    /// In the folder its path, with `/`. A file of the same name takes the document's place.
    pub file_name: String,
    pub title: String,
    pub media_type: Option<String>,
    /// SHA-256 of the file, in hexadecimal digits.
    pub digest: String,
    /// Of the file.
    pub bytes: u64,
    pub passages: u64,
    pub chunks: u64,
    /// From 1, one for each change, and the `ETag` as well.
    pub version: u64,
    /// Its file is gone from the folder: what it held the last time stays.
    pub stale: bool,
    /// Whoever changed it last; `null`: the folder did.
    pub author: Option<Uuid>,
    pub author_name: Option<String>,
    pub created_at: String,
    pub updated_at: String,
}

impl DocumentView {
    /// `author_name`: of its author.
    pub(crate) fn of(row: DocumentRow, author_name: Option<String>) -> Self {
        Self {
            id: row.id.uuid(),
            scope: row.scope.to_string(),
            origin: row.origin.into(),
            file_name: row.file_name,
            title: row.title,
            media_type: row.media_type,
            digest: row.digest.to_string(),
            bytes: row.bytes,
            passages: row.passages,
            chunks: row.chunks,
            version: row.version,
            stale: row.stale,
            author: row.author.map(|author| author.uuid()),
            author_name,
            created_at: row.created_at.to_string(),
            updated_at: row.updated_at.to_string(),
        }
    }
}

/// What a citation opens, and what models are shown.
#[derive(Serialize, ToSchema)]
pub(crate) struct PassageView {
    pub document: Uuid,
    /// From 0, in the document's order.
    pub number: u32,
    /// Above its beginning, the outermost first.
    pub headings: Vec<String>,
    /// On which it begins, from 1; `null` where the file has no pages.
    pub page: Option<u32>,
    pub text: String,
    /// What is searched for it.
    pub chunks: Vec<ChunkView>,
}

impl PassageView {
    /// `embedder`: the model that searches compare by.
    pub(crate) fn of(row: PassageRow, embedder: Option<&str>) -> Self {
        let chunks = row.chunks.into_iter().map(|chunk| ChunkView::of(chunk, embedder)).collect();
        Self {
            document: row.document.uuid(),
            number: row.number,
            headings: row.headings,
            page: row.page,
            text: row.text,
            chunks,
        }
    }
}

/// What is searched.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChunkView {
    /// From 0, in the document's order.
    pub number: u32,
    /// SHA-256 of the text and of how it was cut, in hexadecimal digits: the same text is kept and embedded once.
    pub hash: String,
    /// Begins with the title and the headings, on a line of their own.
    pub text: String,
    /// It has a vector of the model that searches compare by. Else it is found by its words alone.
    pub embedded: bool,
}

impl ChunkView {
    fn of(chunk: PassageChunk, embedder: Option<&str>) -> Self {
        // Vectors of other models tell of documents that had this text before.
        let embedded = chunk.embedders.iter().any(|name| Some(name.as_str()) == embedder);
        Self { number: chunk.number, hash: chunk.hash.to_string(), text: chunk.text, embedded }
    }
}

#[cfg(test)]
mod tests {
    use super::ChunkView;
    use wiiiv_domain::ContentDigest;
    use wiiiv_store::PassageChunk;

    #[test]
    fn a_chunk_tells_of_the_serving_model_alone() {
        let embedded = |embedder: Option<&str>| {
            let (hash, text) = (ContentDigest::of_bytes(b"one"), "one".to_owned());
            let embedders = vec!["local:former".to_owned(), "local:new".to_owned()];
            ChunkView::of(PassageChunk { number: 0, hash, text, embedders }, embedder).embedded
        };
        let seen = ["local:new", "local:other"].map(|name| embedded(Some(name)));
        assert_eq!((seen, embedded(None)), ([true, false], false));
    }
}
