//! A result is kept, with its record, and under its signature once.

use super::{
    GhostRefused, GhostResult,
    counted::{CountedRow, details},
    outcome::GhostMode,
    signature::ResultSignature,
};
use crate::{
    audit::{Chain, EVIDENCE, SIGNED_BY},
    database::{
        entity::ghost_result,
        statement::{only, run},
    },
    error::StoreError,
    ledger_version,
    store::Store,
    writer::{boundary::AuditEntry, point::Point, write_transaction::WriteTransaction},
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, IntoActiveModel as _, QueryFilter as _};
use serde_json::json;
use wiiiv_domain::{Timestamp, UserId};

impl Store {
    /// As it is kept. What is not signed is kept as well, and counts for no model; a wrong signature is
    /// refused. What was signed before is answered as it was kept then: nobody makes it newer.
    pub async fn put_ghost_result(
        &self,
        by: UserId,
        result: GhostResult,
        signature: Option<ResultSignature>,
    ) -> Result<GhostResult, GhostRefused> {
        let report = result.check()?;
        if let Some(signature) = &signature {
            signature.check(&result)?;
        }
        let at = result.at;
        let row = result.into_row(by, report)?;
        self.write(Point::P, move |tx| Box::pin(async move { put(tx, row, signature, at).await }))
            .await
    }
}

async fn put(
    tx: &mut WriteTransaction,
    mut row: ghost_result::Model,
    signature: Option<ResultSignature>,
    at: Timestamp,
) -> Result<GhostResult, GhostRefused> {
    if let Some(signature) = signature {
        row.signed_by = Some(signature.key(tx).await?);
        row.signature = Some(signature.signature.to_vec());
        let column = ghost_result::Column::Signature;
        let same = ghost_result::Entity::find().filter(column.eq(signature.signature.to_vec()));
        if let Some(kept) = only(same, &tx.db).await? {
            return Ok(GhostResult::read(kept)?);
        }
    }
    let entry = entry(&row)?;
    let counts = row.signed_by.is_some() && row.mode == GhostMode::Live;
    run(&tx.db, &ghost_result::Entity::insert(row.clone().into_active_model())).await?;
    tx.record(Chain::Server, at, entry).await?;
    if counts {
        ledger_version::raise(&tx.db).await?;
    }
    Ok(GhostResult::read(row)?)
}

/// Names the row, with digests of all its columns. Records of earlier builds name it `result` and have no
/// digest of it.
fn entry(row: &ghost_result::Model) -> Result<AuditEntry, StoreError> {
    let mut body = json!({
        "by": row.recorded_by,
        "details": details(row)?,
        EVIDENCE: CountedRow::from(row).digest()?,
        "ghostResult": row.id,
        "invariants": row.invariants,
        "mode": row.mode,
        "model": row.model,
        "provider": row.provider,
        "scenario": row.scenario,
        "verdict": row.verdict,
    });
    if let (Some(key), Some(members)) = (row.signed_by, body.as_object_mut()) {
        members.insert(SIGNED_BY.to_owned(), json!(key));
    }
    Ok(AuditEntry::new("ghost.recorded", body))
}
