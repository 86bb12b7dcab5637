//! Keyed hashes of foreign text, one key for each project, so that short texts cannot be guessed.

use crate::{
    audit::Chain,
    database::statement::{Reads, Writes, query_all},
    error::StoreError,
    keys::{
        rotation::Ring,
        secret::{self, Purpose},
    },
    store::Store,
};
use std::sync::Arc;
use uuid::Uuid;
use wiiiv_domain::ProjectId;
use wiiiv_vault::{AuditKey, Vault};

/// With a new project.
pub(crate) async fn make<C: Writes>(
    db: &C,
    vault: &Vault,
    project: ProjectId,
) -> Result<(), StoreError> {
    let key = AuditKey::generate()?;
    secret::put(db, vault, place(project), key.expose_bytes()).await
}

const fn place(project: ProjectId) -> (Chain, Purpose) {
    (Chain::Project(project), Purpose::AuditKey)
}

/// `None`: it is gone.
pub(crate) async fn kept<C: Reads>(
    db: &C,
    ring: &Ring,
    project: ProjectId,
) -> Result<Option<AuditKey>, StoreError> {
    let Some(bytes) = secret::get(db, ring, place(project)).await? else { return Ok(None) };
    let key = AuditKey::from_bytes(&bytes).map_err(|error| StoreError::Key(error.to_string()))?;
    Ok(Some(key))
}

/// HMAC-SHA-256 of it under the project's audit key, 64 hexadecimal digits. `None`: the key is gone.
pub(crate) async fn of<C: Reads>(
    db: &C,
    ring: &Ring,
    project: ProjectId,
    text: &[u8],
) -> Result<Option<String>, StoreError> {
    let key = kept(db, ring, project).await?;
    Ok(key.map(|key| hex::encode(key.digest(text))))
}

/// A look from outside: each project has one, and it opens. `None`: no master key is there to open it.
pub(crate) async fn examine<C: Reads>(db: &C, ring: Option<&Ring>) -> Result<(), StoreError> {
    for row in query_all(db, "SELECT id FROM project", Vec::new()).await? {
        let project = ProjectId::from(row.get::<Uuid>(0)?);
        let (scope, purpose) = place(project);
        let is_there = match ring {
            Some(ring) => kept(db, ring, project).await.map(|key| key.is_some()),
            None => secret::sealed(db, scope, purpose).await.map(|sealed| sealed.is_some()),
        };
        let lost =
            |how| StoreError::tampered(format!("the audit key of the project `{project}` {how}"));
        match is_there {
            Ok(true) => {}
            Ok(false) => return Err(lost("is gone")),
            Err(StoreError::Key(_)) => return Err(lost("does not open")),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

impl Store {
    /// HMAC-SHA-256 under the project's audit key, 64 hexadecimal digits.
    pub async fn hmac(&self, project: ProjectId, text: &[u8]) -> Result<String, StoreError> {
        Ok(hex::encode(self.audit_key(project).await?.digest(text)))
    }

    /// For a text that is known in the transaction alone.
    pub(crate) async fn audit_key(&self, project: ProjectId) -> Result<Arc<AuditKey>, StoreError> {
        if let Some(key) = self.audit_keys().0.get(&project).await {
            return Ok(key);
        }
        let key = kept(self.direct(), &self.ring(), project).await?;
        let key = key.map(Arc::new).ok_or(StoreError::NotFound { what: "project" })?;
        self.audit_keys().0.insert(project, Arc::clone(&key)).await;
        Ok(key)
    }
}
