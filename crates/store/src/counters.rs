//! How well commits are shared.

use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counters {
    /// Transactions made durable.
    pub commits: u64,
    /// Boundaries in them.
    pub boundaries: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Tally {
    commits: AtomicU64,
    boundaries: AtomicU64,
}

impl Tally {
    pub(crate) fn committed(&self, boundaries: u64) {
        self.commits.fetch_add(1, Ordering::Relaxed);
        self.boundaries.fetch_add(boundaries, Ordering::Relaxed);
    }
    pub(crate) fn read(&self) -> Counters {
        Counters {
            commits: self.commits.load(Ordering::Relaxed),
            boundaries: self.boundaries.load(Ordering::Relaxed),
        }
    }
}
