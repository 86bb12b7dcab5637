//! An ingest, as its row has it.

use super::row::{DocumentOrigin, origin, scope};
use crate::{
    database::{
        column::{digest, from_word, time},
        number::from_db,
        statement::Row,
    },
    error::StoreError,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, DocumentId, IngestJobId, Scope, Timestamp, UserId};

/// How far an ingest is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IngestState {
    /// It waits for others.
    Queued,
    /// Its text is read out of the file.
    Reading,
    /// Passages and chunks are cut.
    Cutting,
    /// Chunks without a vector get one.
    Embedding,
    /// Its document is found.
    Ready,
    /// For a reason, which its code names.
    Failed,
    Cancelled,
}

impl IngestState {
    pub const ALL: [Self; 7] = [
        Self::Queued,
        Self::Reading,
        Self::Cutting,
        Self::Embedding,
        Self::Ready,
        Self::Failed,
        Self::Cancelled,
    ];

    /// In a word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Reading => "reading",
            Self::Cutting => "cutting",
            Self::Embedding => "embedding",
            Self::Ready => "ready",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    /// Nothing more comes.
    #[must_use]
    pub const fn has_ended(self) -> bool {
        match self {
            Self::Queued | Self::Reading | Self::Cutting | Self::Embedding => false,
            Self::Ready | Self::Failed | Self::Cancelled => true,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IngestJobRow {
    pub id: IngestJobId,
    pub scope: Scope,
    pub origin: DocumentOrigin,
    pub file_name: String,
    /// `None`: the one that the file gives itself.
    pub title: Option<String>,
    pub media_type: Option<String>,
    /// SHA-256 of the file.
    pub digest: ContentDigest,
    pub bytes: u64,
    pub state: IngestState,
    /// Why it failed; of one that is ready, why texts of it have no vector.
    pub code: Option<String>,
    pub progress: IngestProgress,
    /// What came of it.
    pub document: Option<DocumentId>,
    /// `None`: the folder.
    pub author: Option<UserId>,
    pub created_at: Timestamp,
    pub ended_at: Option<Timestamp>,
}

/// Counted as it goes on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IngestProgress {
    pub passages: u64,
    pub chunks: u64,
    /// Chunks that had no vector.
    pub to_embed: u64,
    /// How many of them have one now.
    pub embedded: u64,
}

/// In the order in which [`read`] takes them.
pub(super) const COLUMNS: &str = "id, scope, origin, file_name, title, media_type, digest, bytes, state, code, \
     passages, chunks, to_embed, embedded, document, author, created_at, ended_at";

pub(super) fn read(row: &Row) -> Result<IngestJobRow, StoreError> {
    Ok(IngestJobRow {
        id: row.get::<Uuid>(0)?.into(),
        scope: scope(&row.get::<String>(1)?)?,
        origin: origin(&row.get::<String>(2)?)?,
        file_name: row.get(3)?,
        title: row.get(4)?,
        media_type: row.get(5)?,
        digest: digest(row.get(6)?, ContentDigest::from_bytes, "a digest")?,
        bytes: from_db(row.get(7)?),
        state: from_word(&row.get::<String>(8)?, "the state of an ingest")?,
        code: row.get(9)?,
        progress: IngestProgress {
            passages: from_db(row.get(10)?),
            chunks: from_db(row.get(11)?),
            to_embed: from_db(row.get(12)?),
            embedded: from_db(row.get(13)?),
        },
        document: row.get::<Option<Uuid>>(14)?.map(Into::into),
        author: row.get::<Option<Uuid>>(15)?.map(Into::into),
        created_at: time(row.get(16)?),
        ended_at: row.get::<Option<i64>>(17)?.map(time),
    })
}
