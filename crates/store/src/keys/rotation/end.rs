//! The end: one transaction that finds no row under another version.

use super::{
    record::{self, RotationRecord},
    table::Table,
};
use crate::{
    audit::Chain,
    database::{clock::now, number::to_db, statement::execute},
    error::StoreError,
    store::Store,
    writer::{boundary::AuditEntry, point::Point, write_transaction::WriteTransaction},
};
use serde_json::{Map, Value, json};
use wiiiv_domain::Timestamp;

impl Store {
    /// `false`: something is left, and nothing is written.
    pub(super) async fn end_rotation(&self) -> Result<bool, StoreError> {
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let Some(kept) = record::unfinished(&tx.db).await? else { return Ok(true) };
                let mut sealed = Map::new();
                for table in Table::ALL {
                    let count = table.count(&tx.db, kept.to).await?;
                    if count.left > 0 {
                        return Ok(false);
                    }
                    sealed.insert(table.as_str().to_owned(), json!(count.done));
                }
                certify(tx, &kept, sealed, now()).await?;
                Ok(true)
            })
        })
        .await
    }
}

/// The statement is an audit record, and a checkpoint is signed over it at once.
async fn certify(
    tx: &mut WriteTransaction,
    kept: &RotationRecord,
    sealed: Map<String, Value>,
    at: Timestamp,
) -> Result<(), StoreError> {
    let mut certificate = json!({
        "from": kept.from.version,
        "to": kept.to,
        "by": kept.started_by,
        "started_at": kept.started_at,
        "finished_at": at,
        "sealed": sealed,
        "left": 0,
    });
    let entry = AuditEntry::new("master_key.rotated", certificate.clone());
    let record = tx.record(Chain::Server, at, entry).await?;
    let checkpoint = tx.memory.batch.signed(&tx.db, Chain::Server, at).await?;
    let checkpoint: Value = serde_json::from_str(&checkpoint)?;
    if let Some(members) = certificate.as_object_mut() {
        members.insert("chain".to_owned(), json!(Chain::Server.to_string()));
        members.insert("record".to_owned(), json!(record.to_string()));
        members.insert("checkpoint".to_owned(), checkpoint);
    }
    let update = "UPDATE master_key_rotation SET finished_at = $2, certificate = $3 \
                  WHERE to_version = $1 AND finished_at IS NULL";
    let values =
        vec![to_db(kept.to.into())?.into(), at.unix_ms().into(), certificate.to_string().into()];
    execute(&tx.db, update, values).await.map(drop)
}
