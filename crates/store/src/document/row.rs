//! A document, as its row has it.

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
use wiiiv_domain::{ContentDigest, DocumentId, Scope, Timestamp, UserId};

/// Where a document's file comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentOrigin {
    /// Somebody uploaded it.
    Upload,
    /// It lies in the administrator's folder.
    Folder,
}

impl DocumentOrigin {
    /// In a word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Upload => "upload",
            Self::Folder => "folder",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentRow {
    pub id: DocumentId,
    pub scope: Scope,
    pub origin: DocumentOrigin,
    /// In the folder its path, with `/`. One of each in a scope and an origin.
    pub file_name: String,
    pub title: String,
    /// Somebody gave it: another file of the name keeps it.
    pub title_given: bool,
    pub media_type: Option<String>,
    /// SHA-256 of the file.
    pub digest: ContentDigest,
    /// SHA-256 of its passages.
    pub content: ContentDigest,
    pub bytes: u64,
    pub passages: u64,
    pub chunks: u64,
    /// Counted from 1: one for each change.
    pub version: u64,
    /// Its file is gone from the folder: what it held the last time stays.
    pub stale: bool,
    /// Whoever changed it last. `None`: the folder did.
    pub author: Option<UserId>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// In the order in which [`read`] takes them.
pub(crate) const COLUMNS: &str = "document.id, document.scope, document.origin, document.file_name, document.title, \
     document.media_type, document.digest, document.content, document.bytes, document.passages, \
     document.chunks, document.version, document.stale, document.author, document.created_at, \
     document.updated_at, document.at_seq, document.title_given";

/// And the number of its last record.
pub(crate) fn read(row: &Row) -> Result<(DocumentRow, i64), StoreError> {
    let digest_of = |column| digest(row.get(column)?, ContentDigest::from_bytes, "a digest");
    let document = DocumentRow {
        id: row.get::<Uuid>(0)?.into(),
        scope: scope(&row.get::<String>(1)?)?,
        origin: origin(&row.get::<String>(2)?)?,
        file_name: row.get(3)?,
        title: row.get(4)?,
        title_given: row.get(17)?,
        media_type: row.get(5)?,
        digest: digest_of(6)?,
        content: digest_of(7)?,
        bytes: from_db(row.get(8)?),
        passages: from_db(row.get(9)?),
        chunks: from_db(row.get(10)?),
        version: from_db(row.get(11)?),
        stale: row.get(12)?,
        author: row.get::<Option<Uuid>>(13)?.map(Into::into),
        created_at: time(row.get(14)?),
        updated_at: time(row.get(15)?),
    };
    Ok((document, row.get(16)?))
}

/// One that cannot be read is nobody's, and never everybody's.
pub(super) fn scope(text: &str) -> Result<Scope, StoreError> {
    text.parse().map_err(|_| StoreError::corrupt("the scope of a document"))
}

pub(super) fn origin(text: &str) -> Result<DocumentOrigin, StoreError> {
    from_word(text, "where a document comes from")
}
