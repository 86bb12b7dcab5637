//! What a job works on: the transaction at hand, and the rows collected to be written before its
//! COMMIT.

use crate::{
    audit::{AuditBatch, Chain},
    budget::ledger::{Ledger, PendingLedger},
    database::{
        sqlite::Sqlite,
        versions::{Part, Versions},
    },
    error::StoreError,
    session::{pending_journal::PendingJournal, replay},
    writer::boundary::{AuditEntry, Boundary, Writer},
};
use std::sync::Arc;
use wiiiv_domain::Timestamp;

#[derive(Debug)]
pub(crate) struct WriteTransaction {
    pub(crate) db: Sqlite,
    pub(crate) memory: Memory,
}

/// What the writer keeps from one transaction to the next.
#[derive(Debug)]
pub(crate) struct Memory {
    pub(crate) batch: AuditBatch,
    pub(crate) ledger: PendingLedger,
    journal: PendingJournal,
    versions: Arc<Versions>,
}

impl WriteTransaction {
    /// Stands at the chain's head from now on. Its number, which other rows may name, comes back.
    pub(crate) async fn record(
        &mut self,
        chain: Chain,
        at: Timestamp,
        entry: AuditEntry,
    ) -> Result<u64, StoreError> {
        self.memory.batch.record(&self.db, chain, at, entry).await
    }

    /// The boundary's events, which only a session has. The number of the last of them comes back.
    pub(crate) async fn journal(
        &mut self,
        writer: &Writer,
        boundary: &Boundary,
    ) -> Result<Option<u64>, StoreError> {
        let (events, replay) = (&boundary.events, boundary.replay_from_here);
        if events.is_empty() && !replay {
            return Ok(None);
        }
        let session = writer.lease("a session event")?.session;
        if let Some(refused) = &boundary.refused {
            replay::keep(&self.db, session, refused).await?;
        }
        let last = self.memory.journal.add(&self.db, session, events, replay).await?;
        Ok((!events.is_empty()).then_some(last))
    }

    /// Of a part that SQLite does not report.
    pub(crate) fn touch(&self, part: Part) {
        self.memory.versions.touch(part);
    }

    pub(crate) async fn flush(&mut self) -> Result<(), StoreError> {
        self.memory.journal.flush(&self.db).await?;
        self.memory.batch.flush(&self.db).await
    }
}

impl Memory {
    pub(crate) fn new(batch: AuditBatch, versions: Arc<Versions>, ledger: Arc<Ledger>) -> Self {
        let (journal, ledger) = (PendingJournal::default(), PendingLedger::new(ledger));
        Self { batch, ledger, journal, versions }
    }
    /// See [`Versions::raise`].
    pub(crate) fn ended(&self) {
        self.versions.raise();
    }
    /// It is durable, and nobody has been told.
    pub(crate) fn committed(&mut self) {
        self.ledger.publish();
    }
    pub(crate) fn mark(&mut self) {
        self.batch.mark();
        self.journal.mark();
        self.ledger.mark();
    }
    pub(crate) fn undo(&mut self) {
        self.batch.undo();
        self.journal.undo();
        self.ledger.undo();
    }
    pub(crate) fn forget(&mut self) {
        self.batch.forget();
        self.journal.forget();
        self.ledger.forget();
    }
}
