//! Who changes a profile. There is no way to name the profile of somebody else.

use super::{refused::ProfileRefused, row::ProfileOwner};
use crate::{account::authority::Authority, database::statement::Reads, error::StoreError};
use wiiiv_domain::{ProfileName, ProjectId, Timestamp, TurnId, UserId};
use wiiiv_gate::{Principal, Registrar};

/// An authenticated person, with the rights that they were let in with. In `store`, so that what draws, judges, plans
/// and executes cannot name it.
#[derive(Debug, Clone)]
pub struct ProfileAuthor {
    by: Authority,
    user: UserId,
    /// What the rights are for.
    project: Option<ProjectId>,
    may_tell: bool,
    is_member: bool,
    turn: Option<TurnId>,
}

impl ProfileAuthor {
    /// By a form.
    #[must_use]
    pub fn of(who: &Principal) -> Self {
        let rights = who.rights();
        Self {
            by: Authority::of(who),
            user: who.user(),
            project: who.project(),
            may_tell: rights.owner || rights.editor,
            is_member: rights.owner || rights.editor || rights.approver || rights.viewer,
            turn: None,
        }
    }

    /// By the message of their own turn.
    #[must_use]
    pub fn in_turn(who: &Principal, turn: TurnId) -> Self {
        Self { turn: Some(turn), ..Self::of(who) }
    }

    pub(super) const fn user(&self) -> UserId {
        self.user
    }

    pub(super) const fn turn(&self) -> Option<TurnId> {
        self.turn
    }

    /// More than what they told before.
    pub(super) const fn may_tell(&self) -> bool {
        self.may_tell
    }

    /// Whose profile in which project: any member's own. Whether a token only looks is asked before.
    pub(super) fn place(
        &self,
        registrar: &Registrar,
    ) -> Result<(UserId, ProjectId), ProfileRefused> {
        Authority::check(Some(&self.by), registrar)?;
        let project = self.project.filter(|_| self.is_member);
        project.map(|project| (self.user, project)).ok_or(ProfileRefused::NotAllowed)
    }

    /// `tells`: something more is told, which takes the right to ask for work.
    pub(super) fn owner(
        &self,
        (schema, tells): (ProfileName, bool),
        registrar: &Registrar,
    ) -> Result<ProfileOwner, ProfileRefused> {
        let (person, project) = self.place(registrar)?;
        if tells && !self.may_tell {
            return Err(ProfileRefused::NotAllowed);
        }
        Ok(ProfileOwner { person, project, schema })
    }

    /// Asked again where it is written.
    pub(super) async fn stands<C: Reads>(&self, db: &C, at: Timestamp) -> Result<(), StoreError> {
        let stands = self.by.stands(db, self.project, at).await?;
        stands.then_some(()).ok_or(StoreError::AuthorityGone)
    }
}
