//! Wire forms of health, version and limits of the server.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    /// `ok` or `ready`.
    pub status: &'static str,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Info {
    pub name: &'static str,
    pub version: &'static str,
    pub build: String,
    /// Of this interface.
    pub api: &'static str,
    /// An administrator exists.
    pub set_up: bool,
    /// Where this is the demo, which signs its one user in by `POST /auth/demo`.
    pub demo: Option<DemoView>,
    /// A model server that does not answer is left alone for a while; until it is back,
    /// conversation goes on by the built-in model.
    pub degraded: bool,
    /// An administrator halted the whole server: nothing new begins. `GET /halts` says who and why.
    pub halted: bool,
    pub documents: DocumentFactsView,
    pub started_at: String,
    pub now: String,
    pub store: StoreFigures,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DemoView {
    pub project: Uuid,
}

/// What searches in documents work with, and what a file may have.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DocumentFactsView {
    /// The model that searches compare by, such as `local:e5-small`; `null`: search is lexical only, by words alone.
    pub embedder: Option<String>,
    /// Of one file, in bytes.
    pub file_bytes_max: u64,
}

/// Since the start of the process.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StoreFigures {
    /// Committed write transactions.
    pub commits: u64,
    /// Boundaries in those transactions.
    pub boundaries: u64,
    /// `SELECT` statements, the guards of a commit included.
    pub reads: u64,
    /// Statements that change rows; `BEGIN`, `SAVEPOINT` and `COMMIT` are not counted.
    pub writes: u64,
}
