//! What a person means by a message or a button.

use crate::{
    digest::BlueprintDigest,
    id::{TaskId, TurnId},
    recall::Recall,
};
use serde::{Deserialize, Serialize};

/// Read from the user's own utterance by `language`, or from an explicit button.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum SignalKind {
    /// None of the others: it goes to the model.
    Say,
    /// A yes and nothing else. Names the last preview shown; `None` where none was.
    Affirm {
        digest: Option<BlueprintDigest>,
    },
    Deny {
        digest: Option<BlueprintDigest>,
    },
    Cancel,
    /// Stops all of it, also what was put aside.
    CancelAll,
    /// One of several jobs is not wanted; the others are.
    LeaveOut {
        task: TaskId,
    },
    /// Changes what was asked for.
    Modify,
    /// Refers to an earlier result.
    FollowUp,
    Remember,
    /// Asks about what was done.
    Recall {
        recall: Recall,
    },
    Switch {
        task: TaskId,
    },
    Reset,
}

impl SignalKind {
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Say => "say",
            Self::Affirm { .. } => "affirm",
            Self::Deny { .. } => "deny",
            Self::Cancel => "cancel",
            Self::CancelAll => "cancel_all",
            Self::LeaveOut { .. } => "leave_out",
            Self::Modify => "modify",
            Self::FollowUp => "follow_up",
            Self::Remember => "remember",
            Self::Recall { recall } => recall.as_str(),
            Self::Switch { .. } => "switch",
            Self::Reset => "reset",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UserSignal {
    /// A task that begins here carries this turn's id.
    pub turn: TurnId,
    pub signal: SignalKind,
}
