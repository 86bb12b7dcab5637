//! What a model returns. Untrusted: it only ever asks.

use crate::{envelope::Envelope, id::TaskId, slots::Slots, task::TaskType};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Action {
    Reply,
    Ask,
    Confirm,
    Execute,
    Cancel,
}

impl Action {
    pub const ALL: [Self; 5] = [Self::Reply, Self::Ask, Self::Confirm, Self::Execute, Self::Cancel];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reply => "reply",
            Self::Ask => "ask",
            Self::Confirm => "confirm",
            Self::Execute => "execute",
            Self::Cancel => "cancel",
        }
    }
}

/// What the model thinks of the active task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "task")]
pub enum TaskSwitch {
    /// Go on with the active task.
    Stay,
    /// The message begins another one; the active one is suspended.
    New,
    /// Back to a suspended one.
    To(TaskId),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Proposal {
    pub action: Action,
    pub task_type: TaskType,
    #[serde(default)]
    pub message: String,
    #[serde(default)]
    pub slots: Slots,
    #[serde(default = "stay")]
    pub task_switch: TaskSwitch,
    /// May only widen what code derives from the slots.
    #[serde(default)]
    pub envelope: Envelope,
}

fn stay() -> TaskSwitch {
    TaskSwitch::Stay
}
