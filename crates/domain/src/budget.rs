//! Amounts that are held before a call and settled after it, and the windows that they count in.

use crate::{
    clock::Timestamp,
    id::{ProjectId, TaskId, UserId},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Tokens and micro-units of the project's currency. An unpriced model has no money amount.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Amount {
    /// Input and output tokens together.
    pub tokens: u64,
    /// Micro-units of the currency; `None` for an unpriced model.
    pub micros: Option<u64>,
}

impl Amount {
    /// No tokens and no money.
    pub const ZERO: Self = Self { tokens: 0, micros: Some(0) };

    /// Whether nothing counts against a budget: no tokens, and no money or no price.
    #[must_use]
    pub const fn is_zero(&self) -> bool {
        self.tokens == 0 && matches!(self.micros, None | Some(0))
    }
    /// The sum, saturating; unpriced if either part is.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            micros: self.micros.zip(other.micros).map(|(a, b)| a.saturating_add(b)),
        }
    }
}

/// What a model call used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Usage {
    /// Tokens of the prompt.
    pub input_tokens: u64,
    /// Tokens of the answer.
    pub output_tokens: u64,
    /// True if the counts are ours, because the provider sent none.
    pub estimated: bool,
}

/// The span of time or work that one budget covers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "of")]
pub enum WindowKind {
    /// All rounds of one task.
    Run(TaskId),
    /// One UTC day, `YYYY-MM-DD`. A hold counts in the window in which it was taken.
    Day(String),
    /// One UTC month, `YYYY-MM`.
    Month(String),
}

/// One budget's window: whose it is, and what span it covers. Its text is the key of its row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BudgetWindow {
    /// The project whose budget this is.
    pub project: ProjectId,
    /// `None`: all persons of the project together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    /// The run, day or month.
    pub window: WindowKind,
}

impl BudgetWindow {
    /// The window of all rounds of one task.
    #[must_use]
    pub const fn run(project: ProjectId, task: TaskId) -> Self {
        Self { project, user: None, window: WindowKind::Run(task) }
    }
    /// The project's window of the UTC day of `now`.
    #[must_use]
    pub fn day(project: ProjectId, now: Timestamp) -> Self {
        Self { project, user: None, window: WindowKind::Day(now.utc_day()) }
    }
    /// The project's window of the UTC month of `now`.
    #[must_use]
    pub fn month(project: ProjectId, now: Timestamp) -> Self {
        Self { project, user: None, window: WindowKind::Month(now.utc_month()) }
    }
    /// The same window for one person.
    #[must_use]
    pub fn of_user(self, user: UserId) -> Self {
        Self { user: Some(user), ..self }
    }
    /// Every window that a cost of this moment counts in.
    #[must_use]
    pub fn all(project: ProjectId, user: UserId, task: TaskId, now: Timestamp) -> [Self; 5] {
        [
            Self::run(project, task),
            Self::day(project, now),
            Self::month(project, now),
            Self::day(project, now).of_user(user),
            Self::month(project, now).of_user(user),
        ]
    }
}

/// The text is not the key of a window; holds its first 128 characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not the key of a budget's window: `{0}`")]
pub struct BudgetWindowError(String);

/// The key of the window's row. Rows are locked in the order of their keys.
impl fmt::Display for BudgetWindow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.project)?;
        if let Some(user) = self.user {
            write!(f, "/user/{user}")?;
        }
        match &self.window {
            WindowKind::Run(task) => write!(f, "/run/{task}"),
            WindowKind::Day(day) => write!(f, "/day/{day}"),
            WindowKind::Month(month) => write!(f, "/month/{month}"),
        }
    }
}

impl FromStr for BudgetWindow {
    type Err = BudgetWindowError;
    fn from_str(key: &str) -> Result<Self, BudgetWindowError> {
        let refuse = || BudgetWindowError(key.chars().take(128).collect());
        let parts: Vec<&str> = key.split('/').collect();
        let (project, user, kind, of) = match parts.as_slice() {
            [project, kind, of] => (project, None, *kind, *of),
            [project, "user", user, kind, of] => (project, Some(user), *kind, *of),
            _ => return Err(refuse()),
        };
        let user = user.map(|user| user.parse().map_err(|_| refuse())).transpose()?;
        let window = match kind {
            "run" => WindowKind::Run(of.parse().map_err(|_| refuse())?),
            "day" => WindowKind::Day(of.to_owned()),
            "month" => WindowKind::Month(of.to_owned()),
            _ => return Err(refuse()),
        };
        Ok(Self { project: project.parse().map_err(|_| refuse())?, user, window })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn a_window_is_read_back_from_its_key_and_no_two_share_one() {
        let now = Timestamp::from_unix_ms(1_795_232_682_123);
        let [project, user, task] = [1, 2, 3].map(Uuid::from_u128);
        let all = BudgetWindow::all(project.into(), user.into(), task.into(), now);
        let keys: std::collections::BTreeSet<String> =
            all.iter().map(ToString::to_string).collect();
        assert_eq!(keys.len(), all.len());
        for window in all {
            assert_eq!(window.to_string().parse(), Ok(window));
        }
        let last = BudgetWindow::month(project.into(), now).of_user(user.into()).to_string();
        assert_eq!(last, format!("{project}/user/{user}/month/2026-11"));
        for odd in ["", "a/b", "a/day/2026-11-21", &format!("{project}/week/1")] {
            assert!(odd.parse::<BudgetWindow>().is_err(), "{odd}");
        }
    }
}
