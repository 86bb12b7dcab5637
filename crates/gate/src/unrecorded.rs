//! Evidence that does not stand in the log yet.

use crate::{evidence::sealed::Evidence, seal::Seal};

/// Made in this opening of the gate, by somebody whom it authenticated. It proves nothing before the
/// store has recorded it, and no store of another opening does.
#[must_use = "evidence that is not recorded proves nothing"]
#[derive(Debug)]
pub struct Unrecorded<E> {
    seal: Seal,
    body: E,
}

/// The evidence was made by another opening: it is recorded nowhere here.
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
