//! The task that moves rows one by one. Each store has one, and it resumes by itself.

use super::{
    record,
    table::{SealedRow, Table},
};
use crate::{
    error::StoreError,
    store::{Inner, Store},
    writer::point::Point,
};
use std::{sync::Weak, time::Duration};
use tokio::{sync::mpsc, time::timeout};
use wiiiv_vault::{Sealed, Vault};

/// Rows that are read at once.
const PAGE_ROWS: u64 = 64;
/// After a row that does not open, or a database that refuses.
const RETRY_SECONDS: u64 = 30;
/// A row that was read before the end is opened by then: readers wait for a connection at most 10.
const LINGER_SECONDS: u64 = 60;

/// What one walk through the tables came to.
enum Walk {
    Idle,
    Ended,
    /// Something was moved, and something is left.
    Again,
    Stuck,
}

/// Ends with the last handle of the store.
pub(crate) async fn keep_moving(store: Weak<Inner>, mut woken: mpsc::Receiver<()>) {
    // A rotation has ended here, and the key that it left is still held.
    let mut former = false;
    loop {
        let Some(inner) = store.upgrade() else { return };
        let store = Store::of(inner);
        let walked = store.walk().await;
        let ring = store.ring();
        drop(store);
        let rest = match walked {
            Ok(Walk::Again) => continue,
            Ok(Walk::Idle) => former.then_some(LINGER_SECONDS),
            Ok(Walk::Ended) => {
                former = true;
                Some(LINGER_SECONDS)
            }
            Ok(Walk::Stuck) => Some(RETRY_SECONDS),
            Err(ref error) => {
                tracing::warn!(%error, "the rotation of the master key waits");
                Some(RETRY_SECONDS)
            }
        };
        let Some(rest) = rest else {
            if woken.recv().await.is_none() {
                return;
            }
            continue;
        };
        match timeout(Duration::from_secs(rest), woken.recv()).await {
            Ok(None) => return,
            Ok(Some(())) => {}
            // Also where somebody has asked in between.
            Err(_) if former && matches!(walked, Ok(Walk::Ended | Walk::Idle)) => {
                ring.change(Vault::without_former);
                former = false;
            }
            Err(_) => {}
        }
    }
}

impl Store {
    async fn walk(&self) -> Result<Walk, StoreError> {
        let Some(kept) = record::unfinished(self.reader()).await? else { return Ok(Walk::Idle) };
        let lost = || StoreError::Key(format!("version `{}` is not held: restart", kept.to));
        let vault = self.vault().sealing_under(kept.to).ok_or_else(lost)?;
        self.ring().change(|now| now.sealing_under(kept.to).unwrap_or_else(|| now.clone()));
        let mut moved = 0;
        for table in Table::ALL {
            moved += self.walk_table(table, &vault).await?;
        }
        match (self.end_rotation().await?, moved) {
            (true, _) => {
                tracing::info!(from = kept.from.version, to = kept.to, "the master key is rotated");
                Ok(Walk::Ended)
            }
            (false, 0) => Ok(Walk::Stuck),
            (false, _) => Ok(Walk::Again),
        }
    }

    /// How many rows it moved.
    async fn walk_table(&self, table: Table, vault: &Vault) -> Result<u64, StoreError> {
        let (mut moved, mut passed) = (0, 0);
        loop {
            let rows = table.left(self.reader(), vault.key_version(), (passed, PAGE_ROWS)).await?;
            if rows.is_empty() {
                return Ok(moved);
            }
            for row in rows {
                match resealed(vault, &row) {
                    Ok(fresh) => {
                        self.replace_row(table, row, fresh).await?;
                        moved += 1;
                    }
                    Err(error) => {
                        tracing::warn!(row = row.name, %error, "this does not open: set it again, \
                            or remove it; the rotation of the master key waits for it");
                        passed += 1;
                    }
                }
            }
        }
    }

    async fn replace_row(
        &self,
        table: Table,
        row: SealedRow,
        fresh: Vec<u8>,
    ) -> Result<(), StoreError> {
        self.write(Point::P, move |tx| {
            Box::pin(async move { table.replace(&tx.db, row, fresh).await.map(drop) })
        })
        .await
    }
}

/// Opened under the version that it names, sealed under the newest, for what its row says it is of.
pub(super) fn resealed(vault: &Vault, row: &SealedRow) -> Result<Vec<u8>, StoreError> {
    let aad = row.aad.as_ref().map_err(Clone::clone)?;
    let opened = vault.open(aad, &Sealed::from_bytes(&row.sealed)?)?;
    Ok(vault.seal(aad, &opened)?.to_bytes())
}
