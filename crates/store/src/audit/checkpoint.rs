//! Checkpoints on demand and by time. `AuditBatch` signs those that are due after a number of
//! records, together with these.

use super::{Chain, head::Head};
use crate::{
    database::{clock::now, entity::audit_head},
    error::StoreError,
    store::{Inner, Store},
    writer::point::Point,
};
use sea_orm::{EntityTrait as _, ExprTrait as _, QueryFilter as _, sea_query::Expr};
use std::{sync::Weak, time::Duration};
use tokio::time::{Instant, interval_at};

const CHECKPOINT_EVERY: Duration = Duration::from_secs(60);

impl Store {
    /// Signs a checkpoint over all records of the chain, unless the newest covers them already.
    /// How many it covers; 0 where the chain is empty.
    pub async fn checkpoint_now(&self, chain: Chain) -> Result<u64, StoreError> {
        Ok(self.signed_head(chain).await?.tree.size)
    }

    pub(super) async fn signed_head(&self, chain: Chain) -> Result<Head, StoreError> {
        let at = now();
        self.write(Point::P, move |tx| {
            Box::pin(async move { tx.memory.batch.checkpoint(&tx.db, chain, at).await })
        })
        .await
    }

    /// Of every chain that has records behind its newest checkpoint: each minute, and when the
    /// server ends.
    pub async fn checkpoint_all(&self) -> Result<(), StoreError> {
        use audit_head::Column;
        // Nothing was added since it was found changed, and nothing is signed: the log has said so.
        if self.fault().is_some() {
            return Ok(());
        }
        let open = Expr::col(Column::Size).gt(Expr::col(Column::Checkpoint));
        let heads = audit_head::Entity::find().filter(open).all(self.reader()).await?;
        for head in heads {
            let chain = head.chain.parse().map_err(|_| StoreError::corrupt("a chain's name"))?;
            self.checkpoint_now(chain).await?;
        }
        match self.outside() {
            Some(outside) => outside.push(self.reader()).await,
            None => Ok(()),
        }
    }
}

/// Ends with the last handle of the store.
pub(crate) async fn keep_signing(store: Weak<Inner>) {
    // Not at once: a start has enough to do, and a store that is opened again and again signs no more.
    let mut minute = interval_at(Instant::now() + CHECKPOINT_EVERY, CHECKPOINT_EVERY);
    minute.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        minute.tick().await;
        let Some(inner) = store.upgrade() else { return };
        if let Err(error) = Store::of(inner).checkpoint_all().await {
            tracing::warn!(%error, "the audit's tail is not signed yet; trying again in a minute");
        }
    }
}
