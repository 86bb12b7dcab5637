//! Checkpoints: every thousand records, every minute, and at export.

use super::{Chain, Signer, head::Head};
use crate::{
    boundary::Point,
    clock::now,
    entity::audit_head,
    error::StoreError,
    number::to_db,
    statement::execute,
    store::{Inner, Store},
};
use sea_orm::{
    ConnectionTrait, EntityTrait as _, ExprTrait as _, QueryFilter as _, sea_query::Expr,
};
use std::{sync::Weak, time::Duration};
use wiiiv_domain::Timestamp;

/// Records that may stand behind the newest checkpoint before one is signed with them.
pub const CHECKPOINT_RECORDS: u64 = 1000;
const CHECKPOINT_SECONDS: u64 = 60;

/// Within the transaction that adds the records.
pub(super) async fn when_due<C: ConnectionTrait>(
    db: &C,
    signer: &Signer,
    chain: Chain,
    head: &mut Head,
    at: Timestamp,
) -> Result<(), StoreError> {
    if head.tree.size - head.checkpoint < CHECKPOINT_RECORDS {
        return Ok(());
    }
    sign(db, signer, chain, head, at).await
}

/// The caller saves the head.
async fn sign<C: ConnectionTrait>(
    db: &C,
    signer: &Signer,
    chain: Chain,
    head: &mut Head,
    at: Timestamp,
) -> Result<(), StoreError> {
    let line = signer.checkpoint(chain, head.tree.size, (&head.hash, &head.tree.root()), at)?;
    let insert = "INSERT INTO audit_checkpoint (chain, size, line) VALUES ($1, $2, $3)";
    let values = vec![chain.to_string().into(), to_db(head.tree.size)?.into(), line.into()];
    execute(db, insert, values).await?;
    head.checkpoint = head.tree.size;
    Ok(())
}

impl Store {
    /// Signs a checkpoint over all records of the chain, unless the newest covers them already.
    /// How many it covers; 0 where the chain is empty.
    pub async fn checkpoint_now(&self, chain: Chain) -> Result<u64, StoreError> {
        let (signer, at) = (self.ledger().signer, now());
        self.write(Point::P, move |db| {
            Box::pin(async move {
                let mut head = Head::load(db, chain).await?;
                if head.tree.size > head.checkpoint {
                    sign(db, &signer, chain, &mut head, at).await?;
                    head.save(db, chain).await?;
                }
                Ok(head.tree.size)
            })
        })
        .await
    }

    /// Of every chain that has records behind its newest checkpoint: each minute, and when the server
    /// ends.
    pub async fn checkpoint_all(&self) -> Result<(), StoreError> {
        let open =
            Expr::col(audit_head::Column::Size).gt(Expr::col(audit_head::Column::Checkpoint));
        let heads = audit_head::Entity::find().filter(open).all(self.reader()).await?;
        for head in heads {
            let chain = head.chain.parse().map_err(|_| StoreError::corrupt("a chain's name"))?;
            self.checkpoint_now(chain).await?;
        }
        Ok(())
    }
}

/// Ends with the last handle of the store.
pub(crate) async fn keep_signing(store: Weak<Inner>) {
    let mut minute = tokio::time::interval(Duration::from_secs(CHECKPOINT_SECONDS));
    minute.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        minute.tick().await;
        let Some(inner) = store.upgrade() else { return };
        if let Err(error) = Store::of(inner).checkpoint_all().await {
            tracing::warn!(%error, "the audit's tail is not signed yet; trying again in a minute");
        }
    }
}
