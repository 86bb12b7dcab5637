//! What people and projects asked to have remembered: the newest version counts, older ones tell who changed what.

mod change;
mod erase;
mod record;
mod refused;
mod remember;
mod row;

use crate::{error::StoreError, store::Store, writer::point::Point};
pub use change::MEMORY_VERSIONS_MAX;
use change::{Author, Change};
pub(crate) use erase::EraseMemory;
pub(crate) use record::{CHANGED, ERASED, chain_of, text_hmac};
pub use refused::MemoryRefused;
pub use remember::{RememberCommand, Remembered};
pub use row::MemoryRow;
pub(crate) use row::{owner_of, versions_of};
use std::sync::Arc;
use uuid::Uuid;
use wiiiv_domain::{MemoryOwner, MemoryText, Timestamp};
use wiiiv_gate::Principal;
use wiiiv_vault::AuditKey;

impl Store {
    /// The newest version. `None`: nothing was ever remembered.
    pub async fn memory(&self, owner: MemoryOwner) -> Result<Option<Arc<MemoryRow>>, StoreError> {
        let read = || async { Ok(row::newest(self.direct(), owner).await?.map(Arc::new)) };
        self.cached().memories.get(owner, read).await
    }

    /// Newest first, before that version; at most [`MEMORY_VERSIONS_MAX`].
    pub async fn memory_versions(
        &self,
        owner: MemoryOwner,
        before: Option<u64>,
        limit: u64,
    ) -> Result<Vec<MemoryRow>, StoreError> {
        row::versions(self.reader(), owner, before, limit.min(MEMORY_VERSIONS_MAX)).await
    }

    /// `expected`: the version that its author saw, 0 for none. The same text as now is no change: the current
    /// version comes back, whatever they saw.
    pub async fn set_memory(
        &self,
        who: &Principal,
        owner: MemoryOwner,
        text: MemoryText,
        expected: u64,
    ) -> Result<MemoryRow, MemoryRefused> {
        let change = self.memory_change(Author::of(who), owner).await?;
        self.write(Point::P, move |tx| {
            Box::pin(async move { change.set(tx, text, expected).await })
        })
        .await
    }

    /// Carried out again for the same turn it changes nothing, and the same comes back.
    pub async fn remember(&self, command: RememberCommand) -> Result<Remembered, MemoryRefused> {
        let change = self.memory_change(command.author.clone(), command.owner).await?;
        self.write(Point::P, move |tx| Box::pin(async move { change.remember(tx, command).await }))
            .await
    }

    /// What an erasure by this person takes. `None`: there is nothing.
    pub(crate) async fn memory_erasure(
        &self,
        who: &Principal,
        owner: MemoryOwner,
        (erasure, before): (Uuid, Option<Timestamp>),
    ) -> Result<Option<EraseMemory>, StoreError> {
        if self.memory(owner).await?.is_none() {
            return Ok(None);
        }
        let (author, key) = (Author::of(who), self.memory_key(owner).await?);
        Ok(Some(EraseMemory { change: Change { author, owner, key }, erasure, before }))
    }

    async fn memory_change(
        &self,
        author: Author,
        owner: MemoryOwner,
    ) -> Result<Change, MemoryRefused> {
        author.may_write(owner, self.registrar())?;
        let key = self.memory_key(owner).await?;
        Ok(Change { author, owner, key })
    }

    async fn memory_key(&self, owner: MemoryOwner) -> Result<Arc<AuditKey>, StoreError> {
        match owner {
            MemoryOwner::User(_) => Ok(Arc::clone(self.signer().memories())),
            MemoryOwner::Project(project) => self.audit_key(project).await,
        }
    }
}
