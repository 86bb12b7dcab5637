//! What an authenticated person said or did.

use crate::{
    evidence::{EvidenceError, Principal, Rights, sealed::evidence},
    unrecorded::Unrecorded,
};
use serde::{Deserialize, Serialize};
use wiiiv_domain::{
    ApprovalId, BlueprintDigest, BlueprintId, ExecutionId, PolicyDigest, ProjectId, SessionId,
    StepId, Timestamp, TurnId, UserId,
};

/// What a person found out about an effect that was in doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    Happened,
    DidNotHappen,
    Abandon,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "kind")]
pub enum UserEventKind {
    Said {
        turn: TurnId,
    },
    Approve {
        approval: ApprovalId,
        blueprint: BlueprintId,
        digest: BlueprintDigest,
    },
    Reject {
        approval: ApprovalId,
        blueprint: BlueprintId,
        digest: BlueprintDigest,
    },
    /// The digest is that of the whole new version: see [`crate::policy::digest`].
    EditPolicy {
        digest: PolicyDigest,
    },
    Resolve {
        execution: ExecutionId,
        step: StepId,
        resolution: Resolution,
    },
    CancelExecution {
        execution: ExecutionId,
    },
    Halt {
        halted: bool,
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

evidence!(UserEvent(UserEventDocument) = "user event", version 1);

impl UserEvent {
    /// Refused where the rights were looked up for another project.
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
    #[must_use]
    pub const fn user(&self) -> UserId {
        self.0.user
    }
    #[must_use]
    pub const fn rights(&self) -> Rights {
        self.0.rights
    }
    #[must_use]
    pub const fn project(&self) -> ProjectId {
        self.0.project
    }
    #[must_use]
    pub const fn session(&self) -> Option<SessionId> {
        self.0.session
    }
    #[must_use]
    pub const fn kind(&self) -> &UserEventKind {
        &self.0.event
    }
    #[must_use]
    pub const fn at(&self) -> Timestamp {
        self.0.at
    }
}
