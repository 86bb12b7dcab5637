//! The registry of typed ids. New ids are UUIDv7, made in rings 2 to 6 and passed in.

use crate::digest::ContentDigest;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// A text that is not an id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a {kind} id: `{text}`; expected a UUID")]
pub struct IdError {
    kind: &'static str,
    text: String,
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $kind:literal),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// From a UUID drawn by the caller.
            #[must_use]
            pub const fn from_uuid(id: Uuid) -> Self {
                Self(id)
            }
            /// The UUID itself.
            #[must_use]
            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }
        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}:{}", $kind, self.0)
            }
        }
        impl FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                Uuid::parse_str(text)
                    .map(Self)
                    .map_err(|_| IdError { kind: $kind, text: text.chars().take(64).collect() })
            }
        }
    )+};
}

ids! {
    /// A person's account.
    UserId = "user",
    /// A project: its policy, workspace and members.
    ProjectId = "project",
    /// A conversation.
    SessionId = "session",
    /// One user message and everything that it set in motion.
    TurnId = "turn",
    /// A task carries the id of the turn that began it.
    TaskId = "task",
    /// One drawing of a plan; two drawings may have one digest.
    BlueprintId = "blueprint",
    /// One run of a plan.
    ExecutionId = "execution",
    /// One ruling of the gates.
    RulingId = "ruling",
    /// One model call: the key of its hold and of its settlement.
    CallId = "call",
    /// One question for approval.
    ApprovalId = "approval",
    /// One delegation of the right to approve.
    DelegationId = "delegation",
    /// One yes that was said beforehand.
    GrantId = "approval grant",
    /// One version of a project's policy.
    PolicyVersionId = "policy version",
    /// An override of a project's policy.
    OverrideId = "override",
    /// One ingest of a file.
    IngestJobId = "ingest",
    /// An access token.
    TokenId = "token",
    /// A stored result of a GHOST run.
    GhostResultId = "ghost result",
    /// A registered key of a GHOST runner.
    RunnerKeyId = "runner key",
    /// One document of retrieval.
    DocumentId = "document",
}

impl From<TurnId> for TaskId {
    fn from(turn: TurnId) -> Self {
        Self(turn.uuid())
    }
}

impl TaskId {
    /// Id of the `nth` job of a turn, from 1. It is derived by SHA-256, so that a replay gives the
    /// same id.
    #[must_use]
    pub fn of_job(turn: TurnId, nth: u8) -> Self {
        let digest = ContentDigest::of_bytes(&[turn.uuid().as_bytes().as_slice(), &[nth]].concat());
        let mut bytes = [0; 16];
        bytes.iter_mut().zip(digest.bytes()).for_each(|(to, from)| *to = *from);
        Self(uuid::Builder::from_custom_bytes(bytes).into_uuid())
    }
}
