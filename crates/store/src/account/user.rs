//! Accounts. Each gets a personal project when it is made.

use crate::{
    account::password::Busy,
    audit::Chain,
    database::{
        clock::now,
        column::time,
        entity::account,
        page::Page,
        statement::{execute, only},
    },
    error::StoreError,
    project::{self, NewProject, ProjectError},
    store::Store,
    writer::{boundary::AuditEntry, point::Point, write_transaction::WriteTransaction},
};
use sea_orm::{
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::json;
use wiiiv_domain::{ProjectId, ProjectPolicy, Timestamp, UserId};
use wiiiv_gate::Principal;
use wiiiv_vault::Vault;

/// A name, in Unicode scalar values.
pub const USER_NAME_CHARS_MAX: usize = 64;
pub const PASSWORD_CHARS_MIN: usize = 10;
/// More would only make the hash slower.
pub const PASSWORD_BYTES_MAX: usize = 1024;

#[derive(Debug)]
pub struct NewUser {
    pub name: String,
    pub password: SecretString,
    /// Of the server.
    pub admin: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserRow {
    pub id: UserId,
    pub name: String,
    pub admin: bool,
    pub created_at: Timestamp,
    pub disabled_at: Option<Timestamp>,
}

/// A new account and its personal project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreatedUser {
    pub user: UserId,
    pub project: ProjectId,
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum AccountError {
    #[error(
        "a name is 1 to `{USER_NAME_CHARS_MAX}` letters, digits, `.`, `-`, `_` or `@`, without \
         spaces"
    )]
    Name,
    #[error("the name `{0}` is taken: choose another")]
    NameTaken(String),
    #[error(
        "a password is at least `{PASSWORD_CHARS_MIN}` characters and at most \
         `{PASSWORD_BYTES_MAX}` bytes"
    )]
    Password,
    #[error("too many log-ins at once; try again in a moment")]
    Busy,
    #[error("the account that asks for it is closed, or its token has ended")]
    Caller,
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Busy> for AccountError {
    fn from(Busy: Busy) -> Self {
        Self::Busy
    }
}

/// Checked and hashed, ready to be written.
pub(crate) struct Account {
    id: UserId,
    name: String,
    hash: String,
    admin: bool,
    personal: NewProject,
}

impl Store {
    /// `policy`: what the personal project starts with.
    pub async fn create_user(
        &self,
        new: NewUser,
        policy: ProjectPolicy,
    ) -> Result<CreatedUser, AccountError> {
        let account = self.prepare_account(new, policy).await?;
        let ring = self.ring();
        self.write(Point::P, move |tx| {
            Box::pin(async move { insert(tx, &ring.vault(), &account, now()).await })
        })
        .await
    }

    /// The same by an administrator, who must still be one when it is written.
    pub async fn create_user_by(
        &self,
        new: NewUser,
        policy: ProjectPolicy,
        by: &Principal,
    ) -> Result<CreatedUser, AccountError> {
        let authority = self.authority(by)?;
        let account = self.prepare_account(new, policy).await?;
        let ring = self.ring();
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                // The password was hashed for longer than a right may last.
                if !authority.stands(&tx.db, None, now()).await? {
                    return Err(AccountError::Caller);
                }
                insert(tx, &ring.vault(), &account, now()).await
            })
        })
        .await
    }

    pub async fn user(&self, id: UserId) -> Result<Option<UserRow>, StoreError> {
        let row = only(account::Entity::find_by_id(id.uuid()), self.direct()).await?;
        Ok(row.map(UserRow::read))
    }

    pub async fn user_named(&self, name: &str) -> Result<Option<UserRow>, StoreError> {
        let named = account::Column::Name.eq(name);
        let row = only(account::Entity::find().filter(named), self.reader()).await?;
        Ok(row.map(UserRow::read))
    }

    /// Newest first.
    pub async fn users(&self, page: Page) -> Result<Vec<UserRow>, StoreError> {
        let mut query = account::Entity::find();
        if let Some(before) = page.before {
            query = query.filter(account::Column::Id.lt(before));
        }
        let query = query.order_by_desc(account::Column::Id).limit(page.rows());
        Ok(query.all(self.reader()).await?.into_iter().map(UserRow::read).collect())
    }

    pub(crate) async fn prepare_account(
        &self,
        new: NewUser,
        policy: ProjectPolicy,
    ) -> Result<Account, AccountError> {
        let NewUser { name, password, admin } = new;
        check_name(&name)?;
        check_password(&password)?;
        let id = crate::database::id::new_id();
        let personal = NewProject::new(&name, id, true, policy)?;
        let hash = self.passwords().hash(password).await?;
        Ok(Account { id, name, hash, admin, personal })
    }
}

fn check_name(name: &str) -> Result<(), AccountError> {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '@');
    let fits = (1..=USER_NAME_CHARS_MAX).contains(&name.chars().count());
    if fits && name.chars().all(allowed) { Ok(()) } else { Err(AccountError::Name) }
}

pub(crate) fn check_password(password: &SecretString) -> Result<(), AccountError> {
    let text = password.expose_secret();
    let fits = text.chars().count() >= PASSWORD_CHARS_MIN && text.len() <= PASSWORD_BYTES_MAX;
    if fits { Ok(()) } else { Err(AccountError::Password) }
}

pub(crate) async fn insert(
    tx: &mut WriteTransaction,
    vault: &Vault,
    account: &Account,
    now: Timestamp,
) -> Result<CreatedUser, AccountError> {
    let insert = "INSERT INTO account (id, name, password_hash, admin, created_at) \
                  VALUES ($1, $2, $3, $4, $5) ON CONFLICT (name) DO NOTHING";
    let values = vec![
        account.id.uuid().into(),
        account.name.clone().into(),
        account.hash.clone().into(),
        account.admin.into(),
        now.unix_ms().into(),
    ];
    if execute(&tx.db, insert, values).await? != 1 {
        return Err(AccountError::NameTaken(account.name.clone()));
    }
    let body = json!({ "admin": account.admin, "user": account.id });
    let created = AuditEntry::new("user.created", body);
    tx.record(Chain::Server, now, created).await?;
    project::insert(tx, vault, &account.personal, now).await?;
    let project = account.personal.policy.document().project;
    Ok(CreatedUser { user: account.id, project })
}

impl UserRow {
    fn read(row: account::Model) -> Self {
        Self {
            id: row.id.into(),
            name: row.name,
            admin: row.admin,
            created_at: time(row.created_at),
            disabled_at: row.disabled_at.map(time),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{check_name, check_password};
    use secrecy::SecretString;

    #[test]
    fn names_are_one_word_in_any_script() {
        for good in ["kim", "김철수", "a.b-c_d@e"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in ["", "a b", "a\u{202e}b", "a/b", &"x".repeat(65)] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn passwords_are_counted_in_characters() {
        let check = |text: &str| check_password(&SecretString::from(text)).is_ok();
        assert!(check("열글자비밀번호입니다"));
        assert!(!check("ninechars"));
        assert!(!check(&"x".repeat(1025)));
    }
}
