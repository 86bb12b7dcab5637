//! Overrides of a project's policy: one person proposes, another approves, and it ends by itself.

use super::policies::{Policies, PolicyChangeError};
use crate::{
    clock,
    overrides::{note, restored},
    runtime::Runtime,
};
use wiiiv_domain::{
    OverrideEnd, OverrideId, OverrideMark, OverrideProposal, OverrideScope, PolicyDocument,
    PolicyVersionId, ProjectId, ProjectPolicy, Timestamp,
};
use wiiiv_gate::{
    EvidenceError, Principal, Rights, Unrecorded, UserEvent, UserEventKind, policy, policy_override,
};
use wiiiv_store::{EndOverride, NewOverride, OverrideRefused, OverrideRow, StoreError};

#[derive(Debug, thiserror::Error)]
pub enum OverrideError {
    #[error("no such project or override")]
    NotFound,
    #[error("this needs another role: {0:?}")]
    NotAllowed(&'static [&'static str]),
    /// Its rules are none that could be put in force.
    #[error(transparent)]
    Policy(#[from] PolicyChangeError),
    #[error(transparent)]
    Refused(#[from] OverrideRefused),
}

impl From<StoreError> for OverrideError {
    fn from(error: StoreError) -> Self {
        Self::Refused(error.into())
    }
}

impl From<EvidenceError> for OverrideError {
    fn from(error: EvidenceError) -> Self {
        Self::Refused(error.into())
    }
}

const OWNERS: &[&str] = &["admin", "owner"];
const APPROVERS: &[&str] = &["owner", "approver"];

/// What is proposed.
#[derive(Debug)]
pub struct ProposedOverride {
    pub policy: ProjectPolicy,
    pub scope: OverrideScope,
    pub ttl_seconds: u32,
    pub reason: String,
}

#[derive(Clone, Copy)]
pub struct Overrides<'a> {
    pub(super) runtime: &'a Runtime,
}

impl<'a> Overrides<'a> {
    const fn policies(self) -> Policies<'a> {
        Policies { runtime: self.runtime }
    }

    /// Newest first.
    pub async fn list(self, project: ProjectId) -> Result<Vec<OverrideRow>, OverrideError> {
        // One whose time is over has ended for whoever looks.
        self.policies().in_force(project).await?;
        Ok(self.runtime.deps.store.overrides(project).await?)
    }

    /// Checked as an edit is. Nothing is in force by it.
    pub async fn propose(
        self,
        who: &Principal,
        project: ProjectId,
        expected: PolicyVersionId,
        new: ProposedOverride,
    ) -> Result<OverrideRow, OverrideError> {
        let current = self.policies().to_change(who, project, expected).await?;
        let current = current.body().document();
        let ProposedOverride { policy, scope, ttl_seconds, reason } = new;
        let proposal = |policy| OverrideProposal {
            version: OverrideProposal::VERSION,
            id: clock::fresh(),
            project,
            on: current.id,
            scope,
            ttl_seconds,
            reason,
            policy,
        };
        let proposal = proposal(self.policies().checked(who, current, policy).await?);
        policy_override::check_proposal(&proposal, current)?;
        let digest = policy_override::proposal_digest(&proposal)?;
        let kind = UserEventKind::ProposeOverride { digest };
        let said = done_by(who, project, kind, clock::now())?;
        let row = self.runtime.deps.store.propose_override(who, said, proposal).await?;
        note("proposed");
        Ok(row)
    }

    /// By another person than who proposed it: it is in force from here on, for its time.
    pub async fn approve(
        self,
        who: &Principal,
        project: ProjectId,
        id: OverrideId,
    ) -> Result<OverrideRow, OverrideError> {
        may(self.runtime, who, project, (APPROVERS, Rights::may_approve))?;
        let (store, at) = (&self.runtime.deps.store, clock::now());
        let found = store.proposed_override(project, id).await?;
        let (row, proposed) = found.ok_or(OverrideError::NotFound)?;
        if !row.waits(at) {
            return Err(OverrideRefused::Gone.into());
        }
        let (proposal, by) = (row.proposal, row.proposed_by);
        if by == who.user() {
            return Err(EvidenceError::SamePerson.into());
        }
        let current = self.policies().in_force(project).await?;
        let before = current.body().document();
        if before.id != proposal.on {
            return Err(OverrideRefused::Stale { current: before.id }.into());
        }
        // What the server allows may be another than when it was proposed.
        self.policies().check(&proposal.policy)?;
        let temporary = policy_override::temporary(&proposal, &before.policy, at);
        let document = PolicyDocument {
            id: clock::fresh(),
            project,
            number: before.number.saturating_add(1),
            author: Some(by),
            reason: proposal.reason.clone(),
            at,
            policy: proposal.policy.clone(),
            of_override: Some(OverrideMark::Temporary(temporary)),
        };
        let digest = policy_override::proposal_digest(&proposal)?;
        let said = done_by(who, project, UserEventKind::ApproveOverride { digest }, at)?;
        let new = NewOverride { proposed, proposal, current, document };
        store.approve_override(who, said, new).await?;
        tracing::warn!(%project, "an override of the policy began");
        note("began");
        self.found(project, id).await
    }

    /// Takes back one that waits, or ends one that runs: the policy before it is in force again.
    pub async fn end(
        self,
        who: &Principal,
        project: ProjectId,
        id: OverrideId,
        reason: String,
    ) -> Result<OverrideRow, OverrideError> {
        may(self.runtime, who, project, (OWNERS, Rights::may_edit_policy))?;
        let (store, at) = (&self.runtime.deps.store, clock::now());
        let row = self.found(project, id).await?;
        if row.waits(at) {
            store.withdraw_override(who, (project, id), reason).await?;
            note("withdrawn");
            return self.found(project, id).await;
        }
        let current = self.policies().in_force(project).await?;
        let document = current.body().document();
        let temporary = document.temporary().filter(|temporary| temporary.id == id);
        let temporary = temporary.ok_or(OverrideRefused::Gone)?;
        let (end, by) = (OverrideEnd::Ended, (who.user(), reason.clone()));
        let document = restored(document, temporary, (end, at), Some(by));
        let digest = policy::digest(&document).map_err(|_| EvidenceError::Undigestible)?;
        let said = done_by(who, project, UserEventKind::EndOverride { digest }, at)?;
        let ending = EndOverride { current, document };
        store.end_override_by(who, (said, reason), ending).await?;
        note(end.as_str());
        self.found(project, id).await
    }

    async fn found(self, project: ProjectId, id: OverrideId) -> Result<OverrideRow, OverrideError> {
        let row = self.runtime.deps.store.policy_override(project, id).await?;
        row.ok_or(OverrideError::NotFound)
    }
}

fn done_by(
    who: &Principal,
    project: ProjectId,
    kind: UserEventKind,
    at: Timestamp,
) -> Result<Unrecorded<UserEvent>, OverrideError> {
    UserEvent::of(who, project, None, kind, at).map_err(|_| OverrideError::NotFound)
}

fn may(
    runtime: &Runtime,
    who: &Principal,
    project: ProjectId,
    (roles, may): (&'static [&'static str], fn(Rights) -> bool),
) -> Result<(), OverrideError> {
    let ours = runtime.deps.keeper.knows(who) && who.project() == Some(project);
    match ours && who.rights().may_see() {
        false => Err(OverrideError::NotFound),
        true if may(who.rights()) => Ok(()),
        true => Err(OverrideError::NotAllowed(roles)),
    }
}
