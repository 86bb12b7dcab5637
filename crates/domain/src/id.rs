//! The one registry of typed ids. New ones are UUIDv7, drawn at the edge and handed in.

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
            #[must_use]
            pub const fn from_uuid(id: Uuid) -> Self {
                Self(id)
            }
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
    UserId = "user",
    ProjectId = "project",
    SessionId = "session",
    /// One user message and everything that it set in motion.
    TurnId = "turn",
    /// A task carries the id of the turn that began it.
    TaskId = "task",
    BlueprintId = "blueprint",
    ExecutionId = "execution",
    RulingId = "ruling",
    /// One model call: the key of its hold and of its settlement.
    CallId = "call",
    ApprovalId = "approval",
    PolicyVersionId = "policy version",
    TokenId = "token",
    GhostResultId = "ghost result",
}

impl From<TurnId> for TaskId {
    fn from(turn: TurnId) -> Self {
        Self(turn.uuid())
    }
}
