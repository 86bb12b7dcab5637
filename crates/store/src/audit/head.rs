//! The right edge of a chain.

use super::{Chain, line::Hash, merkle::Tree};
use crate::{
    entity::audit_head,
    error::StoreError,
    number::{from_db, to_db},
    statement::{execute, only, rows},
};
use sea_orm::{ConnectionTrait, EntityTrait as _, Value};

#[derive(Debug, Clone)]
pub(super) struct Head {
    pub(super) hash: Hash,
    pub(super) tree: Tree,
    /// How many records the newest checkpoint covers.
    pub(super) checkpoint: u64,
}

impl Head {
    pub(super) async fn load<C: ConnectionTrait>(db: &C, chain: Chain) -> Result<Self, StoreError> {
        let Some(row) = only(audit_head::Entity::find_by_id(chain.to_string()), db).await? else {
            return Ok(Self { hash: [0; 32], tree: Tree::default(), checkpoint: 0 });
        };
        let broken = || StoreError::corrupt(format!("the head of the audit chain `{chain}`"));
        Ok(Self {
            hash: row.hash.try_into().map_err(|_| broken())?,
            tree: Tree::restore(from_db(row.size), &row.peaks).ok_or_else(broken)?,
            checkpoint: from_db(row.checkpoint),
        })
    }
}

pub(super) async fn save<C: ConnectionTrait>(
    db: &C,
    heads: impl Iterator<Item = (&Chain, &Head)>,
) -> Result<(), StoreError> {
    const COLUMNS: usize = 5;
    let mut values: Vec<Value> = Vec::new();
    for (chain, head) in heads {
        values.extend([
            chain.to_string().into(),
            to_db(head.tree.size)?.into(),
            head.hash.to_vec().into(),
            head.tree.peaks().into(),
            to_db(head.checkpoint)?.into(),
        ]);
    }
    if values.is_empty() {
        return Ok(());
    }
    let rows = rows(values.len() / COLUMNS, COLUMNS);
    let upsert = format!(
        "INSERT INTO audit_head (chain, size, hash, peaks, checkpoint) VALUES {rows} \
         ON CONFLICT (chain) DO UPDATE SET size = excluded.size, hash = excluded.hash, \
         peaks = excluded.peaks, checkpoint = excluded.checkpoint"
    );
    execute(db, &upsert, values).await.map(drop)
}
