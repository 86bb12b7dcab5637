//! Changes by others between two turns, and interrupts during a turn.

use super::project::ServiceName;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Changes by others before this turn.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Meanwhile {
    /// The owner changes the policy: a merge patch on the current one.
    #[serde(default)]
    pub policy: Map<String, Value>,
    /// Files of the workspace, written past the server: a text as it is, anything else as JSON.
    #[serde(default)]
    pub files: BTreeMap<String, Value>,
    /// The owner halts the project, or resumes it.
    pub halted: Option<bool>,
    /// The approver clears the hold that the session's risk put on it.
    #[serde(default)]
    pub cleared: bool,
    /// The owner proposes an override of the policy, unless one waits, and the approver approves it.
    pub overridden: Option<Overridden>,
    /// The owner ends the override that runs.
    #[serde(default)]
    pub override_ended: bool,
    /// The approver approves beforehand what was approved last.
    pub granted: Option<Granted>,
    /// The approver revokes the newest of that.
    #[serde(default)]
    pub revoked: bool,
    /// The approver lends the right to approve to the one who stands in, or takes it back.
    pub delegated: Option<bool>,
}

/// An override of the policy, for an hour.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Overridden {
    /// A merge patch on the current policy.
    pub policy: Map<String, Value>,
    #[serde(default)]
    pub scope: OverrideScope,
    /// Nobody approves it.
    #[serde(default)]
    pub alone: bool,
}

/// What it holds for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OverrideScope {
    #[default]
    Window,
    Request,
}

/// What is approved beforehand of the plan that was approved last.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Granted {
    /// Its step whose exact target it is; left out: exactly the plan's steps.
    pub step: Option<String>,
    /// How often it counts.
    pub uses: u32,
}

impl Meanwhile {
    /// Somebody other than the person has to be there.
    pub(super) const fn needs_approver(&self) -> bool {
        self.cleared
            || self.overridden.is_some()
            || self.granted.is_some()
            || self.revoked
            || self.delegated.is_some()
    }
}

/// A button that the person presses while the turn runs. The turn's events are those of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Interrupt {
    pub at: Busy,
    pub press: Stop,
}

/// What the turn waits for at that moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Busy {
    /// The model, which has a request and does not answer.
    Model,
    /// A call that has reached this service: give it a `delay_ms`.
    Skymall,
    /// The same at the other one.
    Skystock,
}

impl Busy {
    #[must_use]
    pub const fn service(self) -> Option<ServiceName> {
        match self {
            Self::Model => None,
            Self::Skymall => Some(ServiceName::Skymall),
            Self::Skystock => Some(ServiceName::Skystock),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    Cancel,
    Reset,
    /// The owner halts the project.
    Halt,
}
