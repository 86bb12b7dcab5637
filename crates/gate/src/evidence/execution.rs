//! The start of a run.

use crate::evidence::sealed::evidence;
use serde::{Deserialize, Serialize};
use wiiiv_domain::{BlueprintDigest, BlueprintId, ExecutionId};

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ExecutionDocument {
    version: u32,
    execution: ExecutionId,
    blueprint: BlueprintId,
    digest: BlueprintDigest,
}

evidence! {
    /// One run has begun.
    ExecutionStarted(ExecutionDocument) = "execution start", version 1
}

impl ExecutionStarted {
    /// Made only from a claim that allowed the run: see [`crate::Claim::started`].
    pub(crate) fn new(
        execution: ExecutionId,
        blueprint: BlueprintId,
        digest: BlueprintDigest,
    ) -> Self {
        Self(ExecutionDocument { version: Self::VERSION, execution, blueprint, digest })
    }
    /// The run.
    #[must_use]
    pub const fn execution(&self) -> ExecutionId {
        self.0.execution
    }
    /// The plan that it runs.
    #[must_use]
    pub const fn blueprint(&self) -> BlueprintId {
        self.0.blueprint
    }
    /// Digest of that plan.
    #[must_use]
    pub const fn digest(&self) -> BlueprintDigest {
        self.0.digest
    }
}
