//! How much there may be: ingests that wait, bytes of a scope's files, and chunks. Each chunk is held in memory as long as
//! the server runs, however small the file was that it came of.

use super::{
    job_row::IngestJobRow,
    refused::{Capacity, DocumentRefused},
    row::{DocumentOrigin, DocumentRow},
};
use crate::{
    database::{
        number::from_db,
        statement::{Reads, query},
    },
    error::StoreError,
};
use sea_orm::Value;
use wiiiv_domain::{Scope, UserId};

/// One person may have a share of the ingests that may be open: one of so many.
const PERSON_SHARE: u64 = 4;
/// So many one person may have, however few may be open.
const PERSON_OPEN_MIN: u64 = 4;

/// How much may be there at a time. What lies in the folder is the administrator's: the bounds of a scope count only what
/// was uploaded.
#[derive(Debug, Clone, Copy)]
pub struct IngestBounds {
    /// Ingests that are open, of all scopes. A quarter of them may be one person's.
    pub open_max: u64,
    /// Bytes of one scope's uploaded files, with those that wait.
    pub scope_bytes_max: u64,
    /// Chunks of one scope's uploaded documents.
    pub scope_chunks_max: u64,
    /// Chunks of all documents.
    pub chunks_max: u64,
}

/// The one document that a file may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct DocumentKey<'a> {
    pub(super) scope: Scope,
    pub(super) origin: DocumentOrigin,
    pub(super) file_name: &'a str,
}

impl<'a> DocumentKey<'a> {
    pub(super) fn of(job: &'a IngestJobRow) -> Self {
        Self { scope: job.scope, origin: job.origin, file_name: &job.file_name }
    }

    pub(super) fn of_document(row: &'a DocumentRow) -> Self {
        Self { scope: row.scope, origin: row.origin, file_name: &row.file_name }
    }

    pub(super) fn values(&self) -> Vec<Value> {
        vec![
            self.scope.to_string().into(),
            self.origin.as_str().into(),
            self.file_name.to_owned().into(),
        ]
    }
}

/// One more file. `user`: whose share it is. `None`: the folder's, which has none.
pub(super) async fn fits<C: Reads>(
    db: &C,
    user: Option<UserId>,
    (place, bytes): (DocumentKey<'_>, u64),
    bounds: IngestBounds,
) -> Result<(), DocumentRefused> {
    may_wait(db, user, bounds).await?;
    // How many it will have nobody knows yet: one at least.
    has_room(db, place, 1, bounds).await?;
    if user.is_none() {
        return Ok(());
    }
    // The document whose place it takes goes.
    let held = "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM \
                (SELECT bytes FROM document WHERE scope = $1 AND origin = $2 AND file_name <> $3 \
                 UNION ALL SELECT bytes FROM ingest_job \
                 WHERE scope = $1 AND origin = $2 AND ended_at IS NULL AND document IS NULL) AS held";
    let held = query(db, held, place.values()).await?.ok_or_else(StoreError::given_up)?;
    let (capacity, max) = (Capacity::ScopeBytes, bounds.scope_bytes_max);
    let fits = from_db(held.get(0)?).saturating_add(bytes) <= max;
    fits.then_some(()).ok_or(DocumentRefused::Full { capacity, max })
}

/// One more that waits; one whose document is there waits no more. `user`: as of [`fits`].
pub(super) async fn may_wait<C: Reads>(
    db: &C,
    user: Option<UserId>,
    bounds: IngestBounds,
) -> Result<(), DocumentRefused> {
    let open = "SELECT COUNT(*), COUNT(CASE WHEN author = $1 THEN 1 END) FROM ingest_job \
                WHERE ended_at IS NULL AND document IS NULL";
    let person: Value = user.map(|user| user.uuid()).into();
    let open = query(db, open, vec![person]).await?.ok_or_else(StoreError::given_up)?;
    let share = (bounds.open_max / PERSON_SHARE).max(PERSON_OPEN_MIN);
    for (count, max) in [(open.get(0)?, bounds.open_max), (open.get(1)?, share)] {
        if from_db(count) >= max {
            return Err(DocumentRefused::QueueFull { max });
        }
    }
    Ok(())
}

/// For so many chunks in that place. The document that is there goes; one that is no longer than it fits always.
pub(super) async fn has_room<C: Reads>(
    db: &C,
    place: DocumentKey<'_>,
    chunks: u64,
    bounds: IngestBounds,
) -> Result<(), DocumentRefused> {
    let sql = "SELECT (SELECT CAST(COALESCE(SUM(chunks), 0) AS BIGINT) FROM document), \
               (SELECT CAST(COALESCE(SUM(chunks), 0) AS BIGINT) FROM document \
                WHERE scope = $1 AND origin = $2), \
               (SELECT CAST(COALESCE(SUM(chunks), 0) AS BIGINT) FROM document \
                WHERE scope = $1 AND origin = $2 AND file_name = $3)";
    let held = query(db, sql, place.values()).await?.ok_or_else(StoreError::given_up)?;
    let (all, scope, own) = (from_db(held.get(0)?), from_db(held.get(1)?), from_db(held.get(2)?));
    if chunks <= own {
        return Ok(());
    }
    let more = chunks - own;
    let of_scope = match place.origin {
        DocumentOrigin::Upload => Some((Capacity::ScopeChunks, scope, bounds.scope_chunks_max)),
        DocumentOrigin::Folder => None,
    };
    let bounds = of_scope.into_iter().chain([(Capacity::AllChunks, all, bounds.chunks_max)]);
    for (capacity, held, max) in bounds {
        if held.saturating_add(more) > max {
            return Err(DocumentRefused::Full { capacity, max });
        }
    }
    Ok(())
}
