//! Whose words something in a conversation is.

use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::{ReplyCode, UserId};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AuthorRole {
    /// The owner of the conversation.
    User,
    /// Somebody else who decided on a question of it.
    Approver,
    /// The product's answer, by a model or by code.
    Assistant,
    /// A notice about the product itself: a model that cannot be reached, a time that ran out.
    System,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Author {
    pub role: AuthorRole,
    /// Of a person.
    pub user: Option<Uuid>,
    pub name: Option<String>,
}

impl Author {
    pub(crate) const ASSISTANT: Self = Self { role: AuthorRole::Assistant, user: None, name: None };
    const SYSTEM: Self = Self { role: AuthorRole::System, user: None, name: None };

    /// `own`: it is the conversation's owner.
    pub(crate) fn person(own: bool, user: UserId, name: Option<String>) -> Self {
        let role = if own { AuthorRole::User } else { AuthorRole::Approver };
        Self { role, user: Some(user.uuid()), name }
    }

    pub(crate) const fn of_reply(reply: &ReplyCode) -> Self {
        match reply {
            ReplyCode::Expired { .. }
            | ReplyCode::Unavailable
            | ReplyCode::ModelFailed { .. }
            | ReplyCode::Degraded { .. }
            | ReplyCode::FellBack { .. } => Self::SYSTEM,
            ReplyCode::Model { .. }
            | ReplyCode::Told { .. }
            | ReplyCode::Facts { .. }
            | ReplyCode::Cancelled
            | ReplyCode::NothingToCancel
            | ReplyCode::Refused
            | ReplyCode::NothingToConfirm
            | ReplyCode::Stale { .. }
            | ReplyCode::NeedsRevision { .. }
            | ReplyCode::DacsNo { .. }
            | ReplyCode::Reopened { .. }
            | ReplyCode::NotDrawable { .. }
            | ReplyCode::Denied { .. }
            | ReplyCode::RunFailed { .. }
            | ReplyCode::RunCancelled { .. }
            | ReplyCode::RunIndeterminate { .. }
            | ReplyCode::RoundLimit
            | ReplyCode::TooManyTasks { .. }
            | ReplyCode::JobsTaken { .. }
            | ReplyCode::TooManyJobs { .. }
            | ReplyCode::JobsDeclined { .. }
            | ReplyCode::JobClosed { .. }
            | ReplyCode::JobsDropped { .. }
            | ReplyCode::JobsLeftOut { .. }
            | ReplyCode::StillWaits { .. }
            | ReplyCode::Waiting { .. }
            | ReplyCode::Busy
            | ReplyCode::CannotRemember
            | ReplyCode::Reset
            | ReplyCode::Resumed { .. }
            | ReplyCode::UnknownTask => Self::ASSISTANT,
        }
    }
}
