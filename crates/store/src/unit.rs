//! What one job of the writer works on: the transaction, and what is collected to be written
//! before its COMMIT.

use crate::{
    audit::{Chain, Desk},
    boundary::{AuditEntry, Boundary, Writer},
    error::StoreError,
    pending::PendingJournal,
};
use sea_orm::DatabaseTransaction;
use wiiiv_domain::Timestamp;

#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) db: DatabaseTransaction,
    pub(crate) memory: Memory,
}

/// What the writer keeps from one transaction to the next.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) desk: Desk,
    journal: PendingJournal,
}

impl Unit {
    /// Stands at the chain's head from now on. Its number, which other rows may name, comes back.
    pub(crate) async fn record(
        &mut self,
        chain: Chain,
        at: Timestamp,
        entry: AuditEntry,
    ) -> Result<u64, StoreError> {
        self.memory.desk.record(&self.db, chain, at, entry).await
    }

    /// The boundary's events, which only a session has.
    pub(crate) async fn journal(
        &mut self,
        writer: &Writer,
        boundary: &Boundary,
    ) -> Result<(), StoreError> {
        if boundary.events.is_empty() && !boundary.replay_from_here {
            return Ok(());
        }
        let session = writer.lease("a session event")?.session;
        let journal = &mut self.memory.journal;
        journal.add(&self.db, session, &boundary.events, boundary.replay_from_here).await
    }

    pub(crate) async fn flush(&mut self) -> Result<(), StoreError> {
        self.memory.journal.flush(&self.db).await?;
        self.memory.desk.flush(&self.db).await
    }
}

impl Memory {
    pub(crate) fn new(desk: Desk) -> Self {
        Self { desk, journal: PendingJournal::default() }
    }
    pub(crate) fn mark(&mut self) {
        self.desk.mark();
        self.journal.mark();
    }
    pub(crate) fn undo(&mut self) {
        self.desk.undo();
        self.journal.undo();
    }
    pub(crate) fn forget(&mut self) {
        self.desk.forget();
        self.journal.forget();
    }
}
