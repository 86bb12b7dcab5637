//! The sealed head of a chain: write access to the database is not enough to make another one.

use super::{Chain, Signer, all_heads::AllHeads, line::Hash, merkle::Tree};
use crate::{
    database::{
        entity::audit_head,
        number::{from_db, to_db},
        statement::{Reads, Writes, execute, only, rows},
    },
    error::StoreError,
};
use sea_orm::{EntityTrait as _, Value};

#[derive(Debug, Clone)]
pub(super) struct Head {
    pub(super) hash: Hash,
    pub(super) tree: Tree,
    /// How many records the newest checkpoint covers.
    pub(super) checkpoint: u64,
}

impl Head {
    const NONE: Self = Self { hash: [0; 32], tree: Tree::NONE, checkpoint: 0 };

    /// Refused where it is not as this server left it.
    pub(super) async fn load<C: Reads>(
        db: &C,
        signer: &Signer,
        chain: Chain,
    ) -> Result<Self, StoreError> {
        let Some(row) = only(audit_head::Entity::find_by_id(chain.to_string()), db).await? else {
            return Ok(Self::NONE);
        };
        Self::sealed(signer, chain, row)
    }

    pub(super) fn sealed(
        signer: &Signer,
        chain: Chain,
        row: audit_head::Model,
    ) -> Result<Self, StoreError> {
        let seal = row.seal.clone();
        let head = Self::unsealed(chain, row)?;
        if seal.is_some_and(|seal| seal == head.seal(signer, chain)) {
            return Ok(head);
        }
        let what = format!("the head of the chain `{chain}` has not the seal of this server");
        Err(StoreError::tampered(what))
    }

    /// As the row says, whoever wrote it.
    pub(super) fn unsealed(chain: Chain, row: audit_head::Model) -> Result<Self, StoreError> {
        let broken =
            || StoreError::tampered(format!("the head of the chain `{chain}` cannot be read"));
        Ok(Self {
            hash: row.hash.try_into().map_err(|_| broken())?,
            tree: Tree::restore(from_db(row.size), &row.peaks).ok_or_else(broken)?,
            checkpoint: from_db(row.checkpoint),
        })
    }

    /// Fixed lengths and one text at the end: two heads never read the same.
    pub(super) fn seal(&self, signer: &Signer, chain: Chain) -> Hash {
        let mut head = Vec::new();
        head.extend(self.tree.size.to_be_bytes());
        head.extend(self.checkpoint.to_be_bytes());
        head.extend(self.hash);
        head.extend(self.tree.root());
        head.extend(chain.to_string().into_bytes());
        signer.seal(&head)
    }
}

/// With the seal over all of them, in the same statement. A chain without a record has no head.
pub(super) async fn save<C: Writes>(
    db: &C,
    signer: &Signer,
    all: &mut AllHeads,
    heads: impl Iterator<Item = (&Chain, &Head)>,
) -> Result<(), StoreError> {
    const COLUMNS: usize = 6;
    let mut values: Vec<Value> = Vec::new();
    for (chain, head) in heads.filter(|(_, head)| head.tree.size > 0) {
        let seal = head.seal(signer, *chain);
        all.put(signer, *chain, seal);
        values.extend([
            chain.to_string().into(),
            to_db(head.tree.size)?.into(),
            head.hash.to_vec().into(),
            head.tree.peaks().into(),
            to_db(head.checkpoint)?.into(),
            seal.to_vec().into(),
        ]);
    }
    let row = all.row(signer);
    let (size, checkpoint) = (row.size.into(), row.checkpoint.into());
    values.extend([row.chain.into(), size, row.hash.into(), row.peaks.into(), checkpoint]);
    values.push(row.seal.into());
    let rows = rows(values.len() / COLUMNS, COLUMNS);
    let upsert = format!(
        "INSERT INTO audit_head (chain, size, hash, peaks, checkpoint, seal) VALUES {rows} \
         ON CONFLICT (chain) DO UPDATE SET size = excluded.size, hash = excluded.hash, \
         peaks = excluded.peaks, checkpoint = excluded.checkpoint, seal = excluded.seal"
    );
    execute(db, &upsert, values).await.map(drop)
}
