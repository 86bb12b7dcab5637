//! What the audit says.

use crate::page::PageQuery;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use wiiiv_store::AuditRow;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct AuditQuery {
    /// Records of this kind, e.g. `decision`.
    pub kind: Option<String>,
    /// The execution, call, approval, plan or session that records speak of.
    pub about: Option<Uuid>,
    /// Rows, 1 to 100; 50 by default.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<u32>,
    /// `next_cursor` of the page before.
    pub cursor: Option<String>,
}

impl AuditQuery {
    pub(crate) fn page(&self) -> PageQuery {
        PageQuery { limit: self.limit, cursor: self.cursor.clone() }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AuditRecordView {
    /// From 1.
    pub seq: u64,
    pub at: String,
    pub kind: String,
    /// Of the record's line: 64 hexadecimal digits.
    pub hash: String,
    /// Ids, codes, counts, digests and keyed hashes; no text of people or models.
    #[schema(value_type = Object)]
    pub body: Value,
}

impl From<AuditRow> for AuditRecordView {
    fn from(row: AuditRow) -> Self {
        Self {
            seq: row.seq,
            at: row.at.to_string(),
            kind: row.kind,
            hash: hex::encode(row.hash),
            body: row.body,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AuditKey {
    pub key_id: String,
    /// `Ed25519`.
    pub algorithm: &'static str,
    /// 64 hexadecimal digits: what `wiiiv audit verify --key` takes.
    pub public_key: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AuditKeys {
    pub items: Vec<AuditKey>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum VerifiedState {
    /// Unchanged, and signed to its end.
    Verified,
    Broken,
    /// Unchanged; what stands behind the newest checkpoint is not signed yet.
    UnsignedTail,
}

/// Found by the verifier that `wiiiv audit verify` runs, with this server's own key: whoever does
/// not trust the server verifies an export with a key that was kept elsewhere.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct AuditVerified {
    pub state: VerifiedState,
    pub records: u64,
    /// Hash of the last record: 64 hexadecimal digits.
    pub head: String,
    pub signed_records: u64,
    /// Number of the record where the first fault lies, or behind which a checkpoint is wrong.
    pub first_bad: Option<u64>,
    /// The first fault, where there is one.
    pub message: Option<String>,
}
