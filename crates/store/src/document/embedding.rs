//! Ingests whose document is there, and found by its words, while its texts are embedded. Their file is gone.

use super::{
    job_end::end,
    job_row::{IngestJobRow, IngestState},
};
use crate::{
    database::{clock::now, direct_reader::DirectReader, statement::execute},
    error::StoreError,
    store::Store,
    writer::{point::Point, write_transaction::WriteTransaction},
};
use std::collections::BTreeSet;
use uuid::Uuid;
use wiiiv_domain::{DocumentId, IngestJobId};

/// Of an ingest whose texts are not all embedded, for a reason that nobody knows.
const NOT_EMBEDDED: &str = "NOT_EMBEDDED";
/// Somebody broke it off.
pub const NOT_EMBEDDED_CANCELLED: &str = "NOT_EMBEDDED_CANCELLED";

/// What becomes of an ingest when its document is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterPut {
    /// It is ready; `Some`: why texts of it have no vector, though there is a model.
    Ready(Option<&'static str>),
    /// Its texts are embedded next.
    Embedding,
}

impl Store {
    /// Documents whose texts are embedded now. What they have of vectors that scopes share is shown by nothing before that is
    /// over: it was made for others, who hold the same text.
    pub async fn documents_embedded_now(&self) -> Result<BTreeSet<DocumentId>, StoreError> {
        self.beside(embedded_now).await
    }

    /// Ready, with why texts of it have no vector. `false`: it had ended before.
    pub async fn end_embedding(
        &self,
        id: IngestJobId,
        code: Option<&'static str>,
    ) -> Result<bool, StoreError> {
        let code = code.map(str::to_owned);
        self.write(Point::P, move |tx| {
            Box::pin(async move { end(tx, id, IngestState::Ready, (code, None)).await })
        })
        .await
    }
}

pub(super) fn embedded_now(db: &DirectReader) -> Result<BTreeSet<DocumentId>, StoreError> {
    let sql = "SELECT document FROM ingest_job WHERE ended_at IS NULL AND document IS NOT NULL";
    let rows = db.rows(sql, &[])?;
    rows.iter().map(|row| Ok(row.get::<Uuid>(0)?.into())).collect()
}

/// Those of a provider are of one project alone, which is behind a `#`.
pub(super) fn is_shared(embedder: &str) -> bool {
    !embedder.contains('#')
}

pub(super) async fn after_put(
    tx: &WriteTransaction,
    id: IngestJobId,
    (document, after): (DocumentId, AfterPut),
) -> Result<(), StoreError> {
    let document = document.uuid();
    settle_others(tx, id, document).await?;
    match after {
        AfterPut::Ready(code) => {
            let code = code.map(str::to_owned);
            end(tx, id, IngestState::Ready, (code, Some(document))).await.map(drop)
        }
        AfterPut::Embedding => {
            let sql = "UPDATE ingest_job SET state = $2, document = $3 \
                       WHERE id = $1 AND ended_at IS NULL";
            let state = IngestState::Embedding.as_str();
            execute(&tx.db, sql, vec![id.uuid().into(), state.into(), document.into()]).await?;
            let file = "DELETE FROM ingest_file WHERE job = $1";
            execute(&tx.db, file, vec![id.uuid().into()]).await.map(drop)
        }
    }
}

/// What they put is gone: whoever put it pays for no text of somebody else.
async fn settle_others(
    tx: &WriteTransaction,
    id: IngestJobId,
    document: Uuid,
) -> Result<(), StoreError> {
    let sql = "UPDATE ingest_job SET state = $3, ended_at = $4 \
               WHERE document = $2 AND id <> $1 AND ended_at IS NULL";
    let state = IngestState::Ready.as_str();
    let values = vec![id.uuid().into(), document.into(), state.into(), now().unix_ms().into()];
    execute(&tx.db, sql, values).await.map(drop)
}

/// How an ingest ends that fails or is cancelled: what it has put stays, so that it is ready then.
pub(super) fn broken_off(
    row: &IngestJobRow,
    code: Option<String>,
) -> (IngestState, Option<String>) {
    match (row.document, code) {
        (Some(_), Some(_)) => (IngestState::Ready, Some(NOT_EMBEDDED.to_owned())),
        (Some(_), None) => (IngestState::Ready, Some(NOT_EMBEDDED_CANCELLED.to_owned())),
        (None, Some(code)) => (IngestState::Failed, Some(code)),
        (None, None) => (IngestState::Cancelled, None),
    }
}
