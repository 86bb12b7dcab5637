//! The begin: one transaction that names the new version.

use super::{record, table::Table};
use crate::{
    audit::Chain,
    database::clock::now,
    error::StoreError,
    keys::secret,
    store::Store,
    writer::{boundary::AuditEntry, point::Point, write_transaction::WriteTransaction},
};
use serde_json::json;
use std::sync::Arc;
use wiiiv_domain::UserId;
use wiiiv_vault::{FormerKey, MasterKey};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RotationBegun {
    /// Now, or before: it goes on.
    Going,
    /// Everything is sealed under that key already.
    Over,
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum RotationRefused {
    #[error("there is no next master key")]
    NoNextKey,
    #[error("the next master key is the one in use: make another with `openssl rand -hex 32`")]
    SameKey,
    #[error(
        "the next master key was rotated away from before, as version `{version}`: make another \
         with `openssl rand -hex 32`"
    )]
    Former { version: u32 },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Moves everything that is sealed to the next master key. To ask again while that goes on, or
    /// when it has ended, changes nothing.
    pub async fn rotate_master_key(
        &self,
        by: UserId,
        next: Option<MasterKey>,
    ) -> Result<RotationBegun, RotationRefused> {
        let (store, next) = (self.clone(), next.map(Arc::new));
        // Whoever asked may be gone before it is durable: it goes on all the same.
        let begun = tokio::spawn(async move {
            let begun = store.begin(by, next).await;
            store.wake_mover();
            begun
        });
        begun.await.map_err(|_| StoreError::given_up())?
    }

    async fn begin(
        &self,
        by: UserId,
        next: Option<Arc<MasterKey>>,
    ) -> Result<RotationBegun, RotationRefused> {
        let ring = self.ring();
        self.write(Point::P, move |tx| {
            Box::pin(async move {
                let kept = record::all(&tx.db).await?;
                if kept.last().is_some_and(|last| last.finished_at.is_none()) {
                    return Ok(RotationBegun::Going);
                }
                let next = next.ok_or(RotationRefused::NoNextKey)?;
                let vault = ring.vault();
                let from = FormerKey { version: vault.key_version(), id: vault.key_id() };
                let id = next.id();
                if id == from.id {
                    let rotated = !kept.is_empty();
                    return rotated.then_some(RotationBegun::Over).ok_or(RotationRefused::SameKey);
                }
                if let Some(former) = kept.iter().find(|kept| kept.from.id == id) {
                    return Err(RotationRefused::Former { version: former.from.version });
                }
                let to = from.version.checked_add(1);
                let to = to.ok_or_else(|| StoreError::corrupt("the master key's version"))?;
                // It opens the new version before there is anything under it.
                ring.change(|vault| vault.clone().holding(next, to));
                let vault = ring.vault().sealing_under(to);
                let vault = vault.ok_or_else(|| StoreError::corrupt("the ring of keys"))?;
                let at = now();
                record::begin(&tx.db, from, to, (by, at)).await?;
                secret::renew_canary(&tx.db, &vault).await?;
                on_record(tx, by, (from.version, to)).await?;
                Ok(RotationBegun::Going)
            })
        })
        .await
    }
}

async fn on_record(
    tx: &mut WriteTransaction,
    by: UserId,
    (from, to): (u32, u32),
) -> Result<(), StoreError> {
    let mut rows = serde_json::Map::new();
    for table in Table::ALL {
        let count = table.count(&tx.db, to).await?;
        rows.insert(table.as_str().to_owned(), json!(count.left));
    }
    let body = json!({ "by": by, "from": from, "to": to, "left": rows });
    let entry = AuditEntry::new("master_key.rotation_started", body);
    tx.record(Chain::Server, now(), entry).await.map(drop)
}
