//! Ingests: queued with their file, counted as they go on, ended once. The file goes with the end.

use super::{
    author::{DocumentAuthor, may_still},
    capacity::{DocumentKey, IngestBounds, fits, has_room, may_wait},
    embedding::broken_off,
    job_end::end,
    job_row::{COLUMNS, IngestJobRow, IngestProgress, IngestState, read},
    refused::DocumentRefused,
    row::DocumentOrigin,
};
use crate::{
    database::{
        clock::now,
        id::new_id,
        number::to_db,
        page::Page,
        statement::{Reads, Writes, execute, query, query_all},
    },
    error::StoreError,
    store::Store,
    writer::{point::Point, write_transaction::WriteTransaction},
};
use sea_orm::Value;
use tokio::task::spawn_blocking;
use wiiiv_domain::{ContentDigest, IngestJobId, Scope, UserId};

/// Ended ingests of one scope that are kept: beyond, the oldest go.
pub const INGEST_JOBS_KEPT_MAX: u64 = 200;

/// A file that is to be read.
#[derive(Debug, Clone)]
pub struct NewIngest {
    pub scope: Scope,
    pub origin: DocumentOrigin,
    pub file_name: String,
    pub title: Option<String>,
    pub media_type: Option<String>,
    pub file: Vec<u8>,
}

impl Store {
    /// Within these bounds.
    pub async fn queue_ingest(
        &self,
        author: DocumentAuthor,
        new: NewIngest,
        bounds: IngestBounds,
    ) -> Result<IngestJobRow, DocumentRefused> {
        author.may_write(new.scope, self.registrar())?;
        // A file may be long, and all others wait for the writer: it is given the digest.
        let digested = spawn_blocking(move || (ContentDigest::of_bytes(&new.file), new)).await;
        let (digest, new) =
            digested.map_err(|error| StoreError::Unavailable { reason: error.to_string() })?;
        self.write(Point::P, move |tx| {
            Box::pin(async move { queue(tx, &author, (new, digest), bounds).await })
        })
        .await
    }

    /// Whether one more file of this person could be queued: asked before its bytes come.
    pub async fn may_queue(
        &self,
        user: UserId,
        bounds: IngestBounds,
    ) -> Result<(), DocumentRefused> {
        may_wait(self.direct(), Some(user), bounds).await
    }

    pub async fn ingest_job(&self, id: IngestJobId) -> Result<Option<IngestJobRow>, StoreError> {
        job(self.direct(), id).await
    }

    /// Newest first.
    pub async fn ingest_jobs(
        &self,
        scope: Scope,
        page: Page,
    ) -> Result<Vec<IngestJobRow>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM ingest_job WHERE scope = $1 AND (id < $2 OR $2 IS NULL) \
             ORDER BY id DESC LIMIT $3"
        );
        let values = vec![scope.to_string().into(), page.before.into(), to_db(page.rows())?.into()];
        query_all(self.reader(), &sql, values).await?.iter().map(read).collect()
    }

    /// Oldest first: what a start goes on with. One that cannot be read back keeps no other from being begun.
    pub async fn open_ingests(&self) -> Result<Vec<IngestJobRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM ingest_job WHERE ended_at IS NULL ORDER BY id");
        let rows = query_all(self.reader(), &sql, Vec::new()).await?;
        let told = |error: &StoreError| tracing::error!(%error, "an ingest is not begun");
        Ok(rows.iter().filter_map(|row| read(row).inspect_err(told).ok()).collect())
    }

    /// Whether so many chunks fit in the place of its document: to be asked before they are embedded.
    pub async fn room_for(
        &self,
        job: &IngestJobRow,
        chunks: u64,
        bounds: IngestBounds,
    ) -> Result<(), DocumentRefused> {
        has_room(self.reader(), DocumentKey::of(job), chunks, bounds).await
    }

    /// `None`: it has ended.
    pub async fn ingest_file(&self, id: IngestJobId) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT file FROM ingest_file WHERE job = $1";
        let row = query(self.reader(), sql, vec![id.uuid().into()]).await?;
        row.map(|row| row.get(0)).transpose()
    }

    /// Whether whoever queued it may still write there.
    pub async fn may_ingest(&self, job: &IngestJobRow) -> Result<bool, StoreError> {
        may_still(self.direct(), job.author, job.scope).await
    }

    /// How far it is. `false`: it has ended meanwhile.
    pub async fn mark_ingest(
        &self,
        id: IngestJobId,
        state: IngestState,
        progress: IngestProgress,
    ) -> Result<bool, StoreError> {
        self.write(Point::P, move |tx| Box::pin(async move { mark(tx, id, state, progress).await }))
            .await
    }

    /// `code`: why it failed; `None`: it was cancelled. What has put its document is ready. Comes back as it is now, also
    /// where it had ended before.
    pub async fn end_ingest(
        &self,
        id: IngestJobId,
        code: Option<String>,
    ) -> Result<Option<IngestJobRow>, StoreError> {
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let Some(row) = job(&tx.db, id).await? else { return Ok(None) };
                let (state, code) = broken_off(&row, code);
                // Nothing of its file stays on a page that is free then.
                tx.db.overwrite(true)?;
                let ended = end(tx, id, state, (code, None)).await;
                tx.db.overwrite(false)?;
                ended?;
                job(&tx.db, id).await
            })
        })
        .await
    }
}

