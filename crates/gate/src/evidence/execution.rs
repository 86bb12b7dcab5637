//! The start of a run.

use crate::evidence::sealed::evidence;
use serde::{Deserialize, Serialize};
use wiiiv_domain::{BlueprintDigest, BlueprintId, ExecutionId, OverrideId};

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ExecutionDocument {
    version: u32,
    execution: ExecutionId,
    blueprint: BlueprintId,
    digest: BlueprintDigest,
    /// The override of one request that it took.
    // A start from before this field keeps its bytes and its digest.
    #[serde(rename = "override", default, skip_serializing_if = "Option::is_none")]
    took: Option<OverrideId>,
}

evidence! {
    /// One run has begun.
    ExecutionStarted(ExecutionDocument) = "execution start", version 1
}

impl ExecutionStarted {
    /// Made only from a claim that allowed the run: see [`crate::Claim::started`].
    pub(crate) fn new(
        execution: ExecutionId,
        (blueprint, digest): (BlueprintId, BlueprintDigest),
        took: Option<OverrideId>,
    ) -> Self {
        Self(ExecutionDocument { version: Self::VERSION, execution, blueprint, digest, took })
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
    /// The override of one request that it took when it began.
    #[must_use]
    pub const fn took(&self) -> Option<OverrideId> {
        self.0.took
    }
}
