//! Values of a plan: written out, or bound to an earlier output as data, never as syntax.

use crate::{id::ExecutionId, step_id::StepId};
use serde::{Deserialize, Serialize};

/// A parameter's value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Arg {
    Literal(String),
    Bound(Binding),
}

impl Arg {
    #[must_use]
    pub const fn binding(&self) -> Option<&Binding> {
        match self {
            Self::Literal(_) => None,
            Self::Bound(binding) => Some(binding),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Source {
    /// A step of the same plan; the node that binds it depends on it.
    Step { step: StepId },
    /// A step of an earlier run of the same session.
    Run { execution: ExecutionId, step: StepId },
}

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

/// `{from, select: jq, type, max_bytes}` of permits.md 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Binding {
    pub from: Source,
    /// jq syntax; `.` is the whole output.
    pub select: String,
    #[serde(rename = "type")]
    pub kind: ValueKind,
    pub max_bytes: u64,
}
