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
    /// A yes and nothing else. Names the last preview shown; `None` if none was.
    Affirm {
        /// The preview that the yes is for.
        digest: Option<BlueprintDigest>,
    },
    /// A no and nothing else.
    Deny {
        /// The last preview shown; `None` if none was.
        digest: Option<BlueprintDigest>,
    },
    /// Stops the active task.
    Cancel,
    /// Stops every task, suspended ones included.
    CancelAll,
    /// One of several jobs is not wanted; the others are.
    LeaveOut {
        /// The task that is not wanted.
        task: TaskId,
    },
    /// Changes what was asked for.
    Modify,
    /// Refers to an earlier result.
    FollowUp,
    /// Asks to keep something in memory.
    Remember,
    /// Asks about what was done.
    Recall {
        /// What is asked about.
        recall: Recall,
    },
    /// Goes on with another task.
    Switch {
        /// The task.
        task: TaskId,
    },
    /// Ends every task of the session.
    Reset,
}

impl SignalKind {
    /// The name in records and metrics, e.g. `affirm`.
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

/// What the user means, and the turn in which it was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UserSignal {
    /// A task that begins here carries this turn's id.
    pub turn: TurnId,
    /// What is meant.
    pub signal: SignalKind,
}
