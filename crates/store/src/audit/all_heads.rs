//! One seal over all heads. A head's own seal proves that this server wrote it once; the common
//! seal proves that no chain is missing and that none was set back to an earlier day.

use super::{Chain, Signer, line::Hash, name::named};
use crate::{
    database::{
        entity::audit_head,
        statement::{Reads, models},
    },
    error::StoreError,
};
use sea_orm::EntityTrait as _;
use std::collections::BTreeMap;

/// The name of its row among the heads. No chain can be called so.
const ROW: &str = "heads";
const ZEROS: Hash = [0; 32];

/// Whether this row is of no chain.
pub(super) fn is_row(name: &str) -> bool {
    name == ROW
}

/// How many heads, and what they come to.
pub(super) type Total = (usize, Hash);

/// The seals of all heads as the database has them, and what they come to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct AllHeads {
    /// One a project, and the server's.
    seals: BTreeMap<Chain, Hash>,
    /// The exclusive or of their shares: each changes it without a look at the others. Never written
    /// down: whoever has not the key cannot choose older heads that come to the same.
    sum: Hash,
}

impl AllHeads {
    /// Again, after a transaction that may or may not have been committed: as before it or as after it.
    pub(super) async fn load_one_of<C: Reads>(
        db: &C,
        signer: &Signer,
        expected: Option<[Total; 2]>,
    ) -> Result<Self, StoreError> {
        let all = Self::load(db, signer).await?;
        let same = expected.is_none_or(|expected| expected.contains(&all.total()));
        same.then_some(all).ok_or_else(differ)
    }

    /// Refused where they are not those that this server left together.
    pub(super) async fn load<C: Reads>(db: &C, signer: &Signer) -> Result<Self, StoreError> {
        let (mut heads, mut together) = (Self::default(), None);
        for row in models(audit_head::Entity::find(), db).await? {
            if is_row(&row.chain) {
                together = Some(row);
                continue;
            }
            let chain = named(&row.chain)?;
            let seal = row.seal.and_then(|seal| seal.try_into().ok()).ok_or_else(differ)?;
            heads.put(signer, chain, seal);
        }
        let same = together.is_some_and(|row| row == heads.row(signer));
        same.then_some(heads).ok_or_else(differ)
    }

    /// As short as it gets: two of different heads never have the same.
    pub(super) fn total(&self) -> Total {
        (self.seals.len(), self.sum)
    }

    /// A head is as it was written last; `None`: there is none.
    pub(super) fn holds(&self, chain: Chain, seal: Option<&Hash>) -> Result<(), StoreError> {
        let same = self.seals.get(&chain) == seal;
        same.then_some(()).ok_or_else(|| {
            StoreError::tampered(format!("the head of the chain `{chain}` is not its newest"))
        })
    }

    pub(super) fn put(&mut self, signer: &Signer, chain: Chain, seal: Hash) {
        if let Some(former) = self.seals.insert(chain, seal) {
            self.add(signer.share(&former));
        }
        self.add(signer.share(&seal));
    }

    fn add(&mut self, share: Hash) {
        for (sum, share) in self.sum.iter_mut().zip(share) {
            *sum ^= share;
        }
    }

    pub(super) fn row(&self, signer: &Signer) -> audit_head::Model {
        audit_head::Model {
            chain: ROW.to_owned(),
            size: 0,
            hash: ZEROS.to_vec(),
            peaks: Vec::new(),
            checkpoint: 0,
            seal: Some(signer.together(self.seals.len(), &self.sum).to_vec()),
        }
    }
}

fn differ() -> StoreError {
    StoreError::tampered(
        "the heads of the chains are not those that this server left together: one is missing, or an \
         older one was put in its place",
    )
}

#[cfg(test)]
mod tests {
    use super::{AllHeads, Chain};
    use crate::audit::Signer;
    use uuid::Uuid;

    #[test]
    fn the_seal_is_of_every_head_and_of_nothing_else() {
        let signer = Signer::from_seed(&[7; 32]).unwrap();
        let chain = |nth: u128| Chain::Project(Uuid::from_u128(nth).into());
        let of = |heads: &[(Chain, u8)]| {
            let mut all = AllHeads::default();
            heads.iter().for_each(|(chain, seal)| all.put(&signer, *chain, [*seal; 32]));
            all.row(&signer).seal
        };
        let both = of(&[(Chain::Server, 1), (chain(1), 2)]);
        assert_eq!(both, of(&[(chain(1), 9), (chain(1), 2), (Chain::Server, 1)]), "as it is now");
        let others = [of(&[]), of(&[(Chain::Server, 1)]), of(&[(Chain::Server, 1), (chain(1), 3)])];
        assert!(others.iter().all(|other| *other != both), "{others:?}");
        let other = Signer::from_seed(&[8; 32]).unwrap();
        assert_ne!(AllHeads::default().row(&other), AllHeads::default().row(&signer));
    }
}
