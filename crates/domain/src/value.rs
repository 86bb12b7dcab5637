//! Values of a plan: literals, or earlier outputs bound as data and never as syntax.

use crate::{id::ExecutionId, step_id::StepId};
use serde::{Deserialize, Serialize};

/// A parameter's value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Arg {
    /// Written out in the plan.
    Literal(String),
    /// Taken from an output when the step starts.
    Bound(Binding),
}

impl Arg {
    /// The binding; `None` for a literal.
    #[must_use]
    pub const fn binding(&self) -> Option<&Binding> {
        match self {
            Self::Literal(_) => None,
            Self::Bound(binding) => Some(binding),
        }
    }
}

/// The output that a value comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Source {
    /// A step of the same plan; the node that binds it depends on it.
    Step {
        /// The step.
        step: StepId,
    },
    /// A step of an earlier run of the same session.
    Run {
        /// The run.
        execution: ExecutionId,
        /// The step in that run.
        step: StepId,
    },
}

/// How the bound value becomes text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueKind {
    /// UTF-8 text, taken as it is.
    Text,
    /// JSON, serialised.
    Json,
    /// Rows as CSV (RFC 4180), a header row first.
    Csv,
    /// Rows as JSON, one a line.
    JsonLines,
}

/// A value taken from an earlier output (permits.md 1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Binding {
    /// The output that it is taken from.
    pub from: Source,
    /// jq syntax; `.` is the whole output.
    pub select: String,
    /// The form that the text takes.
    #[serde(rename = "type")]
    pub kind: ValueKind,
    /// Longest value, in bytes; a longer one fails the step.
    pub max_bytes: u64,
}
