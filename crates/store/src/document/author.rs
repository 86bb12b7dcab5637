//! Who changes documents: a person with their rights, or the folder that the administrator configured.

use super::refused::DocumentRefused;
use crate::{
    account::authority::{Authority, REQUESTERS, has_role},
    database::statement::{Reads, query},
    error::StoreError,
};
use sea_orm::Value;
use wiiiv_domain::{ProjectId, Scope, Timestamp, UserId};
use wiiiv_gate::{Principal, Registrar};

#[derive(Debug, Clone)]
pub struct DocumentAuthor {
    /// `None`: the folder.
    who: Option<Person>,
}

#[derive(Debug, Clone)]
struct Person {
    by: Authority,
    user: UserId,
    /// What the rights are for.
    project: Option<ProjectId>,
    /// Owner or editor there.
    is_worker: bool,
    is_admin: bool,
}

impl DocumentAuthor {
    #[must_use]
    pub fn of(who: &Principal) -> Self {
        let rights = who.rights();
        Self {
            who: Some(Person {
                by: Authority::of(who),
                user: who.user(),
                project: who.project(),
                is_worker: rights.owner || rights.editor,
                is_admin: rights.admin,
            }),
        }
    }

    /// The configuration is the administrator's: it asks for no right.
    #[must_use]
    pub const fn folder() -> Self {
        Self { who: None }
    }

    pub(super) fn user(&self) -> Option<UserId> {
        self.who.as_ref().map(|person| person.user)
    }

    /// What is global is the administrator's, a project's its owner's and editors', a person's their own. An
    /// administrator may nothing else by being one.
    pub(super) fn may_write(
        &self,
        scope: Scope,
        registrar: &Registrar,
    ) -> Result<(), DocumentRefused> {
        let Some(person) = &self.who else { return Ok(()) };
        Authority::check(Some(&person.by), registrar)?;
        let may = match scope {
            Scope::Global => person.is_admin,
            Scope::User(user) => user == person.user,
            Scope::Project(project) => person.project == Some(project) && person.is_worker,
        };
        may.then_some(()).ok_or(DocumentRefused::NotAllowed)
    }

    /// Asked again where it is written.
    pub(super) async fn stands<C: Reads>(&self, db: &C, at: Timestamp) -> Result<(), StoreError> {
        let stands = match &self.who {
            Some(person) => person.by.stands(db, person.project, at).await?,
            None => true,
        };
        stands.then_some(()).ok_or(StoreError::AuthorityGone)
    }
}

/// Whether this person may write there now: an ingest ends long after its log-in, and goes on after a restart.
pub(super) async fn may_still<C: Reads>(
    db: &C,
    author: Option<UserId>,
    scope: Scope,
) -> Result<bool, StoreError> {
    let Some(author) = author else { return Ok(true) };
    let person: Value = author.uuid().into();
    let found = match scope {
        Scope::Global => {
            let admin = "SELECT 1 FROM account WHERE id = $1 AND admin AND disabled_at IS NULL";
            query(db, admin, vec![person]).await?
        }
        Scope::User(user) if user == author => {
            let open = "SELECT 1 FROM account WHERE id = $1 AND disabled_at IS NULL";
            query(db, open, vec![person]).await?
        }
        Scope::User(_) => None,
        Scope::Project(project) => {
            let works = format!("SELECT 1 WHERE {}", has_role("$1", "$2", REQUESTERS));
            query(db, &works, vec![person, project.uuid().into()]).await?
        }
    };
    Ok(found.is_some())
}
