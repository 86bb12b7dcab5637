//! Evidence that the log does not hold yet.

use crate::{evidence::sealed::Evidence, permit::seal::Seal};

/// Made in this opening, for a person whom it authenticated. It proves nothing until the store
/// records it, and a store of another opening refuses it.
#[must_use = "evidence that is not recorded proves nothing"]
#[derive(Debug)]
pub struct Unrecorded<E> {
    seal: Seal,
    body: E,
}

/// Another opening made the evidence: it is not recorded here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("foreign evidence: it was made by another opening of the gate")]
pub struct ForeignEvidence;

impl<E: Evidence> Unrecorded<E> {
    pub(crate) fn new(seal: Seal, body: E) -> Self {
        Self { seal, body }
    }
    /// The evidence itself.
    #[must_use]
    pub const fn body(&self) -> &E {
        &self.body
    }
    pub(crate) fn taken(self, seal: &Seal) -> Result<E, ForeignEvidence> {
        if self.seal.same(seal) { Ok(self.body) } else { Err(ForeignEvidence) }
    }
}
