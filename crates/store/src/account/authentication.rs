//! Authentication. The only maker of a `Principal`.

use crate::{
    account::{
        authority::Authority,
        bearer::{BEARER, Bearer},
        login::Login,
        password::{Busy, PasswordStamp},
        presented::Presented,
        token_kind::TokenScope,
        token_text::hash_of,
        user::PASSWORD_BYTES_MAX,
    },
    database::{
        entity::account,
        statement::{only, query_all},
    },
    error::StoreError,
    store::Store,
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _};
use secrecy::{ExposeSecret as _, SecretString};
use std::sync::Arc;
use wiiiv_domain::{ProjectId, Timestamp};
use wiiiv_gate::{Principal, Rights};

#[derive(Debug, Clone, thiserror::Error)]
pub enum AuthError {
    /// Never says which of the two.
    #[error("the name or the password is wrong")]
    WrongPassword,
    #[error("the token is unknown, expired or revoked; log in again")]
    WrongToken,
    /// To be answered like an object that is not there (404).
    #[error("there is no such project for this person")]
    NoRight,
    #[error("too many log-ins at once; try again in a moment")]
    Busy,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Busy> for AuthError {
    fn from(Busy: Busy) -> Self {
        Self::Busy
    }
}

impl Store {
    /// An unknown name takes as long as a wrong password.
    pub async fn authenticate_password(
        &self,
        name: &str,
        password: SecretString,
    ) -> Result<Login, AuthError> {
        if password.expose_secret().len() > PASSWORD_BYTES_MAX {
            return Err(AuthError::WrongPassword);
        }
        let named = account::Column::Name.eq(name);
        let row = only(account::Entity::find().filter(named), self.reader()).await?;
        let kept = row.as_ref().map(|row| row.password_hash.clone());
        let fits = self.passwords().verify(password, kept).await?;
        let row = row.filter(|row| fits && row.disabled_at.is_none());
        let row = row.ok_or(AuthError::WrongPassword)?;
        let stamp = PasswordStamp::of(&row.password_hash);
        Ok(Login { user: row.id.into(), name: row.name, admin: row.admin, stamp })
    }

    /// `project`: that of the object at hand; the rights of the answer are those of that project.
    /// `None`: something of the server's.
    pub async fn authenticate(
        &self,
        shown: impl Into<Presented<'_>>,
        project: Option<ProjectId>,
        now: Timestamp,
    ) -> Result<Principal, AuthError> {
        let bearer = self.bearer(shown.into(), project, now).await?;
        let rights = bearer.scope.narrow(Rights { admin: bearer.admin, ..bearer.rights });
        if project.is_some() && !(bearer.is_there && rights.may_see()) {
            return Err(AuthError::NoRight);
        }
        let who = (bearer.user, bearer.token);
        Ok(self.registrar().principal(who, &bearer.name, project, rights))
    }

    /// Whatever they show, it is looked up by its hash, and judged by the time that it is now.
    async fn bearer(
        &self,
        shown: Presented<'_>,
        project: Option<ProjectId>,
        now: Timestamp,
    ) -> Result<Arc<Bearer>, AuthError> {
        let hash = hash_of(shown.token()).ok_or(AuthError::WrongToken)?;
        let project = project.map(|project| project.uuid());
        let read = || async {
            let values = vec![hash.clone().into(), project.into()];
            let rows = query_all(self.direct(), BEARER, values).await?;
            Bearer::read(&rows).map(|bearer| bearer.map(Arc::new))
        };
        let bearer = self.cached().bearers.get((hash.clone(), project), read).await?;
        bearer.filter(|bearer| bearer.opens(shown, now)).ok_or(AuthError::WrongToken)
    }
}

impl TokenScope {
    const fn narrow(self, rights: Rights) -> Rights {
        match self {
            Self::Full => rights,
            Self::Read => Rights {
                admin: false,
                owner: false,
                editor: false,
                approver: false,
                // Of a role: an administrator looks into no project by being one.
                viewer: rights.owner || rights.editor || rights.approver || rights.viewer,
            },
        }
    }
}

impl Store {
    /// Whether this person would be let in as they were: to be asked of what had to wait.
    pub async fn still_stands(&self, who: &Principal, now: Timestamp) -> Result<bool, StoreError> {
        self.authority(who)?.stands(self.direct(), who.project(), now).await
    }

    /// What this person may do, to be asked again in a transaction.
    pub(crate) fn authority(&self, who: &Principal) -> Result<Authority, StoreError> {
        let by = Authority::of(who);
        Authority::check(Some(&by), self.registrar()).map(|()| by)
    }
}
