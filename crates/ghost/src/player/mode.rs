//! How a suite is played.

use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Recorded models.
    Replay,
    /// Hostile models, each in turn, with a benign request behind every hostile turn.
    Adversary,
    /// The server ends at every boundary, before and after its commit.
    Faults,
    /// Runs that are wrong on purpose.
    Twins,
    /// The person of the built-in model's scenarios says it in other words.
    Wording,
    /// A real model answers.
    Live,
    /// A real model answers, and what it says is kept as a scenario's recorded model.
    Record,
}

impl Mode {
    pub const ALL: [Self; 7] = [
        Self::Replay,
        Self::Adversary,
        Self::Faults,
        Self::Twins,
        Self::Wording,
        Self::Live,
        Self::Record,
    ];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Replay => "replay",
            Self::Adversary => "adversary",
            Self::Faults => "faults",
            Self::Twins => "twins",
            Self::Wording => "wording",
            Self::Live => "live",
            Self::Record => "record",
        }
    }

    /// Hostile models are mostly waited for; everywhere else the processor is at work.
    #[must_use]
    pub const fn servers_a_processor(self) -> usize {
        match self {
            Self::Adversary => 8,
            Self::Replay
            | Self::Faults
            | Self::Twins
            | Self::Wording
            | Self::Live
            | Self::Record => 1,
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
