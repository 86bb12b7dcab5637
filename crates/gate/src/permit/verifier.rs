//! Exchanges a permit for its subject.

use crate::{
    permit::{authorized::Authorized, seal::Seal},
    subject::sealed::Subject,
};

/// Another opening made the permit: it permits nothing here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("foreign permit: it was made by another opening of the gate")]
pub struct ForeignPermit;

/// Redeems the permits of one opening. Clones redeem the same permits, each permit once.
#[derive(Debug, Clone)]
pub struct Verifier {
    seal: Seal,
}

impl Verifier {
    pub(crate) fn of(seal: Seal) -> Self {
        Self { seal }
    }
    /// By value: a permit is used once.
    pub fn redeem<T: Subject>(&self, permit: Authorized<T>) -> Result<T, ForeignPermit> {
        permit.redeemed(&self.seal).ok_or(ForeignPermit)
    }
}
