//! Evidence that the log holds.

use crate::{evidence::sealed::Evidence, log::audit_seq::AuditSeq, permit::seal::Seal};

/// INVARIANT: made by [`crate::Registrar::restore`] only, for new and old rows.
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
    /// The row's place in the audit chain.
    #[must_use]
    pub const fn at(&self) -> AuditSeq {
        self.at
    }
    /// The evidence itself.
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
