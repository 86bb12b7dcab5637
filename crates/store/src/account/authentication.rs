//! Who is asking. The only maker of a `Principal`.

use crate::{
    account::{
        authority::{Authority, bits, bits_in},
        login::Login,
        password::{Busy, PasswordStamp},
        presented::Presented,
        role::Role,
        token::{TokenKind, TokenScope, hash_of},
        user::PASSWORD_BYTES_MAX,
    },
    database::{
        column::from_word,
        entity::account,
        statement::{only, query, query_all},
    },
    error::StoreError,
    store::Store,
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryResult};
use secrecy::{ExposeSecret as _, SecretString};
use std::sync::LazyLock;
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
        let rights = Rights { admin: bearer.admin, ..bearer.rights };
        if project.is_some() && !(bearer.is_there && rights.may_see()) {
            return Err(AuthError::NoRight);
        }
        let rights = bearer.scope.narrow(rights);
        let who = (bearer.user, bearer.token);
        Ok(self.registrar().principal(who, &bearer.name, project, rights))
    }

    async fn bearer(
        &self,
        shown: Presented<'_>,
        project: Option<ProjectId>,
        now: Timestamp,
    ) -> Result<Bearer, AuthError> {
        let hash = hash_of(shown.token()).ok_or(AuthError::WrongToken)?;
        let project = project.map(|project| project.uuid());
        let rows = query_all(self.reader(), BEARER, vec![hash.into(), project.into()]).await?;
        let first = rows.first().ok_or(AuthError::WrongToken)?;
        let mut bearer = Bearer::read(first, shown, now)?.ok_or(AuthError::WrongToken)?;
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
    account.name, account.admin, account.disabled_at, project.id, member.role, token.id, \
    token.kind, token.page_sha256 \
    FROM token JOIN account ON account.id = token.account \
    LEFT JOIN project ON project.id = $2 \
    LEFT JOIN member ON member.project = project.id AND member.account = account.id \
    WHERE token.sha256 = $1";
const ROLE: usize = 8;
const TOKEN: usize = 9;
const KIND: usize = 10;
const PAGE: usize = 11;

/// Whose token it is, and what its owner may do in the project that was asked about.
struct Bearer {
    user: UserId,
    token: Uuid,
    name: String,
    admin: bool,
    scope: TokenScope,
    /// The project that was asked about.
    is_there: bool,
    /// As a member; an administrator's right is not among it.
    rights: Rights,
}

impl Bearer {
    /// `None`: expired, revoked, shown in another way than its own, or its account is closed.
    fn read(
        row: &QueryResult,
        shown: Presented<'_>,
        now: Timestamp,
    ) -> Result<Option<Self>, StoreError> {
        let kind: String = row.try_get_by_index(KIND)?;
        let kind: TokenKind = from_word(&kind, "a token's kind")?;
        let page: Option<Vec<u8>> = row.try_get_by_index(PAGE)?;
        if !shown.fits(kind, page.as_deref()) {
            return Ok(None);
        }
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
            token: row.try_get_by_index(TOKEN)?,
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

static STANDS: LazyLock<String> = LazyLock::new(|| format!("SELECT {}", bits(1, 2, 3, 4)));

impl Store {
    /// Whether this person would be let in as they were: to be asked of what had to wait.
    pub async fn still_stands(&self, who: &Principal, now: Timestamp) -> Result<bool, StoreError> {
        let by = Authority::of(who);
        Authority::check(Some(&by), self.registrar())?;
        let mut values = Authority::values(Some(&by), now).to_vec();
        values.push(who.project().map(|project| project.uuid()).into());
        let row = query(self.reader(), &STANDS, values).await?;
        let bits = row.map(|row| bits_in(&row, 0)).transpose()?.flatten();
        Ok(Authority::still(Some(&by), bits))
    }
}
