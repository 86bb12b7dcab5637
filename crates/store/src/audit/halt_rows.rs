//! Checks the rows of halts against the records of who halted and resumed what.

use super::named_records::{NamedRecord, differs, lacking};
use crate::{
    database::{
        entity::{audit_record, halt as row},
        statement::{Reads, models, only, query_all},
    },
    error::StoreError,
    halt,
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _};
use wiiiv_domain::HaltScope;

pub(super) const HALTED_SESSION: &str = "session.halted";
pub(super) const HALTED_PROJECT: &str = "project.halted";
pub(super) const HALTED_SERVER: &str = "server.halted";
pub(super) const RESUMED_SESSION: &str = "session.resumed";
pub(super) const RESUMED_PROJECT: &str = "project.resumed";
pub(super) const RESUMED_SERVER: &str = "server.resumed";

/// Those in force, with their reasons.
pub(super) async fn examine_in_force<C: Reads>(db: &C) -> Result<(), StoreError> {
    for row in models(halt::in_force(), db).await? {
        examine(db, &row).await?;
    }
    Ok(())
}

/// All, and each record has its row.
pub(super) async fn examine_halts<C: Reads>(db: &C) -> Result<(), StoreError> {
    for row in models(row::Entity::find(), db).await? {
        examine(db, &row).await?;
    }
    for (kinds, column) in [
        ([HALTED_SESSION, HALTED_PROJECT, HALTED_SERVER], row::Column::AtSeq),
        ([RESUMED_SESSION, RESUMED_PROJECT, RESUMED_SERVER], row::Column::ResumedSeq),
    ] {
        let sql = "SELECT chain, seq FROM audit_record WHERE kind IN ($1, $2, $3)";
        for record in query_all(db, sql, kinds.map(Into::into).to_vec()).await? {
            let (chain, seq): (String, i64) = (record.get(0)?, record.get(1)?);
            let rows = models(row::Entity::find().filter(column.eq(seq)), db).await?;
            if !rows.iter().any(|row| halt::chain_of(halt::scope_of(row)).to_string() == chain) {
                return Err(lacking(&chain, seq));
            }
        }
    }
    Ok(())
}

async fn examine<C: Reads>(db: &C, row: &row::Model) -> Result<(), StoreError> {
    let begun = HaltRecord {
        done: "halted",
        seq: row.at_seq,
        by: row.halted_by,
        reason: &row.reason,
        at: row.halted_at,
    };
    begun.examine(db, row).await?;
    match (row.resumed_seq, row.resumed_by, &row.resumed_reason, row.resumed_at) {
        (None, None, None, None) => Ok(()),
        (Some(seq), Some(by), Some(reason), Some(at)) => {
            HaltRecord { done: "resumed", seq, by, reason, at }.examine(db, row).await
        }
        _ => Err(differs("halt", row.id, &[])),
    }
}

/// What a row says of one record.
struct HaltRecord<'a> {
    done: &'static str,
    seq: i64,
    by: uuid::Uuid,
    reason: &'a str,
    at: i64,
}

impl HaltRecord<'_> {
    async fn examine<C: Reads>(&self, db: &C, row: &row::Model) -> Result<(), StoreError> {
        let scope = halt::scope_of(row);
        let place = (halt::chain_of(scope).to_string(), self.seq);
        let record = only(audit_record::Entity::find_by_id(place), db).await?;
        let record = record.map(|record| NamedRecord::read(&record, db.seals())).transpose()?;
        let digest = halt::digest(&row.salt, self.reason)?;
        let same = record.as_ref().is_some_and(|record| {
            let session = match scope {
                HaltScope::Session { session, .. } => record.is("session", session),
                HaltScope::Project(_) | HaltScope::Server => !record.has("session"),
            };
            session
                && record.lacks_or_is("project", scope.project())
                && record.kind == format!("{}.{}", scope.as_str(), self.done)
                && record.is("halt", row.id)
                && record.is("by", self.by)
                && record.is("reason", digest)
                && record.at.unix_ms() == self.at
        });
        same.then_some(()).ok_or_else(|| differs("halt", row.id, record.as_slice()))
    }
}
