//! Checks the yeses of several people against the audit.

use super::named_records::NamedRecord;
use crate::{
    approval::{quorum::JOINED, revocation::REVOKED},
    database::{
        entity::{approval, approval_yes},
        statement::{Reads, models},
    },
    error::StoreError,
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _};
use std::collections::BTreeMap;
use wiiiv_domain::ContentDigest;

/// Of a question that asks one person there is none.
pub(super) async fn joined_as_told<C: Reads>(
    db: &C,
    row: &approval::Model,
    records: &[NamedRecord],
) -> Result<bool, StoreError> {
    let Some(told) = said(records) else { return Ok(false) };
    if row.approvers == 1 {
        return Ok(told.is_empty());
    }
    let of = approval_yes::Entity::find().filter(approval_yes::Column::Approval.eq(row.id));
    let yeses = models(of, db).await?;
    let is_told = |yes: &approval_yes::Model| {
        told.values().any(|record| {
            record.seq == yes.at_seq
                && record.is("approver", yes.approver)
                && record.is("digest", hex::encode(&row.digest))
                && record.is("evidence", ContentDigest::of_bytes(&yes.evidence))
                && record.at.unix_ms() == yes.given_at
                && match yes.delegation {
                    Some(delegation) => {
                        record.is("delegation", delegation)
                            && record.is("onBehalfOf", yes.on_behalf_of)
                    }
                    None => yes.on_behalf_of.is_none() && !record.has("delegation"),
                }
        })
    };
    Ok(yeses.len() == told.len() && yeses.iter().all(is_told))
}

/// By person, as their last word on it has it: one that was taken back may be said again. `None`: one was taken
/// back that nobody had said, or said twice.
fn said(records: &[NamedRecord]) -> Option<BTreeMap<&str, &NamedRecord>> {
    let mut said = BTreeMap::new();
    for record in records {
        if record.kind == JOINED {
            if said.insert(record.text("approver")?, record).is_some() {
                return None;
            }
        } else if record.kind == REVOKED && !record.has("run") {
            // Named where somebody in whose right it was said took it back.
            said.remove(record.text("approver").or(record.text("by"))?)?;
        }
    }
    Some(said)
}
