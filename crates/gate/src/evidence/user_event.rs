//! What an authenticated person did.

use crate::{
    evidence::{EvidenceError, Principal, Rights, sealed::evidence},
    log::unrecorded::Unrecorded,
};
use serde::{Deserialize, Serialize};
use wiiiv_domain::{
    ApprovalId, BlueprintDigest, BlueprintId, ContentDigest, DelegationId, ExecutionId,
    GrantDigest, GrantId, PolicyDigest, ProjectId, SessionId, SpecDigest, StepId, Timestamp,
    TurnId, UserId,
};

/// A person's finding about an effect that was in doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// The effect happened.
    Happened,
    /// The effect did not happen.
    DidNotHappen,
    /// The person cannot say; the run ends as it is.
    Abandon,
}

/// What the person did, with the ids that it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "kind")]
pub enum UserEventKind {
    /// Wrote a message.
    Said {
        /// The turn that it began.
        turn: TurnId,
    },
    /// Said yes to a question.
    Approve {
        /// The question.
        approval: ApprovalId,
        /// The plan that was shown.
        blueprint: BlueprintId,
        /// Digest of that plan.
        digest: BlueprintDigest,
        /// The delegation whose right they used; `None` for their own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        delegation: Option<DelegationId>,
    },
    /// Said no to a question.
    Reject {
        /// The question.
        approval: ApprovalId,
        /// The plan that was shown.
        blueprint: BlueprintId,
        /// Digest of that plan.
        digest: BlueprintDigest,
        /// The delegation whose right they used; `None` for their own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        delegation: Option<DelegationId>,
    },
    /// Lent their right to approve.
    Delegate {
        /// Id of the delegation.
        delegation: DelegationId,
        /// To whom.
        to: UserId,
        /// When it begins.
        from: Timestamp,
        /// When it ends.
        until: Timestamp,
    },
    /// Changed values of the plan in place of an answer to a question.
    Edit {
        /// The question.
        approval: ApprovalId,
        /// The plan that was shown.
        blueprint: BlueprintId,
        /// Digest of that plan.
        digest: BlueprintDigest,
        /// The spec that takes the place of the one that was asked about.
        to: SpecDigest,
    },
    /// Said yes to plans that are not drawn yet.
    Grant {
        /// The grant.
        grant: GrantId,
        /// Digest of its terms.
        digest: GrantDigest,
    },
    /// The digest is that of the whole new version: see [`crate::policy::digest`].
    EditPolicy {
        /// SHA-256 of the document.
        digest: PolicyDigest,
    },
    /// Made every review binding. The digest is that of the whole new version.
    Promote {
        /// SHA-256 of the document.
        digest: PolicyDigest,
    },
    /// Ended that. The digest is that of the whole new version.
    Demote {
        /// SHA-256 of the document.
        digest: PolicyDigest,
    },
    /// Proposed an override of the policy, and so gave the first yes to it.
    ProposeOverride {
        /// Digest of the proposal: see [`crate::policy_override::proposal_digest`].
        digest: ContentDigest,
    },
    /// Gave the second yes to it.
    ApproveOverride {
        /// Digest of the proposal.
        digest: ContentDigest,
    },
    /// Ended an override before its time. The digest is that of the whole new version.
    EndOverride {
        /// SHA-256 of the document.
        digest: PolicyDigest,
    },
    /// Settled an effect that was in doubt.
    Resolve {
        /// The run.
        execution: ExecutionId,
        /// Its step.
        step: StepId,
        /// What the person found out.
        resolution: Resolution,
    },
    /// Stopped a run.
    CancelExecution {
        /// The run.
        execution: ExecutionId,
    },
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct UserEventDocument {
    version: u32,
    user: UserId,
    rights: Rights,
    project: ProjectId,
    session: Option<SessionId>,
    event: UserEventKind,
    at: Timestamp,
}

evidence! {
    /// What an authenticated person did, and when.
    UserEvent(UserEventDocument) = "user event", version 1
}

impl UserEvent {
    /// Fails if the rights belong to another project.
    pub fn of(
        who: &Principal,
        project: ProjectId,
        session: Option<SessionId>,
        event: UserEventKind,
        at: Timestamp,
    ) -> Result<Unrecorded<Self>, EvidenceError> {
        if who.project() != Some(project) {
            return Err(EvidenceError::OtherProject);
        }
        let (version, user, rights) = (Self::VERSION, who.user(), who.rights());
        let said = UserEventDocument { version, user, rights, project, session, event, at };
        Ok(Unrecorded::new(who.seal().clone(), Self(said)))
    }
    /// Who did it.
    #[must_use]
    pub const fn user(&self) -> UserId {
        self.0.user
    }
    /// Their rights in the project at the time.
    #[must_use]
    pub const fn rights(&self) -> Rights {
        self.0.rights
    }
    /// The project.
    #[must_use]
    pub const fn project(&self) -> ProjectId {
        self.0.project
    }
    /// The session, where it happened in one.
    #[must_use]
    pub const fn session(&self) -> Option<SessionId> {
        self.0.session
    }
    /// What was done.
    #[must_use]
    pub const fn kind(&self) -> &UserEventKind {
        &self.0.event
    }
    /// When it was done.
    #[must_use]
    pub const fn at(&self) -> Timestamp {
        self.0.at
    }
}
