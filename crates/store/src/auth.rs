//! Who is asking. The only maker of a `Principal`.

use crate::{
    column::from_word,
    entity::account,
    error::StoreError,
    member::Role,
    password::{Busy, PasswordStamp},
    statement::{only, query_all},
    store::Store,
    token::{TokenScope, hash_of},
    user::PASSWORD_BYTES_MAX,
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryResult};
use secrecy::{ExposeSecret as _, SecretString};
use uuid::Uuid;
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
    /// Of the password that fitted: a log-in is given only while it is still the one.
    pub(crate) stamp: PasswordStamp,
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
        token_text: &str,
        project: Option<ProjectId>,
        now: Timestamp,
    ) -> Result<Principal, AuthError> {
        let bearer = self.bearer(token_text, project, now).await?;
        let rights = Rights { admin: bearer.admin, ..bearer.rights };
        if project.is_some() && !(bearer.is_there && rights.may_see()) {
            return Err(AuthError::NoRight);
        }
        let rights = bearer.scope.narrow(rights);
        Ok(self.registrar().principal(bearer.user, &bearer.name, project, rights))
    }

    async fn bearer(
        &self,
        text: &str,
        project: Option<ProjectId>,
        now: Timestamp,
    ) -> Result<Bearer, AuthError> {
        let hash = hash_of(text).ok_or(AuthError::WrongToken)?;
        let project = project.map(|project| project.uuid());
        let rows = query_all(self.reader(), BEARER, vec![hash.into(), project.into()]).await?;
        let first = rows.first().ok_or(AuthError::WrongToken)?;
        let mut bearer = Bearer::read(first, now)?.ok_or(AuthError::WrongToken)?;
        for row in &rows {
            if let Some(role) = row.try_get_by_index(ROLE).map_err(StoreError::from)? {
                role_of(&mut bearer.rights, role);
            }
        }
        Ok(bearer)
    }
}

/// A row a role, one row where there is none: every request asks this, so it is one statement.
const BEARER: &str = "SELECT token.scope, token.expires_at, token.revoked_at, account.id, \
    account.name, account.admin, account.disabled_at, project.id, member.role \
    FROM token JOIN account ON account.id = token.account \
    LEFT JOIN project ON project.id = $2 \
    LEFT JOIN member ON member.project = project.id AND member.account = account.id \
    WHERE token.sha256 = $1";
const ROLE: usize = 8;

/// Whose token it is, and what its owner may do in the project that was asked about.
struct Bearer {
    user: UserId,
    name: String,
    admin: bool,
    scope: TokenScope,
    /// The project that was asked about.
    is_there: bool,
    /// As a member; an administrator's right is not among it.
    rights: Rights,
}

impl Bearer {
    /// `None`: expired, revoked, or its account is closed.
    fn read(row: &QueryResult, now: Timestamp) -> Result<Option<Self>, StoreError> {
        let expires_at: Option<i64> = row.try_get_by_index(1)?;
        let revoked_at: Option<i64> = row.try_get_by_index(2)?;
        let disabled_at: Option<i64> = row.try_get_by_index(6)?;
        let in_time = expires_at.is_none_or(|at| at > now.unix_ms());
        if !in_time || revoked_at.is_some() || disabled_at.is_some() {
            return Ok(None);
        }
        let scope: String = row.try_get_by_index(0)?;
        Ok(Some(Self {
            user: row.try_get_by_index::<Uuid>(3)?.into(),
            name: row.try_get_by_index(4)?,
            admin: row.try_get_by_index(5)?,
            scope: from_word(&scope, "a token's scope")?,
            is_there: row.try_get_by_index::<Option<Uuid>>(7)?.is_some(),
            rights: Rights::default(),
        }))
    }
}

fn role_of(rights: &mut Rights, role: Role) {
    match role {
        Role::Owner => rights.owner = true,
        Role::Editor => rights.editor = true,
        Role::Approver => rights.approver = true,
        Role::Viewer => rights.viewer = true,
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
