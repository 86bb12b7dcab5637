//! The state of one step of a run.

use wiiiv_domain::{Node, Retry, StepId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StepPosition {
    /// Not begun, or to be begun again after a restart.
    Waiting {
        attempt: u32,
    },
    /// Told to start; not on record.
    Starting {
        attempt: u32,
    },
    /// On record.
    Running {
        attempt: u32,
    },
    Done,
    Failed,
    Cancelled,
    /// A condition did not hold.
    Skipped,
    /// Waits for a person.
    InDoubt,
}

/// What the engine needs of a node, and how far it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Progress {
    pub(super) depends_on: Vec<StepId>,
    pub(super) retry: Retry,
    pub(super) idempotent: bool,
    pub(super) place: StepPosition,
    /// Attempts that ended in a failure; interrupted ones do not count.
    pub(super) failures: u32,
    /// Starts of the current attempt that could not be put on record.
    pub(super) losses: u32,
}

impl Progress {
    pub(super) fn of(node: &Node) -> Self {
        Self {
            depends_on: node.depends_on.clone(),
            retry: node.retry,
            idempotent: node.idempotent,
            place: StepPosition::Waiting { attempt: 1 },
            failures: 0,
            losses: 0,
        }
    }
    /// The attempt that is under way.
    pub(super) const fn in_flight(&self) -> Option<u32> {
        match self.place {
            StepPosition::Starting { attempt } | StepPosition::Running { attempt } => Some(attempt),
            StepPosition::Waiting { .. }
            | StepPosition::Done
            | StepPosition::Failed
            | StepPosition::Cancelled
            | StepPosition::Skipped
            | StepPosition::InDoubt => None,
        }
    }
}
