//! What one job of the writer works on: the transaction, and the audit records that belong to it.

use crate::{
    audit::{Chain, Desk},
    boundary::AuditEntry,
    error::StoreError,
};
use sea_orm::DatabaseTransaction;
use wiiiv_domain::Timestamp;

pub(crate) struct Unit {
    pub(crate) db: DatabaseTransaction,
    pub(crate) desk: Desk,
}

impl Unit {
    /// Stands at the chain's head from now on. Its number, which other rows may name, comes back.
    pub(crate) async fn record(
        &mut self,
        chain: Chain,
        at: Timestamp,
        entry: AuditEntry,
    ) -> Result<u64, StoreError> {
        self.desk.record(&self.db, chain, at, entry).await
    }
}
