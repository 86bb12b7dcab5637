//! The right edge of a chain.

use super::{Chain, line::Hash, merkle::Tree};
use crate::{
    entity::audit_head,
    error::StoreError,
    number::{from_db, to_db},
    statement::execute,
};
use sea_orm::{ConnectionTrait, EntityTrait as _};

#[derive(Debug, Clone)]
pub(super) struct Head {
    pub(super) hash: Hash,
    pub(super) tree: Tree,
    /// How many records the newest checkpoint covers.
    pub(super) checkpoint: u64,
}

impl Head {
    pub(super) async fn load<C: ConnectionTrait>(db: &C, chain: Chain) -> Result<Self, StoreError> {
        let Some(row) = audit_head::Entity::find_by_id(chain.to_string()).one(db).await? else {
            return Ok(Self { hash: [0; 32], tree: Tree::default(), checkpoint: 0 });
        };
        let broken = || StoreError::corrupt(format!("the head of the audit chain `{chain}`"));
        Ok(Self {
            hash: row.hash.try_into().map_err(|_| broken())?,
            tree: Tree::restore(from_db(row.size), &row.peaks).ok_or_else(broken)?,
            checkpoint: from_db(row.checkpoint),
        })
    }

    pub(super) async fn save<C: ConnectionTrait>(
        &self,
        db: &C,
        chain: Chain,
    ) -> Result<(), StoreError> {
        let upsert = "INSERT INTO audit_head (chain, size, hash, peaks, checkpoint) \
                      VALUES ($1, $2, $3, $4, $5) ON CONFLICT (chain) DO UPDATE SET \
                      size = excluded.size, hash = excluded.hash, peaks = excluded.peaks, \
                      checkpoint = excluded.checkpoint";
        let values = vec![
            chain.to_string().into(),
            to_db(self.tree.size)?.into(),
            self.hash.to_vec().into(),
            self.tree.peaks().into(),
            to_db(self.checkpoint)?.into(),
        ];
        execute(db, upsert, values).await.map(drop)
    }
}
