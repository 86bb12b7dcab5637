//! "This stands in the log."

use crate::{evidence::Evidence, seal::Seal};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A record's place in its audit chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AuditSeq(u64);

impl AuditSeq {
    #[must_use]
    pub const fn new(seq: u64) -> Self {
        Self(seq)
    }
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

/// INVARIANT: made by [`crate::Registrar::restore`] alone, for fresh and for old rows alike.
#[derive(Debug)]
pub struct Recorded<E> {
    seal: Seal,
    at: AuditSeq,
    body: E,
}

impl<E: Evidence> Recorded<E> {
    pub(crate) fn new(seal: Seal, at: AuditSeq, body: E) -> Self {
        Self { seal, at, body }
    }
    #[must_use]
    pub const fn at(&self) -> AuditSeq {
        self.at
    }
    #[must_use]
    pub const fn body(&self) -> &E {
        &self.body
    }
    pub(crate) const fn seal(&self) -> &Seal {
        &self.seal
    }
    pub(crate) fn is_of(&self, seal: &Seal) -> bool {
        self.seal.same(seal)
    }
}
