//! Somebody who has been authenticated.

use serde::{Deserialize, Serialize};
use wiiiv_domain::{ProjectId, UserId};

/// What one person may do in the project at hand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rights {
    /// Of the server.
    pub admin: bool,
    pub owner: bool,
    pub editor: bool,
    pub approver: bool,
    pub viewer: bool,
}

impl Rights {
    #[must_use]
    pub const fn may_see(self) -> bool {
        self.admin || self.owner || self.editor || self.approver || self.viewer
    }
    /// Set things in motion, and say yes to one's own where policy lets the requester.
    #[must_use]
    pub const fn may_request(self) -> bool {
        self.admin || self.owner || self.editor
    }
    /// Say yes to somebody else's.
    #[must_use]
    pub const fn may_approve(self) -> bool {
        self.admin || self.owner || self.approver
    }
    #[must_use]
    pub const fn may_edit_policy(self) -> bool {
        self.admin || self.owner
    }
}

/// INVARIANT: made by [`crate::Registrar::principal`] alone, which only the store's
/// authentication holds. Its rights are those of one project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    user: UserId,
    label: String,
    project: Option<ProjectId>,
    rights: Rights,
}

impl Principal {
    pub(crate) fn new(
        user: UserId,
        label: String,
        project: Option<ProjectId>,
        rights: Rights,
    ) -> Self {
        Self { user, label, project, rights }
    }
    #[must_use]
    pub const fn user(&self) -> UserId {
        self.user
    }
    /// The name to show.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }
    #[must_use]
    pub const fn project(&self) -> Option<ProjectId> {
        self.project
    }
    #[must_use]
    pub const fn rights(&self) -> Rights {
        self.rights
    }
}
