//! Compares facts with what was observed. The first violated expectation is the verdict.

mod compare;
mod fact_check;
mod file;
mod window;

#[cfg(test)]
mod tests;

pub use fact_check::{Strictness, judge};
pub use window::{Call, KeptMemory, ModelUse, Record, SettledState, Window};

pub(crate) use window::{text_of, texts_of};

use crate::scenario::Pending;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// An expectation that does not hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Violated {
    /// From 1; `None` for the whole run, or for an invariant.
    pub turn: Option<usize>,
    /// The fact's name, `model`, `press`, or an invariant's name.
    pub fact: String,
    pub expected: Value,
    pub seen: Value,
}

impl Violated {
    pub fn new(fact: &str, expected: impl Into<Value>, seen: impl Into<Value>) -> Self {
        Self { turn: None, fact: fact.to_owned(), expected: expected.into(), seen: seen.into() }
    }
    #[must_use]
    pub const fn in_turn(mut self, turn: usize) -> Self {
        self.turn = Some(turn);
        self
    }
}

impl fmt::Display for Violated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.turn {
            Some(turn) => write!(f, "turn {turn}, ")?,
            None => f.write_str("the run, ")?,
        }
        let Self { fact, expected, seen, .. } = self;
        write!(f, "`{fact}`: expected {expected}, seen {seen}")
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE", tag = "verdict")]
pub enum Verdict {
    Pass,
    Fail {
        first: Violated,
    },
    /// It could not be played.
    Error {
        why: String,
    },
    /// All facts hold; stages that a later release brings were not played.
    Partial {
        stages: Vec<String>,
    },
}

impl Verdict {
    /// FAIL with the first violation, else PASS.
    #[must_use]
    pub fn of(first: Option<Violated>) -> Self {
        first.map_or(Self::Pass, |first| Self::Fail { first })
    }
    /// The verdict on a run whose facts all hold.
    #[must_use]
    pub fn of_good_run(pending: &[Pending]) -> Self {
        if pending.is_empty() {
            return Self::Pass;
        }
        let name = |pending: &Pending| format!("{} ({})", pending.stage, pending.brings);
        Self::Partial { stages: pending.iter().map(name).collect() }
    }
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Fail { .. } => "FAIL",
            Self::Error { .. } => "ERROR",
            Self::Partial { .. } => "PARTIAL",
        }
    }
    /// Whether a suite with it succeeds.
    #[must_use]
    pub const fn is_good(&self) -> bool {
        matches!(self, Self::Pass | Self::Partial { .. })
    }
    /// Why it is not PASS.
    #[must_use]
    pub fn why(&self) -> Option<String> {
        match self {
            Self::Pass => None,
            Self::Fail { first } => Some(first.to_string()),
            Self::Error { why } => Some(why.clone()),
            Self::Partial { stages } => Some(stages.join("; ")),
        }
    }
}
