//! An authenticated person.

use crate::permit::seal::{Opening, Seal};
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use wiiiv_domain::{ProjectId, UserId};

/// One person's rights in one project.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Rights {
    /// Administrator of the server.
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
    /// May ask for work, and approve it where policy accepts the requester's yes.
    #[must_use]
    pub const fn may_request(self) -> bool {
        self.admin || self.owner || self.editor
    }
    /// May approve the work of others.
    #[must_use]
    pub const fn may_approve(self) -> bool {
        self.admin || self.owner || self.approver
    }
    /// The same by a role in the project: an administrator has none by being one.
    pub(crate) const fn answers_for_others(self) -> bool {
        self.owner || self.approver
    }
    /// Whether the person may halt and resume the whole project.
    #[must_use]
    pub const fn may_halt(self) -> bool {
        self.admin || self.owner
    }
    /// Whether the person may promote and demote the project. A right of its own, of the same people.
    #[must_use]
    pub const fn may_switch_stage(self) -> bool {
        self.admin || self.owner
    }
    /// Whether the person may save a new policy version.
    #[must_use]
    pub const fn may_edit_policy(self) -> bool {
        self.admin || self.owner
    }
}

/// An authenticated person with rights in one project. INVARIANT: made by
/// [`crate::Registrar::principal`] only, which the store's authentication alone has; no other
/// opening accepts it.
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
    /// The opening that authenticated this person.
    #[must_use]
    pub fn opening(&self) -> Opening {
        Opening::of(self.seal.clone())
    }
    /// The person's account.
    #[must_use]
    pub const fn user(&self) -> UserId {
        self.user
    }
    /// Id of the token in use; what is done with it counts only while it is valid.
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
