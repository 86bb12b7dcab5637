//! Who may see a row. A row without a scope is refused; it never becomes global.

use crate::id::{ProjectId, UserId};
use serde::{Deserialize, Serialize};

/// The readers of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "id")]
pub enum Scope {
    /// Everybody on the server.
    Global,
    /// One person.
    User(UserId),
    /// The members of one project.
    Project(ProjectId),
}
