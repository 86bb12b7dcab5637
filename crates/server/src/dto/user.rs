//! People.

use super::auth::SecretField;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_store::UserRow;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateUser {
    pub name: String,
    #[schema(value_type = String, min_length = 10)]
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
