//! Who may see a row. Required everywhere: a row without a scope is refused, never global.

use crate::id::{ProjectId, UserId};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "id")]
pub enum Scope {
    Global,
    User(UserId),
    Project(ProjectId),
}
