//! A version of a project's policy, compiled for rulings.

use crate::{base::policy::Policy, permit::seal::Seal};
use wiiiv_domain::{
    OverrideId, OverrideScope, PolicyVersionId, ProjectId, ProjectPolicy, TaskType,
    TemporaryPolicy, Timestamp,
};

/// INVARIANT: the keeper compiles it from a recorded version of its own log, so no caller can bring
/// a more lenient one. Which of its rules a subject is judged by is decided in this crate.
#[derive(Debug)]
pub struct PolicySnapshot {
    seal: Seal,
    project: ProjectId,
    version: PolicyVersionId,
    number: u32,
    /// Where the version is an override: the rules before it.
    policy: Policy,
    temporary: Option<TemporaryRules>,
}

/// The rules of an override.
#[derive(Debug)]
struct TemporaryRules {
    id: OverrideId,
    scope: OverrideScope,
    until: Timestamp,
    policy: Policy,
    /// The one run that it is for has begun.
    is_taken: bool,
}

impl TemporaryRules {
    const fn is_for_one(&self) -> bool {
        matches!(self.scope, OverrideScope::Request)
    }
}

impl PolicySnapshot {
    pub(crate) fn new(
        seal: Seal,
        (project, version, number): (ProjectId, PolicyVersionId, u32),
        policy: Policy,
    ) -> Self {
        Self { seal, project, version, number, policy, temporary: None }
    }
    /// `self` has the rules before the override.
    pub(crate) fn overridden(self, by: &TemporaryPolicy, policy: Policy) -> Self {
        let &TemporaryPolicy { id, scope, until, .. } = by;
        let temporary = TemporaryRules { id, scope, until, policy, is_taken: false };
        Self { temporary: Some(temporary), ..self }
    }
    /// The one run that the override is for has begun: other plans are judged by the rules before it.
    #[must_use]
    pub fn taken(mut self) -> Self {
        if let Some(temporary) = &mut self.temporary {
            temporary.is_taken = true;
        }
        self
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
    /// The compiled rules for what is no plan: an override of one request or of one type does not
    /// touch them.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        self.rules(self.of_call())
    }
    /// The same as they were saved.
    #[must_use]
    pub fn project_policy(&self) -> &ProjectPolicy {
        self.policy().project_policy()
    }
    /// The compiled rules for plans of that type that have not begun.
    #[must_use]
    pub fn policy_for(&self, task: TaskType) -> &Policy {
        self.rules(self.of_plan(task))
    }
    /// Of the rules that a plan of that type may be judged by before it begins, those that ask for a
    /// verified model, if any do.
    #[must_use]
    pub fn verifying(&self, task: TaskType) -> &ProjectPolicy {
        let during = self.policy_for(task).project_policy();
        let before = self.policy.project_policy();
        let both = self.is_for_one() && before.require_verified_model.contains(&task);
        if both { before } else { during }
    }
    /// From here on nothing is allowed under this version; `None` of one that lasts.
    #[must_use]
    pub fn until(&self) -> Option<Timestamp> {
        self.temporary.as_ref().map(|temporary| temporary.until)
    }
    /// Whether its time is over.
    #[must_use]
    pub fn is_over(&self, now: Timestamp) -> bool {
        self.until().is_some_and(|until| until <= now)
    }

    /// `by`: the override that the subject is judged under.
    pub(crate) fn rules(&self, by: Option<OverrideId>) -> &Policy {
        match &self.temporary {
            Some(temporary) if by == Some(temporary.id) => &temporary.policy,
            Some(_) | None => &self.policy,
        }
    }
    pub(crate) fn of_call(&self) -> Option<OverrideId> {
        self.by(|temporary| match temporary.scope {
            OverrideScope::Window => true,
            OverrideScope::Request | OverrideScope::Type { .. } => false,
        })
    }
    pub(crate) fn of_plan(&self, task: TaskType) -> Option<OverrideId> {
        self.by(|temporary| match temporary.scope {
            OverrideScope::Window => true,
            OverrideScope::Type { task_type } => task_type == task,
            OverrideScope::Request => !temporary.is_taken,
        })
    }
    /// `took`: the override of one request that this run took when it began.
    pub(crate) fn of_run(&self, task: TaskType, took: Option<OverrideId>) -> Option<OverrideId> {
        self.by(|temporary| match temporary.scope {
            OverrideScope::Window => true,
            OverrideScope::Type { task_type } => task_type == task,
            OverrideScope::Request => took == Some(temporary.id),
        })
    }
    /// Whether a plan that the rules before it allow leaves the override to another.
    pub(crate) fn is_for_one(&self) -> bool {
        self.temporary.as_ref().is_some_and(TemporaryRules::is_for_one)
    }
    fn by(&self, covers: impl FnOnce(&TemporaryRules) -> bool) -> Option<OverrideId> {
        let temporary = self.temporary.as_ref()?;
        covers(temporary).then_some(temporary.id)
    }
    pub(crate) fn is_of(&self, seal: &Seal) -> bool {
        self.seal.same(seal)
    }
}
