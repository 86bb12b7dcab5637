//! Proof that one claim has been committed.

use crate::{
    log::audit_seq::AuditSeq,
    permit::seal::{Seal, Tie},
};

/// Proof of a commit. No Clone: one commit seals one ruling.
#[must_use = "a commit that seals nothing was for nothing"]
#[derive(Debug)]
pub struct Committed {
    seal: Seal,
    tie: Tie,
    at: AuditSeq,
}

impl Committed {
    pub(crate) fn new(seal: Seal, tie: Tie, at: AuditSeq) -> Self {
        Self { seal, tie, at }
    }
    /// Place of the decision record in its audit chain.
    #[must_use]
    pub const fn at(&self) -> AuditSeq {
        self.at
    }
    pub(crate) fn answers(&self, seal: &Seal, tie: &Tie) -> bool {
        self.seal.same(seal) && self.tie.same(tie)
    }
}
