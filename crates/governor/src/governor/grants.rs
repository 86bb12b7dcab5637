//! Yeses that are said beforehand: offered from a plan that was approved, given, listed, revoked.

use super::Plans;
use crate::{
    clock,
    message::{SubmitError, is_audit_changed},
    runtime::Runtime,
};
use std::sync::Arc;
use wiiiv_domain::{
    ApprovalBy, ApprovalId, Blueprint, GrantId, GrantScope, GrantTerms, ProjectId, StepId,
    Timestamp, UserId,
};
use wiiiv_gate::{NotGrantable, Principal, UserEvent, UserEventKind, grant};
use wiiiv_store::{
    ApprovalRow, ApprovalState, GrantFilter, GrantRefused, GrantRow, NewGrant, Page, StoreError,
};

#[derive(Debug, Clone, thiserror::Error)]
pub enum GrantError {
    #[error("no such project, question or grant")]
    NotFound,
    #[error("only somebody whose approval counts for such a plan approves it beforehand")]
    NotAllowed,
    /// Four eyes: no role would help this person.
    #[error("this needs somebody who neither asked for such a plan nor changed a value of it")]
    NotAnother,
    /// It is made from a plan that somebody has looked at and approved.
    #[error("nobody has approved this question: answer it first")]
    NoYes,
    /// See [`NotOffered::Erased`].
    #[error("the text of the plan was erased: nobody can look at what would be approved")]
    Erased,
    #[error("nothing was done: the log-in was ended, or the right taken away")]
    RightGone,
    #[error("nothing was decided: the audit does not verify")]
    AuditChanged,
    #[error("nothing was decided: {0}")]
    Unavailable(String),
    #[error(transparent)]
    Refused(GrantRefused),
}

impl GrantError {
    /// Whoever wrote something of the plan is not told to ask for a role, where another person has to approve it.
    fn of(self, by: ApprovalBy, wrote: bool) -> Self {
        match self {
            Self::NotAllowed if wrote && by == ApprovalBy::AnotherPerson => Self::NotAnother,
            other => other,
        }
    }
}

impl From<StoreError> for GrantError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::AuthorityGone => Self::RightGone,
            other if is_audit_changed(&other) => Self::AuditChanged,
            other => Self::Unavailable(other.to_string()),
        }
    }
}

impl From<SubmitError> for GrantError {
    fn from(error: SubmitError) -> Self {
        match error {
            SubmitError::NotFound => Self::NotFound,
            SubmitError::AuditChanged => Self::AuditChanged,
            other => Self::Unavailable(other.to_string()),
        }
    }
}

impl From<GrantRefused> for GrantError {
    fn from(refused: GrantRefused) -> Self {
        match refused {
            GrantRefused::NotFound => Self::NotFound,
            GrantRefused::NotAllowed | GrantRefused::NotGrantable(NotGrantable::NotAllowed) => {
                Self::NotAllowed
            }
            GrantRefused::NoYes => Self::NoYes,
            GrantRefused::Store(error) => error.into(),
            other => Self::Refused(other),
        }
    }
}

/// What is to be granted.
#[derive(Debug, Clone)]
pub struct GrantRequest {
    /// The question whose plan was approved.
    pub approval: ApprovalId,
    /// Its step whose exact target the yes is to; `None`: exactly its steps.
    pub step: Option<StepId>,
    /// Whose plans it is for; `None`: whoever asked then.
    pub holder: Option<UserId>,
    pub uses: u32,
    /// Before this it covers nothing; `None`: from now on.
    pub not_before: Option<Timestamp>,
    /// From now on, whenever it begins.
    pub seconds: i64,
}

/// What of an approved plan can be granted, or why it cannot.
#[derive(Debug)]
pub struct GrantOffer {
    pub whole: Result<GrantScope, NotOffered>,
    /// Of each step; none where the reason is not about the plan's steps.
    pub steps: Vec<(StepId, Result<GrantScope, NotGrantable>)>,
}

impl GrantOffer {
    const fn none(why: NotOffered) -> Self {
        Self { whole: Err(why), steps: Vec::new() }
    }
}

/// Why an approved plan cannot be granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotOffered {
    /// The text of the plan was erased: nobody can look at what would be approved.
    Erased,
    NotGrantable(NotGrantable),
}

#[derive(Clone, Copy)]
pub struct Grants<'a> {
    pub(super) runtime: &'a Arc<Runtime>,
}

