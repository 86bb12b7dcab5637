//! How an ingest ends.

use super::job_row::IngestState;
use crate::{
    database::{clock::now, statement::execute},
    error::StoreError,
    writer::write_transaction::WriteTransaction,
};
use uuid::Uuid;
use wiiiv_domain::IngestJobId;

/// Once: whoever comes later changes nothing. `false`: it had ended.
pub(super) async fn end(
    tx: &WriteTransaction,
    id: IngestJobId,
    state: IngestState,
    (code, document): (Option<String>, Option<Uuid>),
) -> Result<bool, StoreError> {
    let sql = "UPDATE ingest_job SET state = $2, code = $3, document = COALESCE($4, document), ended_at = $5 \
               WHERE id = $1 AND ended_at IS NULL";
    let values = vec![
        id.uuid().into(),
        state.as_str().into(),
        code.into(),
        document.into(),
        now().unix_ms().into(),
    ];
    let ended = execute(&tx.db, sql, values).await? > 0;
    if ended {
        let file = "DELETE FROM ingest_file WHERE job = $1";
        execute(&tx.db, file, vec![id.uuid().into()]).await?;
    }
    Ok(ended)
}