pub(super) async fn job<C: Reads>(
    db: &C,
    id: IngestJobId,
) -> Result<Option<IngestJobRow>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM ingest_job WHERE id = $1");
    query(db, &sql, vec![id.uuid().into()]).await?.as_ref().map(read).transpose()
}

async fn queue(
    tx: &WriteTransaction,
    author: &DocumentAuthor,
    (new, digest): (NewIngest, ContentDigest),
    bounds: IngestBounds,
) -> Result<IngestJobRow, DocumentRefused> {
    let at = now();
    author.stands(&tx.db, at).await?;
    let bytes = u64::try_from(new.file.len()).unwrap_or(u64::MAX);
    let place = DocumentKey { scope: new.scope, origin: new.origin, file_name: &new.file_name };
    fits(&tx.db, author.user(), (place, bytes), bounds).await?;
    let (id, scope) = (new_id::<IngestJobId>(), new.scope.to_string());
    let insert = "INSERT INTO ingest_job (id, scope, origin, file_name, title, media_type, digest, bytes, \
                  state, author, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    let values: Vec<Value> = vec![
        id.uuid().into(),
        scope.clone().into(),
        new.origin.as_str().into(),
        new.file_name.into(),
        new.title.into(),
        new.media_type.into(),
        digest.bytes().to_vec().into(),
        to_db(bytes)?.into(),
        IngestState::Queued.as_str().into(),
        author.user().map(|user| user.uuid()).into(),
        at.unix_ms().into(),
    ];
    execute(&tx.db, insert, values).await?;
    let file = "INSERT INTO ingest_file (job, scope, file) VALUES ($1, $2, $3)";
    execute(&tx.db, file, vec![id.uuid().into(), scope.clone().into(), new.file.into()]).await?;
    let oldest = "DELETE FROM ingest_job WHERE scope = $1 AND ended_at IS NOT NULL AND id NOT IN \
                  (SELECT id FROM ingest_job WHERE scope = $1 AND ended_at IS NOT NULL \
                   ORDER BY id DESC LIMIT $2)";
    execute(&tx.db, oldest, vec![scope.into(), to_db(INGEST_JOBS_KEPT_MAX)?.into()]).await?;
    job(&tx.db, id).await?.ok_or(DocumentRefused::NotFound)
}

async fn mark(
    tx: &WriteTransaction,
    id: IngestJobId,
    state: IngestState,
    progress: IngestProgress,
) -> Result<bool, StoreError> {
    let sql = "UPDATE ingest_job SET state = $2, passages = $3, chunks = $4, to_embed = $5, embedded = $6 \
               WHERE id = $1 AND ended_at IS NULL";
    let values: Vec<Value> = vec![
        id.uuid().into(),
        state.as_str().into(),
        to_db(progress.passages)?.into(),
        to_db(progress.chunks)?.into(),
        to_db(progress.to_embed)?.into(),
        to_db(progress.embedded)?.into(),
    ];
    Ok(execute(&tx.db, sql, values).await? > 0)
}

/// Of ingests that have ended or put it: what they were of is named like that document, whether it came of them or not.
pub(super) async fn forget<C: Writes>(db: &C, place: DocumentKey<'_>) -> Result<(), StoreError> {
    let sql = "DELETE FROM ingest_job WHERE scope = $1 AND origin = $2 AND file_name = $3 \
               AND (ended_at IS NOT NULL OR document IS NOT NULL)";
    execute(db, sql, place.values()).await.map(drop)
}
