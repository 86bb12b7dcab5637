//! Wire forms of projects and their members.

use super::{halt::HaltView, mirror::mirror, rollout::StageName};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_store::{MemberRow, ProjectRow, Role};

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateProject {
    pub name: String,
    /// `observe` by default. An administrator may begin one in `enforce`, which nothing has to be earned for:
    /// nobody works in it yet.
    #[serde(default)]
    pub stage: Option<StageName>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProjectView {
    pub id: Uuid,
    pub name: String,
    /// Whose own project it is.
    pub personal_of: Option<Uuid>,
    pub created_at: String,
    /// What of it or of the server is halted; left out in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub halts: Option<Vec<HaltView>>,
}

impl From<ProjectRow> for ProjectView {
    fn from(row: ProjectRow) -> Self {
        Self {
            id: row.id.uuid(),
            name: row.name,
            personal_of: row.personal_of.map(|user| user.uuid()),
            created_at: row.created_at.to_string(),
            halts: None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RoleName {
    Owner,
    Editor,
    Approver,
    Viewer,
}

mirror!(RoleName <=> Role: Owner, Editor, Approver, Viewer);

/// All roles of one person; none ends the membership.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PutMember {
    pub roles: BTreeSet<RoleName>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MemberView {
    pub user: Uuid,
    pub name: String,
    pub roles: Vec<RoleName>,
}

impl From<MemberRow> for MemberView {
    fn from(row: MemberRow) -> Self {
        let roles = row.roles.into_iter().map(RoleName::from).collect();
        Self { user: row.user.uuid(), name: row.name, roles }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MemberList {
    pub items: Vec<MemberView>,
}
