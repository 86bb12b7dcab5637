//! Somebody who has been authenticated.

use crate::seal::{Opening, Seal};
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use wiiiv_domain::{ProjectId, UserId};

/// What one person may do in the project at hand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rights {
    /// Of the server.
    pub admin: bool,
    /// Owner of the project.
    pub owner: bool,
    /// May ask for work.
    pub editor: bool,
    /// May approve the work of others.
    pub approver: bool,
    /// May read.
    pub viewer: bool,
}

impl Rights {
    /// Whether the person may read the project.
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
    /// Whether the person may save a new policy version.
    #[must_use]
    pub const fn may_edit_policy(self) -> bool {
        self.admin || self.owner
    }
}

/// INVARIANT: made by [`crate::Registrar::principal`] alone, which only the store's
/// authentication holds, and worth nothing in another opening of the gate. Its rights are those of
/// one project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Principal {
    seal: Seal,
    user: UserId,
    token: Uuid,
    label: String,
    project: Option<ProjectId>,
    rights: Rights,
}

impl Principal {
    pub(crate) fn new(
        seal: Seal,
        (user, token): (UserId, Uuid),
        label: String,
        project: Option<ProjectId>,
        rights: Rights,
    ) -> Self {
        Self { seal, user, token, label, project, rights }
    }
    pub(crate) const fn seal(&self) -> &Seal {
        &self.seal
    }
    pub(crate) fn is_of(&self, seal: &Seal) -> bool {
        self.seal.same(seal)
    }
    /// Where this person was authenticated.
    #[must_use]
    pub fn opening(&self) -> Opening {
        Opening::of(self.seal.clone())
    }
    /// The person's account.
    #[must_use]
    pub const fn user(&self) -> UserId {
        self.user
    }
    /// The id of the token that this person was let in by: what is done by it stands while it does.
    #[must_use]
    pub const fn token(&self) -> Uuid {
        self.token
    }
    /// The name to show.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }
    /// The project that the rights are for; `None` for none.
    #[must_use]
    pub const fn project(&self) -> Option<ProjectId> {
        self.project
    }
    /// What the person may do there.
    #[must_use]
    pub const fn rights(&self) -> Rights {
        self.rights
    }
}
