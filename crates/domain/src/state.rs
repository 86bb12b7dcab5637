//! Names of the states of a session (governance.md 3).

use std::fmt;

/// A state of the conversation's machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StateName {
    /// No task is active.
    Listening,
    /// A model has been asked.
    Proposing,
    /// The user has been asked for what is missing.
    Interviewing,
    /// A work order waits for the user.
    ConfirmingWorkOrder,
    /// The review of a spec is in progress.
    Deliberating,
    /// A plan is being drawn.
    Drawing,
    /// A preview waits for its requester.
    Confirming,
    /// A preview waits for somebody else.
    AwaitingApproval,
    /// The gates are asked, and their claim is committed.
    Authorizing,
    /// A run is in progress.
    Running,
    /// A job that waits for earlier jobs of its message. Never the active task.
    Queued,
}

impl StateName {
    /// The states that a session can be in.
    pub const ALL: [Self; 10] = [
        Self::Listening,
        Self::Proposing,
        Self::Interviewing,
        Self::ConfirmingWorkOrder,
        Self::Deliberating,
        Self::Drawing,
        Self::Confirming,
        Self::AwaitingApproval,
        Self::Authorizing,
        Self::Running,
    ];

    /// The name as shown and stored, e.g. `LISTENING`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Listening => "LISTENING",
            Self::Proposing => "PROPOSING",
            Self::Interviewing => "INTERVIEWING",
            Self::ConfirmingWorkOrder => "CONFIRMING_WORK_ORDER",
            Self::Deliberating => "DELIBERATING",
            Self::Drawing => "DRAWING",
            Self::Confirming => "CONFIRMING",
            Self::AwaitingApproval => "AWAITING_APPROVAL",
            Self::Authorizing => "AUTHORIZING",
            Self::Running => "RUNNING",
            Self::Queued => "QUEUED",
        }
    }

    /// Whether a model, the review, the drawing, the gates or a run must answer first.
    #[must_use]
    pub const fn is_in_flight(self) -> bool {
        match self {
            Self::Proposing
            | Self::Deliberating
            | Self::Drawing
            | Self::Authorizing
            | Self::Running => true,
            Self::Listening
            | Self::Interviewing
            | Self::ConfirmingWorkOrder
            | Self::Confirming
            | Self::AwaitingApproval
            | Self::Queued => false,
        }
    }
}

impl fmt::Display for StateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
