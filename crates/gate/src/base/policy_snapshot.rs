//! A version of a project's policy, compiled for rulings.

use crate::{base::policy::Policy, permit::seal::Seal};
use wiiiv_domain::{PolicyVersionId, ProjectId, ProjectPolicy};

/// INVARIANT: the keeper compiles it from a recorded version of its own log, so no caller can bring
/// a more lenient one.
#[derive(Debug)]
pub struct PolicySnapshot {
    seal: Seal,
    project: ProjectId,
    version: PolicyVersionId,
    number: u32,
    policy: Policy,
}

impl PolicySnapshot {
    pub(crate) fn new(
        seal: Seal,
        (project, version, number): (ProjectId, PolicyVersionId, u32),
        policy: Policy,
    ) -> Self {
        Self { seal, project, version, number, policy }
    }
    /// The project that the policy is for.
    #[must_use]
    pub const fn project(&self) -> ProjectId {
        self.project
    }
    /// Id of the version.
    #[must_use]
    pub const fn version(&self) -> PolicyVersionId {
        self.version
    }
    /// 1 for the project's first version.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }
    /// The compiled rules.
    #[must_use]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }
    /// The rules as they were saved.
    #[must_use]
    pub const fn project_policy(&self) -> &ProjectPolicy {
        self.policy.project_policy()
    }
    pub(crate) fn is_of(&self, seal: &Seal) -> bool {
        self.seal.same(seal)
    }
}
