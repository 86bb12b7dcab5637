//! Keyed hashes of foreign text, one key for each project, so that short texts cannot be guessed.

use crate::{
    audit::Chain,
    database::statement::Writes,
    error::StoreError,
    keys::secret::{self, Purpose},
    store::Store,
};
use std::sync::Arc;
use wiiiv_domain::ProjectId;
use wiiiv_vault::{AuditKey, Vault};

/// With a new project.
pub(crate) async fn make<C: Writes>(
    db: &C,
    vault: &Vault,
    project: ProjectId,
) -> Result<(), StoreError> {
    let key = AuditKey::generate()?;
    let place = (Chain::Project(project), Purpose::AuditKey);
    secret::put(db, vault, place, key.expose_bytes()).await
}

impl Store {
    /// HMAC-SHA-256 under the project's audit key, 64 hexadecimal digits.
    pub async fn hmac(&self, project: ProjectId, text: &[u8]) -> Result<String, StoreError> {
        if let Some(key) = self.audit_keys().0.get(&project).await {
            return Ok(hex::encode(key.digest(text)));
        }
        let place = (Chain::Project(project), Purpose::AuditKey);
        let bytes = secret::get(self.direct(), &self.ring(), place).await?;
        let bytes = bytes.ok_or(StoreError::NotFound { what: "project" })?;
        let key = AuditKey::from_bytes(&bytes)
            .map(Arc::new)
            .map_err(|error| StoreError::Key(error.to_string()))?;
        self.audit_keys().0.insert(project, Arc::clone(&key)).await;
        Ok(hex::encode(key.digest(text)))
    }
}
