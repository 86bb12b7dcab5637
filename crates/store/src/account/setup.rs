//! First start: a one-time token makes the first administrator.

use crate::{
    account::{
        token_text,
        user::{self, AccountError, CreatedUser, NewUser},
    },
    audit::Chain,
    database::{
        clock::now,
        entity::{account, setup},
        statement::{execute, only},
    },
    error::StoreError,
    store::Store,
    writer::{boundary::AuditEntry, point::Point},
};
use sea_orm::{EntityTrait as _, PaginatorTrait as _};
use secrecy::SecretString;
use serde_json::json;
use wiiiv_domain::ProjectPolicy;

#[derive(Debug, Clone, thiserror::Error)]
pub enum SetupError {
    #[error("the setup token does not fit; it is printed on the server's terminal at its start")]
    WrongToken,
    #[error("this server is set up already; log in")]
    Done,
    #[error(transparent)]
    Account(#[from] AccountError),
}

impl From<StoreError> for SetupError {
    fn from(error: StoreError) -> Self {
        Self::Account(error.into())
    }
}

impl Store {
    pub async fn is_set_up(&self) -> Result<bool, StoreError> {
        Ok(account::Entity::find().count(self.reader()).await? > 0)
    }

    /// A fresh token to be printed, which voids the one before; `None` once the server is set up.
    pub async fn setup_token(&self) -> Result<Option<SecretString>, StoreError> {
        if self.is_set_up().await? {
            return Ok(None);
        }
        let (text, hash) = token_text::draw()?;
        let upsert = "INSERT INTO setup (id, sha256) VALUES (1, $1) \
                      ON CONFLICT (id) DO UPDATE SET sha256 = excluded.sha256";
        self.write::<_, StoreError, _>(Point::P, move |tx| {
            Box::pin(async move { execute(&tx.db, upsert, vec![hash.into()]).await })
        })
        .await?;
        Ok(Some(SecretString::from(text)))
    }

    /// Makes the first account, an administrator's.
    pub async fn setup(
        &self,
        token: &str,
        name: String,
        password: SecretString,
        policy: ProjectPolicy,
    ) -> Result<CreatedUser, SetupError> {
        let hash = token_text::hash_of(token).ok_or(SetupError::WrongToken)?;
        self.check_setup_token(&hash).await?;
        let new = NewUser { name, password, admin: true };
        let account = self.prepare_account(new, policy).await?;
        let ring = self.ring();
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let at = now();
                let take = "UPDATE setup SET used_at = $2 \
                            WHERE id = 1 AND sha256 = $1 AND used_at IS NULL";
                if execute(&tx.db, take, vec![hash.into(), at.unix_ms().into()]).await? != 1 {
                    return Err(SetupError::Done);
                }
                let created = user::insert(tx, &ring.vault(), &account, at).await?;
                let entry = AuditEntry::new("server.set_up", json!({ "by": created.user }));
                tx.record(Chain::Server, at, entry).await?;
                Ok(created)
            })
        })
        .await
    }

    /// Before a password is hashed for whoever asks.
    async fn check_setup_token(&self, hash: &[u8]) -> Result<(), SetupError> {
        match only(setup::Entity::find_by_id(1), self.reader()).await? {
            Some(row) if row.used_at.is_some() => Err(SetupError::Done),
            Some(row) if row.sha256 == hash => Ok(()),
            Some(_) => Err(SetupError::WrongToken),
            None if self.is_set_up().await? => Err(SetupError::Done),
            None => Err(SetupError::WrongToken),
        }
    }
}
