//! The modes of a suite.

use serde::{Deserialize, Serialize};
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Recorded models.
    Replay,
    /// Hostile models, one after the other, with a benign request after every hostile turn.
    Adversary,
    /// The server is ended at every boundary, before and after its commit.
    Faults,
    /// Runs that are wrong on purpose.
    Twins,
    /// The scenarios of the built-in model in other words.
    Wording,
    /// A real model answers.
    Live,
    /// A real model answers, and its answers become a scenario's recorded model.
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

    /// Runs with hostile models mostly wait; all others keep the processor busy.
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
