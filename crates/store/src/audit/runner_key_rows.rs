//! Checks the rows of runners' keys against the records of who registered and revoked them: what a key
//! signed counts by the audit.

use super::{
    Chain,
    named_records::{NamedRecord, differs, lacking},
};
use crate::{
    database::{
        entity::{audit_record, runner_key as row},
        statement::{Reads, models},
    },
    error::StoreError,
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _};
use std::collections::BTreeMap;

const ADDED: &str = "runner_key.added";
const REVOKED: &str = "runner_key.revoked";
const WHAT: &str = "runner's key";

/// All of them, each as its records tell, and none that a record tells of is gone or whole again.
pub(crate) async fn runner_keys_told<C: Reads>(db: &C) -> Result<Vec<row::Model>, StoreError> {
    use audit_record::Column;
    let records = audit_record::Entity::find()
        .filter(Column::Chain.eq(Chain::Server.to_string()))
        .filter(Column::Kind.is_in([ADDED, REVOKED]));
    let mut told = BTreeMap::new();
    for record in models(records, db).await? {
        told.insert(record.seq, NamedRecord::read(&record, db.seals())?);
    }
    let rows = models(row::Entity::find(), db).await?;
    for row in &rows {
        let added = told.remove(&row.at_seq);
        let as_told = added.as_ref().is_some_and(|record| {
            record.is("publicKey", hex::encode(&row.public_key))
                && is_of(record, (ADDED, row.added_by, row.added_at), row)
        });
        let revoked = match (row.revoked_seq, row.revoked_by, row.revoked_at) {
            (None, None, None) => true,
            (Some(seq), Some(by), Some(at)) => {
                told.remove(&seq).is_some_and(|record| is_of(&record, (REVOKED, by, at), row))
            }
            _ => false,
        };
        if !(as_told && revoked) {
            return Err(differs(WHAT, row.id, added.as_slice()));
        }
    }
    let gone = told.into_values().next();
    gone.map_or(Ok(rows), |record| Err(lacking(&Chain::Server.to_string(), record.seq)))
}

fn is_of(record: &NamedRecord, (kind, by, at): (&str, uuid::Uuid, i64), row: &row::Model) -> bool {
    record.kind == kind
        && record.at.unix_ms() == at
        && record.is("by", by)
        && record.is("name", &row.name)
        && record.is("runnerKey", row.id)
}
