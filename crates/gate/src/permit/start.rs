//! What the commit of a claim starts.

use wiiiv_domain::{BlueprintDigest, BlueprintId, CallId, ExecutionId, OverrideId, StepId};

/// What the commit of a claim begins or goes on with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// A new run of a plan.
    Execution {
        /// Its id.
        execution: ExecutionId,
        /// The plan.
        blueprint: BlueprintId,
        /// Digest of the plan.
        digest: BlueprintDigest,
        /// The override of one request that it needs, and that no other run has taken.
        takes: Option<OverrideId>,
    },
    /// A run that began before.
    Resume {
        /// The run.
        execution: ExecutionId,
        /// The override of one request that it took when it began.
        took: Option<OverrideId>,
    },
    /// An attempt of a step.
    Step {
        /// The run.
        execution: ExecutionId,
        /// The step.
        step: StepId,
        /// Number of the attempt, from 1.
        attempt: u32,
        /// Whether the step may have further attempts.
        idempotent: bool,
    },
    /// This model call.
    Call(CallId),
}

impl Start {
    /// The override of one request that a new run needs.
    #[must_use]
    pub const fn takes(&self) -> Option<OverrideId> {
        match self {
            Self::Execution { takes, .. } => *takes,
            Self::Resume { .. } | Self::Step { .. } | Self::Call(_) => None,
        }
    }
    /// Of a new run; nothing else takes an override.
    pub(crate) fn taking(mut self, by: Option<OverrideId>) -> Self {
        if let Self::Execution { takes, .. } = &mut self {
            *takes = by;
        }
        self
    }
}
