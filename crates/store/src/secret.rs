//! Secrets at rest: sealed by the vault, bound to their scope and purpose.

use crate::{audit::Chain, clock::now, entity::secret, error::StoreError};
use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait as _};
use std::fmt;
use wiiiv_vault::{Aad, Sealed, Vault};
use zeroize::Zeroizing;

/// What a secret is for. Its scope is a chain's: the server's or a project's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Canary,
    SigningKey,
    AuditKey,
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Canary => "canary",
            Self::SigningKey => "signing-key",
            Self::AuditKey => "audit-key",
        })
    }
}

fn binding(scope: Chain, purpose: Purpose) -> Aad {
    Aad {
        owner: "wiiiv".to_owned(),
        scope: scope.to_string(),
        purpose: purpose.to_string(),
        origin: String::new(),
    }
}

pub(crate) async fn sealed<C: ConnectionTrait>(
    db: &C,
    scope: Chain,
    purpose: Purpose,
) -> Result<Option<Sealed>, StoreError> {
    let key = (scope.to_string(), purpose.to_string());
    let row = secret::Entity::find_by_id(key).one(db).await?;
    Ok(row.map(|row| Sealed::from_bytes(&row.sealed)).transpose()?)
}

async fn keep<C: ConnectionTrait>(
    db: &C,
    (scope, purpose): (Chain, Purpose),
    sealed: &Sealed,
) -> Result<(), StoreError> {
    let row = secret::ActiveModel {
        scope: Set(scope.to_string()),
        purpose: Set(purpose.to_string()),
        sealed: Set(sealed.to_bytes()),
        created_at: Set(now().unix_ms()),
    };
    secret::Entity::insert(row).exec_without_returning(db).await?;
    Ok(())
}

/// Seals it and keeps it.
pub(crate) async fn put<C: ConnectionTrait>(
    db: &C,
    vault: &Vault,
    (scope, purpose): (Chain, Purpose),
    plaintext: &[u8],
) -> Result<(), StoreError> {
    let sealed = vault.seal(&binding(scope, purpose), plaintext)?;
    keep(db, (scope, purpose), &sealed).await
}

pub(crate) async fn get<C: ConnectionTrait>(
    db: &C,
    vault: &Vault,
    (scope, purpose): (Chain, Purpose),
) -> Result<Option<Zeroizing<Vec<u8>>>, StoreError> {
    let sealed = sealed(db, scope, purpose).await?;
    Ok(sealed.map(|sealed| vault.open(&binding(scope, purpose), &sealed)).transpose()?)
}

/// Before anything else is opened: is this the master key that the data was sealed with?
pub(crate) async fn check_master_key<C: ConnectionTrait>(
    db: &C,
    vault: &Vault,
) -> Result<(), StoreError> {
    match sealed(db, Chain::Server, Purpose::Canary).await? {
        Some(canary) => Ok(vault.check_canary(&canary)?),
        None => keep(db, (Chain::Server, Purpose::Canary), &vault.canary()?).await,
    }
}
