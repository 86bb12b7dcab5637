//! Effects of steps, capabilities of executors, and levels of risk.

use serde::{Deserialize, Serialize};

/// Ordered: the effect of a task is the greatest effect of its steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Effect {
    /// Changes nothing.
    Read,
    /// Creates or changes something.
    Write,
    /// Removes something.
    Delete,
    /// Runs a program.
    Execute,
}

/// What an executor declares that it can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Capability {
    /// Reads files, pages or answers.
    Read,
    /// Creates or changes files.
    Write,
    /// Sends data to another host.
    Send,
    /// Removes files.
    Delete,
    /// Runs programs.
    Execute,
}

/// How much harm a step or a system can do; an administrator or an executor declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Risk {
    /// Mistakes are cheap to undo.
    Low,
    /// Mistakes cost work or money.
    Medium,
    /// Mistakes can be beyond repair.
    High,
}
