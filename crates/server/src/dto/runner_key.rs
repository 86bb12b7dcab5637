//! Wire forms of runners' keys.

use crate::problem::Problem;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_store::RunnerKeyRow;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AddRunnerKey {
    /// 1 to 64 ASCII letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// Ed25519, 64 hexadecimal digits, as `wiiiv ghost key new` prints it.
    pub public_key: String,
}

/// The public half of a key; the private one is the runner's alone.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunnerKeyView {
    pub id: Uuid,
    pub name: String,
    /// 64 hexadecimal digits.
    pub public_key: String,
    pub added_by: Uuid,
    pub added_at: String,
    /// `null`: what it signs counts.
    pub revoked_by: Option<Uuid>,
    pub revoked_at: Option<String>,
}

impl From<RunnerKeyRow> for RunnerKeyView {
    fn from(row: RunnerKeyRow) -> Self {
        Self {
            id: row.id.uuid(),
            name: row.name,
            public_key: hex::encode(row.public_key),
            added_by: row.added_by.uuid(),
            added_at: row.added_at.to_string(),
            revoked_by: row.revoked.map(|(by, _)| by.uuid()),
            revoked_at: row.revoked.map(|(_, at)| at.to_string()),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunnerKeyList {
    /// The newest first.
    pub items: Vec<RunnerKeyView>,
}

/// Bytes of exactly that length, in hexadecimal digits.
pub(crate) fn key_bytes<const N: usize>(field: &str, text: &str) -> Result<[u8; N], Problem> {
    let mut bytes = [0; N];
    let read = hex::decode_to_slice(text, &mut bytes);
    let wrong = |_| Problem::field(field, format!("expected {} hexadecimal digits", 2 * N));
    read.map_err(wrong)?;
    Ok(bytes)
}
