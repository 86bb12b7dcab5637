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
        let is_of_system = matches!(
            reply,
            ReplyCode::Expired { .. }
                | ReplyCode::Unavailable
                | ReplyCode::ModelFailed { .. }
                | ReplyCode::Degraded { .. }
                | ReplyCode::FellBack { .. }
        );
        if is_of_system { Self::SYSTEM } else { Self::ASSISTANT }
    }
}
