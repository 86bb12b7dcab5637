//! The permit: proof that every gate allowed exactly this, and that the log holds the decision.

use crate::{
    log::audit_seq::AuditSeq,
    permit::{cleared::PlanTrail, seal::Seal},
    subject::sealed::Subject,
};
use wiiiv_domain::Blueprint;

/// Owns what it permits. No Clone, Default, Deserialize: used once, by value.
#[must_use = "a permit that is dropped permits nothing"]
#[derive(Debug)]
pub struct Authorized<T: Subject> {
    seal: Seal,
    at: AuditSeq,
    trail: T::Trail,
    subject: T,
}

impl<T: Subject> Authorized<T> {
    /// Called by `Ruled::seal` only.
    pub(crate) const fn new(seal: Seal, at: AuditSeq, trail: T::Trail, subject: T) -> Self {
        Self { seal, at, trail, subject }
    }
    /// The subject, to choose an executor by.
    #[must_use]
    pub const fn peek(&self) -> &T {
        &self.subject
    }
    /// Place of the decision record in its audit chain.
    #[must_use]
    pub const fn at(&self) -> AuditSeq {
        self.at
    }
    /// One witness for each gate that was asked.
    #[must_use]
    pub const fn trail(&self) -> &T::Trail {
        &self.trail
    }
    pub(crate) fn redeemed(self, seal: &Seal) -> Option<T> {
        self.seal.same(seal).then_some(self.subject)
    }
}

impl Authorized<Blueprint> {
    /// For `begin` only: the plan moves into its run.
    pub(crate) fn into_parts(self) -> (Seal, PlanTrail, Blueprint) {
        (self.seal, self.trail, self.subject)
    }
}
