//! A commit at which the server is ended, and the result.

use crate::verdict::{Verdict, Violated};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fmt;

/// Boundaries at which the product can be made to abort (ARCHITECTURE.md, processes).
pub(super) const BOUNDARIES: [&str; 7] = ["T0", "E", "T1", "S1", "S2", "T2", "P"];
/// Commits of one boundary in one scenario; a scenario with more fails.
pub(super) const COMMITS_MAX: u32 = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    Before,
    After,
}

impl Side {
    pub const ALL: [Self; 2] = [Self::Before, Self::After];

    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) boundary: &'static str,
    pub(super) side: Side,
    /// From 1.
    pub(super) nth: u32,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.boundary, self.side.as_str(), self.nth)
    }
}

/// How the scenario continued after the restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// The server continued by itself: everything had been accepted.
    WentOn,
    /// The person repeated the request: it had not been accepted, or had had no result.
    SaidAgain,
    /// A step may or may not have happened, and a person has to decide.
    Waits,
    /// The execution is reported, but the model's next proposal is lost.
    EndedEarly,
}

impl Then {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WentOn => "went on",
            Self::SaidAgain => "said again",
            Self::Waits => "waits as indeterminate",
            Self::EndedEarly => "ended early",
        }
    }

    /// Whether the rest of the scenario is played.
    pub(super) const fn is_played_on(self) -> bool {
        matches!(self, Self::WentOn | Self::SaidAgain)
    }
}

/// One kill that was reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kill {
    /// `T1:after:2`.
    pub point: String,
    /// The turn of the kill, from 1.
    pub turn: usize,
    pub then: Then,
    #[serde(flatten)]
    pub verdict: Verdict,
}

impl Kill {
    /// Its verdict, with the point in the message.
    pub(super) fn verdict_with_point(&self) -> Verdict {
        match &self.verdict {
            Verdict::Fail { first } => {
                let seen = json!({ "kill": self.point, "then": self.then, "seen": first.seen });
                Verdict::Fail { first: Violated { seen, ..first.clone() } }
            }
            Verdict::Error { why } => Verdict::Error { why: format!("{}: {why}", self.point) },
            Verdict::Pass | Verdict::Partial { .. } => self.verdict.clone(),
        }
    }
}
