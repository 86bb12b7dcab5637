//! Why nothing was done about a document.

use crate::error::StoreError;
use std::fmt;

/// What has no room for one more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capacity {
    ScopeBytes,
    ScopeChunks,
    AllChunks,
}

impl fmt::Display for Capacity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ScopeBytes => "bytes of the files of that scope",
            Self::ScopeChunks => "chunks of the documents of that scope",
            Self::AllChunks => "chunks of all documents",
        })
    }
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum DocumentRefused {
    /// 404.
    #[error("there is no such document or ingest")]
    NotFound,
    /// 403.
    #[error(
        "a document of everybody is changed by the administrator, a project's by its owner and editors, a \
         person's by that person alone"
    )]
    NotAllowed,
    /// 409: it was cancelled, or its texts were erased.
    #[error("the ingest has ended")]
    Ended,
    /// 412: its author saw another version.
    #[error("the document was changed meanwhile: it has version `{current}`")]
    VersionChanged { current: u64 },
    /// 429: of all people, or of that one.
    #[error("`{max}` files wait to be read already")]
    QueueFull { max: u64 },
    /// 409: of documents and what waits for their place, with one more.
    #[error("there is no room: {capacity} are at most `{max}`")]
    Full { capacity: Capacity, max: u64 },
    /// 422.
    #[error("{what} is over the limit of `{max}`")]
    TooLarge { what: &'static str, max: u64 },
    #[error(transparent)]
    Store(#[from] StoreError),
}
