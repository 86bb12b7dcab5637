//! Who is asking. The only maker of a `Principal`.

use crate::{
    column::from_word,
    entity::{account, project, token},
    error::StoreError,
    password::Busy,
    store::Store,
    token::{TokenScope, hash_of},
    user::PASSWORD_BYTES_MAX,
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _};
use secrecy::{ExposeSecret as _, SecretString};
use wiiiv_domain::{ProjectId, Timestamp, UserId};
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

/// A password that fits. It opens nothing by itself: a token is issued for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Login {
    pub user: UserId,
    pub name: String,
    pub admin: bool,
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
        let row = account::Entity::find().filter(named).one(self.reader()).await;
        let row = row.map_err(StoreError::from)?;
        let kept = row.as_ref().map(|row| row.password_hash.clone());
        let fits = self.passwords().verify(password, kept).await?;
        let row = row.filter(|row| fits && row.disabled_at.is_none());
        let row = row.ok_or(AuthError::WrongPassword)?;
        Ok(Login { user: row.id.into(), name: row.name, admin: row.admin })
    }

    /// `project`: that of the object at hand; the rights of the answer are those of that project.
    /// `None`: something of the server's.
    pub async fn authenticate(
        &self,
        token_text: &str,
        project: Option<ProjectId>,
        now: Timestamp,
    ) -> Result<Principal, AuthError> {
        let (account, scope) = self.bearer(token_text, now).await?;
        let user = account.id.into();
        let mut rights = match project {
            Some(project) => self.rights(project, user).await?,
            None => Rights::default(),
        };
        rights.admin = account.admin;
        if let Some(project) = project
            && !(rights.may_see() && self.exists(project).await?)
        {
            return Err(AuthError::NoRight);
        }
        Ok(self.registrar().principal(user, &account.name, project, scope.narrow(rights)))
    }

    async fn bearer(
        &self,
        text: &str,
        now: Timestamp,
    ) -> Result<(account::Model, TokenScope), AuthError> {
        let hash = hash_of(text).ok_or(AuthError::WrongToken)?;
        let known = token::Entity::find().filter(token::Column::Sha256.eq(hash));
        let token = known.one(self.reader()).await.map_err(StoreError::from)?;
        let in_time = |token: &token::Model| token.expires_at.is_none_or(|at| at > now.unix_ms());
        let token = token.filter(|token| token.revoked_at.is_none() && in_time(token));
        let token = token.ok_or(AuthError::WrongToken)?;
        let account = account::Entity::find_by_id(token.account).one(self.reader()).await;
        let account = account.map_err(StoreError::from)?;
        let account = account.filter(|account| account.disabled_at.is_none());
        let scope = from_word(&token.scope, "a token's scope")?;
        Ok((account.ok_or(AuthError::WrongToken)?, scope))
    }

    async fn exists(&self, id: ProjectId) -> Result<bool, StoreError> {
        Ok(project::Entity::find_by_id(id.uuid()).one(self.reader()).await?.is_some())
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
                viewer: rights.may_see(),
            },
        }
    }
}
