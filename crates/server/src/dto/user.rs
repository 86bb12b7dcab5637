//! Wire forms of accounts.

use super::auth::SecretField;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_store::{ClosedAccount, UserRow};

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateUser {
    pub name: String,
    #[schema(value_type = String, format = Password, min_length = 10)]
    pub password: SecretField,
    /// Of the server.
    #[serde(default)]
    pub admin: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreatedUserView {
    pub id: Uuid,
    pub name: String,
    pub admin: bool,
    pub personal_project: Uuid,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct UserView {
    pub id: Uuid,
    pub name: String,
    pub admin: bool,
    pub created_at: String,
    pub disabled_at: Option<String>,
}

impl From<UserRow> for UserView {
    fn from(row: UserRow) -> Self {
        Self {
            id: row.id.uuid(),
            name: row.name,
            admin: row.admin,
            created_at: row.created_at.to_string(),
            disabled_at: row.disabled_at.map(|at| at.to_string()),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ClosedUserView {
    pub id: Uuid,
    pub disabled_at: String,
    /// Log-ins and tokens that ended with it.
    pub tokens_ended: u64,
    /// Questions that it had asked, withdrawn with it.
    pub approvals_withdrawn: usize,
}

impl ClosedUserView {
    pub(crate) fn of(id: Uuid, closed: &ClosedAccount) -> Self {
        Self {
            id,
            disabled_at: closed.at.to_string(),
            tokens_ended: closed.tokens_ended,
            approvals_withdrawn: closed.withdrawn.len(),
        }
    }
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChangePassword {
    #[schema(value_type = String, format = Password)]
    pub old: SecretField,
    #[schema(value_type = String, format = Password, min_length = 10)]
    pub new: SecretField,
    /// The other log-ins and tokens stay; else they end.
    #[serde(default)]
    pub keep_others: bool,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResetPassword {
    #[schema(value_type = String, format = Password, min_length = 10)]
    pub password: SecretField,
}

/// How many log-ins and tokens ended.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EndedView {
    pub tokens_ended: u64,
}