impl Grants<'_> {
    /// `None`: nobody has approved it, or this person could not approve such a plan.
    pub async fn offer(
        self,
        who: &Principal,
        row: &ApprovalRow,
    ) -> Result<Option<GrantOffer>, GrantError> {
        if !was_approved(row) || !row.request.may_be_given_by(who) {
            return Ok(None);
        }
        let Some(plan) = self.plan(row).await? else {
            return Ok(Some(GrantOffer::none(NotOffered::Erased)));
        };
        if self.asks_several(plan.project).await? {
            let several = NotOffered::NotGrantable(NotGrantable::Several);
            return Ok(Some(GrantOffer::none(several)));
        }
        let of = |step: &StepId| (step.clone(), grant::scope_of(&plan, Some(step)));
        let steps = plan.nodes.iter().map(|node| of(&node.id)).collect();
        let whole = grant::scope_of(&plan, None).map_err(NotOffered::NotGrantable);
        Ok(Some(GrantOffer { whole, steps }))
    }

    /// `None`: its text was erased.
    async fn plan(self, row: &ApprovalRow) -> Result<Option<Blueprint>, GrantError> {
        match (Plans { runtime: self.runtime }).plan(&row.request).await {
            Err(SubmitError::NotFound) => Ok(None),
            plan => Ok(Some(plan?)),
        }
    }

    async fn asks_several(self, project: ProjectId) -> Result<bool, GrantError> {
        let policy = self.runtime.policies.current(project).await;
        let policy = policy.map_err(|e| GrantError::Unavailable(e.to_string()))?;
        Ok(policy.project_policy().approval.rule(false).approvers > 1)
    }

    /// By somebody who may approve such plans of the holder.
    pub async fn give(
        self,
        who: &Principal,
        project: ProjectId,
        wanted: GrantRequest,
    ) -> Result<GrantRow, GrantError> {
        self.check_here(who, project)?;
        let (plan, row) = self.approved(who, (project, wanted.approval)).await?;
        let scope = grant::scope_of(&plan, wanted.step.as_ref()).map_err(GrantRefused::from)?;
        let policy = self.runtime.policies.current(project).await;
        let policy = policy.map_err(|e| GrantError::Unavailable(e.to_string()))?;
        let holder = wanted.holder.unwrap_or(row.request.requester);
        let wrote = holder == who.user() || row.request.editors.contains(&who.user());
        let by = policy.project_policy().approval.rule(false).by;
        let terms = GrantTerms {
            id: clock::fresh(),
            project,
            holder,
            scope,
            uses: wanted.uses,
            not_before: wanted.not_before,
            expires_at: clock::now().plus_seconds(wanted.seconds),
            made_from: wanted.approval,
            salt: clock::salt(),
        };
        let undigested = |e: wiiiv_domain::DigestError| GrantError::Unavailable(e.to_string());
        let digest = terms.digest().map_err(undigested)?;
        let (id, kind) = (terms.id, UserEventKind::Grant { grant: terms.id, digest });
        let said = UserEvent::of(who, project, None, kind, clock::now());
        let said = said.map_err(|_| GrantError::NotFound)?;
        let new = NewGrant { plan, step: wanted.step, terms, policy };
        let recorded = self.runtime.deps.store.record_grant(who, said, new).await;
        recorded.map_err(|refused| GrantError::from(refused).of(by, wrote))?;
        let filter = GrantFilter { id: Some(id), ..GrantFilter::default() };
        let row = self.runtime.deps.store.grants(project, filter).await?.pop();
        row.ok_or(GrantError::NotFound)
    }

    /// The plan of a question that somebody has approved and that this person could approve.
    async fn approved(
        self,
        who: &Principal,
        (project, approval): (ProjectId, ApprovalId),
    ) -> Result<(Blueprint, ApprovalRow), GrantError> {
        let store = &self.runtime.deps.store;
        let row = store.approval(approval).await?.filter(|row| row.request.project == project);
        let row = row.ok_or(GrantError::NotFound)?;
        let rights = who.rights();
        let sees = row.request.requester == who.user() || rights.owner || rights.approver;
        if !sees {
            return Err(GrantError::NotFound);
        }
        if !row.request.may_be_given_by(who) {
            let wrote =
                row.request.requester == who.user() || row.request.editors.contains(&who.user());
            return Err(GrantError::NotAllowed.of(row.request.by, wrote));
        }
        if !was_approved(&row) {
            return Err(GrantError::NoYes);
        }
        store.examine_question(approval).await?;
        let plan = self.plan(&row).await?.ok_or(GrantError::Erased)?;
        Ok((plan, row))
    }

    /// Newest first: all for whoever may approve, else those that one gave or holds.
    pub async fn list(
        self,
        who: &Principal,
        project: ProjectId,
        page: Page,
    ) -> Result<Vec<GrantRow>, GrantError> {
        self.check_here(who, project)?;
        let rights = who.rights();
        let of = (!rights.owner && !rights.approver).then(|| who.user());
        Ok(self.runtime.deps.store.grants(project, GrantFilter { id: None, of, page }).await?)
    }

    /// By its granter or the project's owner: to anybody else it is not there.
    pub async fn revoke(self, who: &Principal, of: (ProjectId, GrantId)) -> Result<(), GrantError> {
        self.check_here(who, of.0)?;
        Ok(self.runtime.deps.store.revoke_grant(who, of).await?)
    }

    fn check_here(self, who: &Principal, project: ProjectId) -> Result<(), GrantError> {
        let here = self.runtime.deps.keeper.knows(who) && who.project() == Some(project);
        (here && who.rights().may_see()).then_some(()).ok_or(GrantError::NotFound)
    }
}

fn was_approved(row: &ApprovalRow) -> bool {
    match row.state {
        ApprovalState::Approved | ApprovalState::Consumed => row.revoked.is_none(),
        ApprovalState::Pending
        | ApprovalState::Rejected
        | ApprovalState::Edited
        | ApprovalState::Expired
        | ApprovalState::Withdrawn => false,
    }
}
