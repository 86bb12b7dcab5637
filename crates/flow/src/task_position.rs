//! Where the active task is. A [`Rest`] can be left and returned to.

use crate::task::Task;
use wiiiv_domain::{
    BlueprintDigest, BlueprintId, ExecutionId, NotDrawn, SpecDigest, StateName, TurnId,
};

/// A previewed blueprint that waits for a person.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) spec: SpecDigest,
    pub(crate) blueprint: BlueprintId,
    pub(crate) digest: BlueprintDigest,
    /// Approved while the task was suspended: it goes on when it becomes active.
    pub(crate) approved: bool,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Rest {
    /// `concerns`: what the review asks to change; the model gets it with the next message.
    Interviewing {
        concerns: Vec<String>,
    },
    ConfirmingWorkOrder {
        spec: SpecDigest,
    },
    Confirming(Question),
    AwaitingApproval(Question),
    /// Values were changed in place of an answer, while the task could not be reviewed.
    Edited,
}

impl Rest {
    pub(crate) const fn interview() -> Self {
        Self::Interviewing { concerns: Vec::new() }
    }

    pub(crate) const fn name(&self) -> StateName {
        match self {
            Self::Interviewing { .. } => StateName::Interviewing,
            Self::ConfirmingWorkOrder { .. } => StateName::ConfirmingWorkOrder,
            Self::Confirming(_) => StateName::Confirming,
            Self::AwaitingApproval(_) => StateName::AwaitingApproval,
            // The next that is done with it.
            Self::Edited => StateName::Deliberating,
        }
    }

    pub(crate) const fn question(&self) -> Option<&Question> {
        match self {
            Self::Interviewing { .. } | Self::ConfirmingWorkOrder { .. } | Self::Edited => None,
            Self::Confirming(question) | Self::AwaitingApproval(question) => Some(question),
        }
    }

    pub(crate) const fn question_mut(&mut self) -> Option<&mut Question> {
        match self {
            Self::Interviewing { .. } | Self::ConfirmingWorkOrder { .. } | Self::Edited => None,
            Self::Confirming(question) | Self::AwaitingApproval(question) => Some(question),
        }
    }

    /// The spec that a person has been asked about.
    pub(crate) const fn spec(&self) -> Option<SpecDigest> {
        match self {
            Self::Interviewing { .. } | Self::Edited => None,
            Self::ConfirmingWorkOrder { spec } => Some(*spec),
            Self::Confirming(question) | Self::AwaitingApproval(question) => Some(question.spec),
        }
    }
}

/// A task that waits for a person, active or suspended.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ParkedTask {
    pub(crate) task: Task,
    pub(crate) rest: Rest,
}

impl ParkedTask {
    pub(crate) fn asks_about(&self, digest: BlueprintDigest) -> bool {
        self.rest.question().is_some_and(|question| question.digest == digest)
    }

    /// Approved or edited while it was suspended: it needs nobody, and goes on when it becomes active.
    pub(crate) fn needs_nobody(&self) -> bool {
        self.rest == Rest::Edited || self.rest.question().is_some_and(|question| question.approved)
    }
}

/// Why a model was called, and the state to return to.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Back {
    /// A message, with no task active.
    Listening,
    /// A message to a task at rest.
    ParkedTask(ParkedTask),
    /// A plan that could not be drawn.
    Redraw { task: Task, reasons: Vec<NotDrawn> },
    /// The facts of a run.
    Facts { task: Task, execution: ExecutionId },
}

/// What led to the gates; after an unavailable ruling the flow returns there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Approver {
    /// Policy asks for no yes.
    Nobody,
    Requester,
    AnotherPerson,
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum TaskPosition {
    Listening,
    Proposing { turn: TurnId, back: Back },
    Resting(ParkedTask),
    Deliberating { task: Task, spec: SpecDigest },
    Drawing { task: Task, spec: SpecDigest },
    Authorizing { task: Task, question: Question, approver: Approver },
    Running { task: Task, spec: SpecDigest, digest: BlueprintDigest, execution: ExecutionId },
}

impl TaskPosition {
    pub(crate) const fn interviewing(task: Task) -> Self {
        Self::Resting(ParkedTask { task, rest: Rest::interview() })
    }

    pub(crate) const fn name(&self) -> StateName {
        match self {
            Self::Listening => StateName::Listening,
            Self::Proposing { .. } => StateName::Proposing,
            Self::Resting(held) => held.rest.name(),
            Self::Deliberating { .. } => StateName::Deliberating,
            Self::Drawing { .. } => StateName::Drawing,
            Self::Authorizing { .. } => StateName::Authorizing,
            Self::Running { .. } => StateName::Running,
        }
    }

    /// The position itself, or the one it returns to after a model call.
    pub(crate) const fn rest_name(&self) -> StateName {
        match self {
            Self::Resting(held) | Self::Proposing { back: Back::ParkedTask(held), .. } => {
                held.rest.name()
            }
            Self::Proposing {
                back: Back::Listening | Back::Redraw { .. } | Back::Facts { .. },
                ..
            }
            | Self::Listening
            | Self::Deliberating { .. }
            | Self::Drawing { .. }
            | Self::Authorizing { .. }
            | Self::Running { .. } => self.name(),
        }
    }

    pub(crate) const fn task(&self) -> Option<&Task> {
        match self {
            Self::Listening | Self::Proposing { back: Back::Listening, .. } => None,
            Self::Resting(held) | Self::Proposing { back: Back::ParkedTask(held), .. } => {
                Some(&held.task)
            }
            Self::Proposing {
                back: Back::Redraw { task, .. } | Back::Facts { task, .. }, ..
            }
            | Self::Deliberating { task, .. }
            | Self::Drawing { task, .. }
            | Self::Authorizing { task, .. }
            | Self::Running { task, .. } => Some(task),
        }
    }

    /// The question that still waits for a person.
    pub(crate) const fn question(&self) -> Option<&Question> {
        match self {
            Self::Resting(held) | Self::Proposing { back: Back::ParkedTask(held), .. } => {
                held.rest.question()
            }
            Self::Proposing {
                back: Back::Listening | Back::Redraw { .. } | Back::Facts { .. },
                ..
            }
            | Self::Listening
            | Self::Deliberating { .. }
            | Self::Drawing { .. }
            | Self::Authorizing { .. }
            | Self::Running { .. } => None,
        }
    }

    /// The run in progress.
    pub(crate) const fn execution(&self) -> Option<ExecutionId> {
        match self {
            Self::Running { execution, .. } => Some(*execution),
            Self::Listening
            | Self::Proposing { .. }
            | Self::Resting(_)
            | Self::Deliberating { .. }
            | Self::Drawing { .. }
            | Self::Authorizing { .. } => None,
        }
    }
}
