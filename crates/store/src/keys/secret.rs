//! Secrets at rest: sealed by the vault, bound to their scope and purpose.

use crate::{
    audit::Chain,
    database::{
        clock::now,
        entity::secret,
        statement::{Reads, Writes, execute, only, run},
    },
    error::StoreError,
    keys::rotation::Ring,
};
use sea_orm::{ActiveValue::Set, EntityTrait as _};
use std::fmt;
use wiiiv_vault::{Aad, Sealed, Vault};
use zeroize::Zeroizing;

/// What a secret is for. Its scope is a chain's: the server's or a project's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Canary,
    SigningKey,
    AuditKey,
    /// Signs what a project's webhook is told.
    Webhook,
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Canary => "canary",
            Self::SigningKey => "signing-key",
            Self::AuditKey => "audit-key",
            Self::Webhook => "webhook",
        })
    }
}

fn binding(scope: Chain, purpose: Purpose) -> Aad {
    bound(&scope.to_string(), &purpose.to_string())
}

/// What a row is bound to, by its own columns.
pub(crate) fn bound(scope: &str, purpose: &str) -> Aad {
    Aad {
        owner: "wiiiv".to_owned(),
        scope: scope.to_owned(),
        purpose: purpose.to_owned(),
        origin: String::new(),
    }
}

pub(crate) async fn sealed<C: Reads>(
    db: &C,
    scope: Chain,
    purpose: Purpose,
) -> Result<Option<Sealed>, StoreError> {
    let key = (scope.to_string(), purpose.to_string());
    let row = only(secret::Entity::find_by_id(key), db).await?;
    Ok(row.map(|row| Sealed::from_bytes(&row.sealed)).transpose()?)
}

async fn keep<C: Writes>(
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
    run(db, &secret::Entity::insert(row)).await?;
    Ok(())
}

/// Seals it and keeps it.
pub(crate) async fn put<C: Writes>(
    db: &C,
    vault: &Vault,
    (scope, purpose): (Chain, Purpose),
    plaintext: &[u8],
) -> Result<(), StoreError> {
    let sealed = vault.seal(&binding(scope, purpose), plaintext)?;
    keep(db, (scope, purpose), &sealed).await
}

pub(crate) async fn get<C: Reads>(
    db: &C,
    ring: &Ring,
    (scope, purpose): (Chain, Purpose),
) -> Result<Option<Zeroizing<Vec<u8>>>, StoreError> {
    let sealed = sealed(db, scope, purpose).await?;
    Ok(sealed.map(|sealed| ring.vault().open(&binding(scope, purpose), &sealed)).transpose()?)
}

/// By which a later start knows the key again.
pub(crate) async fn keep_canary<C: Writes>(db: &C, vault: &Vault) -> Result<(), StoreError> {
    keep(db, (Chain::Server, Purpose::Canary), &vault.canary()?).await
}

/// Under the vault's version from now on.
pub(crate) async fn renew_canary<C: Writes>(db: &C, vault: &Vault) -> Result<(), StoreError> {
    replace(db, (Chain::Server, Purpose::Canary), &vault.canary()?).await
}

/// Seals it in the place of what was kept.
pub(crate) async fn renew<C: Writes>(
    db: &C,
    vault: &Vault,
    (scope, purpose): (Chain, Purpose),
    plaintext: &[u8],
) -> Result<(), StoreError> {
    let sealed = vault.seal(&binding(scope, purpose), plaintext)?;
    replace(db, (scope, purpose), &sealed).await
}

pub(crate) async fn forget<C: Writes>(
    db: &C,
    (scope, purpose): (Chain, Purpose),
) -> Result<(), StoreError> {
    let delete = "DELETE FROM secret WHERE scope = $1 AND purpose = $2";
    let values = vec![scope.to_string().into(), purpose.to_string().into()];
    execute(db, delete, values).await.map(drop)
}

async fn replace<C: Writes>(
    db: &C,
    (scope, purpose): (Chain, Purpose),
    sealed: &Sealed,
) -> Result<(), StoreError> {
    let update = "UPDATE secret SET sealed = $3 WHERE scope = $1 AND purpose = $2";
    let (scope, purpose) = (scope.to_string(), purpose.to_string());
    let values = vec![scope.into(), purpose.into(), sealed.to_bytes().into()];
    execute(db, update, values).await.map(drop)
}
