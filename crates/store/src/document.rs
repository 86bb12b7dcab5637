//! Documents that passages are found in: what was read out of a file, its passages and chunks, and the ingest that it
//! came by. Whoever may see a row is in its scope.
//!
//! A document is put and taken away whole, in one transaction with its record (`put.rs`, `change.rs`). The text of a
//! chunk and its vectors are kept once, by hash, as long as a document has it (`chunks.rs`); the words of a chunk are
//! its document's own.

mod author;
mod capacity;
mod change;
mod chunks;
mod embedding;
mod erase;
mod job;
mod job_end;
mod job_row;
mod list;
mod passage;
mod project_vectors;
mod put;
mod record;
mod refused;
mod row;
mod startup;
mod vectors;

pub use author::DocumentAuthor;
pub use capacity::IngestBounds;
pub use embedding::{AfterPut, NOT_EMBEDDED_CANCELLED};
pub(crate) use erase::EraseDocuments;
pub use job::{INGEST_JOBS_KEPT_MAX, NewIngest};
pub use job_row::{IngestJobRow, IngestProgress, IngestState};
pub use list::{DocumentTotals, FolderDocument};
pub use passage::{
    FoundKey, FoundRow, NewPassage, PASSAGES_LISTED_MAX, PassageChunk, PassageName, PassageRow,
};
pub use put::{DocumentContent, NewChunk, NewVectors};
pub(crate) use record::{ERASED, KINDS, REMOVED, chain_of, content_of, document_hmac};
pub use refused::{Capacity, DocumentRefused};
pub(crate) use row::{COLUMNS, read as read_document};
pub use row::{DocumentOrigin, DocumentRow};
pub use startup::{LibraryBatch, LibraryChunk, LibraryDocument};
pub use vectors::VectorKey;
