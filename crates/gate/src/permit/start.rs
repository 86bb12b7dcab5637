//! What the commit of a claim starts.

use wiiiv_domain::{BlueprintDigest, BlueprintId, CallId, ExecutionId, StepId};

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
    },
    /// A run that began before.
    Resume {
        /// The run.
        execution: ExecutionId,
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
