//! What begins where a claim is committed.

use wiiiv_domain::{BlueprintDigest, BlueprintId, CallId, ExecutionId, StepId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    Execution { execution: ExecutionId, blueprint: BlueprintId, digest: BlueprintDigest },
    Resume { execution: ExecutionId },
    Step { execution: ExecutionId, step: StepId, attempt: u32, idempotent: bool },
    Call(CallId),
}
