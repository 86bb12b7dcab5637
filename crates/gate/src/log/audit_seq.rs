//! The number of a record in its audit chain.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The number of a record in its audit chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AuditSeq(u64);

impl AuditSeq {
    /// From the number that the audit gave the record; the first is 1.
    #[must_use]
    pub const fn new(seq: u64) -> Self {
        Self(seq)
    }
    /// The number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for AuditSeq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
