//! When a person must say yes.

use serde::{Deserialize, Serialize};

/// When a task of one type needs a person's yes before it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confirmation {
    /// Every plan needs a yes.
    Always,
    /// For anything but READ.
    UnlessRead,
    /// Only a risky plan needs a yes, or one whose target comes from outside.
    Risky,
    /// No yes is needed, unless the plan is risky or its target comes from outside.
    Never,
}
