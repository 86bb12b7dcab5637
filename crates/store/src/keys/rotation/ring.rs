//! The current vault. It is replaced whole, and a user of the old one can finish.

use std::sync::{Arc, PoisonError, RwLock};
use wiiiv_vault::Vault;

// INVARIANT: a row is read before the vault that opens it is taken, so that the vault is never older
// than the row; and what seals takes it inside the writer's job, so that once the version has changed
// no later job seals under the one before.
#[derive(Debug)]
pub(crate) struct Ring(RwLock<Arc<Vault>>);

impl Ring {
    pub(crate) fn new(vault: Vault) -> Self {
        Self(RwLock::new(Arc::new(vault)))
    }

    pub(crate) fn vault(&self) -> Arc<Vault> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn change(&self, change: impl FnOnce(&Vault) -> Vault) {
        let mut vault = self.0.write().unwrap_or_else(PoisonError::into_inner);
        *vault = Arc::new(change(&vault));
    }
}
