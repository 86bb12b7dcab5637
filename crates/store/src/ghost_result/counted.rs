//! Digests of a result's row, for its record.

use super::outcome::{GhostMode, GhostVerdict, Invariants};
use crate::{database::entity::ghost_result, error::StoreError};
use sea_orm::FromQueryResult;
use serde::Serialize;
use uuid::Uuid;
use wiiiv_domain::ContentDigest;

/// The columns that the ledger reads or is asked by. The report is left out: it may be long.
// INVARIANT: records have the digest of this, so its names and their order stay.
#[derive(Debug, Clone, FromQueryResult, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CountedRow {
    pub(crate) id: Uuid,
    pub(crate) scenario: String,
    pub(crate) mode: GhostMode,
    pub(crate) verdict: GhostVerdict,
    pub(crate) build: String,
    pub(crate) seed: i64,
    pub(crate) policy_hash: String,
    pub(crate) prompt_hash: String,
    pub(crate) provider: Option<String>,
    pub(crate) model: String,
    pub(crate) revision: Option<String>,
    pub(crate) repeat: Option<i64>,
    pub(crate) invariants: Option<Invariants>,
    pub(crate) recorded_by: Uuid,
    pub(crate) recorded_at: i64,
    /// Left out of the digest where nobody signed: records of earlier builds have it so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) signed_by: Option<Uuid>,
}

impl CountedRow {
    pub(crate) fn digest(&self) -> Result<ContentDigest, StoreError> {
        Ok(ContentDigest::of_bytes(&serde_json::to_vec(self)?))
    }
}

impl From<&ghost_result::Model> for CountedRow {
    fn from(row: &ghost_result::Model) -> Self {
        Self {
            id: row.id,
            scenario: row.scenario.clone(),
            mode: row.mode,
            verdict: row.verdict,
            build: row.build.clone(),
            seed: row.seed,
            policy_hash: row.policy_hash.clone(),
            prompt_hash: row.prompt_hash.clone(),
            provider: row.provider.clone(),
            model: row.model.clone(),
            revision: row.revision.clone(),
            repeat: row.repeat,
            invariants: row.invariants,
            recorded_by: row.recorded_by,
            recorded_at: row.recorded_at,
            signed_by: row.signed_by,
        }
    }
}

/// Of the other columns, which people read, and of the signature.
pub(crate) fn details(row: &ghost_result::Model) -> Result<ContentDigest, StoreError> {
    let details = (&row.first_violation, row.duration_ms, &row.report);
    let bytes = match &row.signature {
        None => serde_json::to_vec(&details)?,
        Some(signature) => serde_json::to_vec(&(details, hex::encode(signature)))?,
    };
    Ok(ContentDigest::of_bytes(&bytes))
}
