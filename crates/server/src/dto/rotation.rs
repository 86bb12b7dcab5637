//! Wire form of a master key rotation. It holds no key.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_store::{Rotation, RotationStatus, TableProgress};

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MasterKeyView {
    /// Of the master key that everything new is sealed under.
    pub version: u32,
    /// The newest; `null` where there was none yet.
    pub rotation: Option<RotationView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RotationView {
    pub from: u32,
    pub to: u32,
    pub started_by: Uuid,
    pub started_at: String,
    /// `null` while it goes on: both keys are needed until then.
    pub finished_at: Option<String>,
    pub tables: Vec<TableView>,
    /// Rows that do not open, by table and key. It does not end before each is set again or removed.
    pub unreadable: Vec<String>,
    /// That nothing is left under the key before: versions, rows by table, the number of its record
    /// in the chain of the server, and the checkpoint that is signed over that record.
    #[schema(value_type = Option<Object>)]
    pub certificate: Option<Value>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TableView {
    /// `secret`, `model_key`, `system` or `profile`.
    pub table: &'static str,
    /// Rows under the newest version.
    pub done: u64,
    /// Rows under any other.
    pub left: u64,
}

impl From<RotationStatus> for MasterKeyView {
    fn from(status: RotationStatus) -> Self {
        Self { version: status.version, rotation: status.rotation.map(RotationView::from) }
    }
}

impl From<Rotation> for RotationView {
    fn from(rotation: Rotation) -> Self {
        let view = |TableProgress { table, done, left }| TableView { table, done, left };
        Self {
            from: rotation.from,
            to: rotation.to,
            started_by: rotation.started_by.uuid(),
            started_at: rotation.started_at.to_string(),
            finished_at: rotation.finished_at.map(|at| at.to_string()),
            tables: rotation.tables.into_iter().map(view).collect(),
            unreadable: rotation.unreadable,
            certificate: rotation.certificate,
        }
    }
}
