//! Counters since the store was opened: transactions, the boundaries in them, and statements.

use sea_orm::{DatabaseConnection, metric::Info};
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counters {
    /// Committed write transactions.
    pub commits: u64,
    /// Boundaries in those transactions.
    pub boundaries: u64,
    /// `SELECT` statements, the guards of a commit included.
    pub reads: u64,
    /// Statements that change rows. Transaction control (`BEGIN`, `SAVEPOINT`, `COMMIT`) is not
    /// counted.
    pub writes: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Tally {
    commits: AtomicU64,
    boundaries: AtomicU64,
    reads: AtomicU64,
    writes: AtomicU64,
}

impl Tally {
    pub(crate) fn committed(&self, boundaries: u64) {
        self.commits.fetch_add(1, Ordering::Relaxed);
        self.boundaries.fetch_add(boundaries, Ordering::Relaxed);
    }

    /// Counts every statement that this connection of the ORM executes from now on, failed ones too.
    pub(crate) fn watch(self: &Arc<Self>, connection: &mut DatabaseConnection) {
        let tally = Arc::clone(self);
        connection.set_metric_callback(move |info: &Info<'_>| tally.executed(&info.statement.sql));
    }

    pub(crate) fn executed(&self, sql: &str) {
        let counter = if sql.starts_with("SELECT") { &self.reads } else { &self.writes };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn read(&self) -> Counters {
        Counters {
            commits: self.commits.load(Ordering::Relaxed),
            boundaries: self.boundaries.load(Ordering::Relaxed),
            reads: self.reads.load(Ordering::Relaxed),
            writes: self.writes.load(Ordering::Relaxed),
        }
    }
}
