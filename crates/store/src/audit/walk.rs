//! Walks a chain, record by record.

use super::{
    Chain, Signer,
    head::Head,
    line::{Hash, StoredLine},
    merkle::Tree,
    signer::Reading,
};
use crate::{
    database::{entity::audit_record, number::from_db},
    error::StoreError,
};

/// A chain as far as it was read: each record fits the one before.
#[derive(Debug)]
pub(super) struct Walk {
    chain: Chain,
    prev: Hash,
    pub(super) tree: Tree,
}

impl Walk {
    pub(super) const fn new(chain: Chain) -> Self {
        Self { chain, prev: [0; 32], tree: Tree::NONE }
    }

    /// Refused where somebody changed the row, by its number.
    pub(super) fn step<'a>(
        &mut self,
        row: &'a audit_record::Model,
        signer: &Signer,
    ) -> Result<StoredLine<'a>, StoreError> {
        let seq = self.tree.size + 1;
        let changed = || fault(self.chain, format!("was changed at record `{seq}`"));
        let kept = StoredLine::of(row).ok_or_else(changed)?;
        // Whoever walks has the key, but for a record that is not sealed yet.
        let sealed =
            row.seal.is_none() || kept.is_sealed(row.seal.as_deref(), Some(signer.records()));
        let follows = kept.is(self.chain, seq) && kept.members.prev == hex::encode(self.prev);
        if !follows || !sealed || row.chain != self.chain.to_string() || from_db(row.seq) != seq {
            return Err(changed());
        }
        self.prev = kept.hash;
        self.tree.push(&kept.hash);
        Ok(kept)
    }

    pub(super) fn ends_at(&self, head: &Head) -> Result<(), StoreError> {
        let (found, size) = (self.tree.size, head.tree.size);
        if self.is_at(size, &head.hash, &head.tree.root()) {
            return Ok(());
        }
        let what =
            format!("has `{found}` records that do not lead to its head, which has `{size}`");
        Err(fault(self.chain, what))
    }

    /// The checkpoint behind the record at hand is one that this server signed over it.
    pub(super) fn is_signed(&self, signer: &Signer, line: &str) -> Result<(), StoreError> {
        let size = self.tree.size;
        match signer.read(line) {
            Reading::Ours(anchor)
                if anchor.chain == self.chain
                    && self.is_at(anchor.size, &anchor.head, &anchor.root) =>
            {
                Ok(())
            }
            Reading::Ours(_) | Reading::Foreign | Reading::Broken => {
                Err(fault(self.chain, format!("was changed at its checkpoint of `{size}` records")))
            }
        }
    }

    /// Whether it has come to where a checkpoint says that it was.
    pub(super) fn is_at(&self, size: u64, hash: &Hash, root: &Hash) -> bool {
        (self.tree.size, &self.prev, &self.tree.root()) == (size, hash, root)
    }
}

pub(super) fn fault(chain: Chain, what: impl std::fmt::Display) -> StoreError {
    StoreError::tampered(format!("the chain `{chain}` {what}"))
}
