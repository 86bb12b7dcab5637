//! Amounts that are held before and settled after, and the windows that they count in.

use crate::{
    clock::Timestamp,
    id::{ProjectId, TaskId},
};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Tokens and micro-units of the project's currency. An unpriced model has no money amount.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Amount {
    pub tokens: u64,
    pub micros: Option<u64>,
}

impl Amount {
    pub const ZERO: Self = Self { tokens: 0, micros: Some(0) };

    #[must_use]
    pub const fn is_zero(&self) -> bool {
        self.tokens == 0 && matches!(self.micros, None | Some(0))
    }
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            micros: match (self.micros, other.micros) {
                (Some(a), Some(b)) => Some(a.saturating_add(b)),
                (None, _) | (_, None) => None,
            },
        }
    }
}

/// What a model call really used. `estimated` where the provider did not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub estimated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "of")]
pub enum WindowKind {
    /// All rounds of one task.
    Run(TaskId),
    /// One UTC day, `YYYY-MM-DD`. A hold counts in the window in which it was taken.
    Day(String),
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BudgetWindow {
    pub project: ProjectId,
    pub window: WindowKind,
}

impl BudgetWindow {
    #[must_use]
    pub const fn run(project: ProjectId, task: TaskId) -> Self {
        Self { project, window: WindowKind::Run(task) }
    }
    #[must_use]
    pub fn day(project: ProjectId, now: Timestamp) -> Self {
        Self { project, window: WindowKind::Day(now.utc_day()) }
    }
}

/// The key of the window's row, and the order in which rows are taken.
impl fmt::Display for BudgetWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.window {
            WindowKind::Run(task) => write!(f, "{}/run/{task}", self.project),
            WindowKind::Day(day) => write!(f, "{}/day/{day}", self.project),
        }
    }
}
