//! The store: how it is opened, and the handle to all its parts.

use crate::{
    account::password::PasswordGate,
    audit::{Outside, Signer},
    budget::ledger::Ledger,
    cached_rows::CachedRows,
    database::{direct_reader::DirectReader, statement::execute},
    error::StoreError,
    idempotency::last_sweep::LastSweep,
    keys::{audit_keys::AuditKeys, rotation::Ring},
    writer::{
        counters::{Counters, Tally},
        point::Point,
        queue::{Work, WriterQueue},
        write_transaction::WriteTransaction,
    },
};
use sea_orm::DatabaseConnection;
use std::sync::Arc;
use tokio::{sync::mpsc, task::spawn_blocking};
use wiiiv_gate::Registrar;
use wiiiv_vault::Vault;

/// A handle; its clones share one writer, one pool of readers and the registrar.
#[derive(Debug, Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    pub(crate) registrar: Arc<Registrar>,
    pub(crate) ring: Arc<Ring>,
    /// There is a rotation to go on with.
    pub(crate) moves: mpsc::Sender<()>,
    pub(crate) signer: Arc<Signer>,
    pub(crate) outside: Option<Outside>,
    /// The audit is not as this server left it: nothing is written.
    pub(crate) fault: Option<StoreError>,
    pub(crate) reader: DatabaseConnection,
    /// Closed before the writer's connection, which takes the log away as the last one.
    pub(crate) direct: DirectReader,
    pub(crate) queue: WriterQueue,
    pub(crate) cached: CachedRows,
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) last_sweep: LastSweep,
    pub(crate) tally: Arc<Tally>,
    pub(crate) passwords: PasswordGate,
    pub(crate) audit_keys: AuditKeys,
}

impl Store {
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.inner.tally.read()
    }

    /// The public half of the key that checkpoints and exports are signed with: 64 hexadecimal
    /// digits.
    #[must_use]
    pub fn audit_public_key(&self) -> String {
        self.inner.signer.public_key()
    }

    /// Why nothing is written: the audit was not as this server left it when it was opened.
    #[must_use]
    pub fn fault(&self) -> Option<&StoreError> {
        self.inner.fault.as_ref()
    }

    /// Through the writer to the disk: what is there is written once more. Fails where a boundary
    /// would.
    pub async fn check_writable(&self) -> Result<(), StoreError> {
        self.write(Point::P, |tx| {
            Box::pin(async move {
                let same = "UPDATE setup SET used_at = used_at";
                execute(&tx.db, same, Vec::new()).await.map(drop)
            })
        })
        .await
    }

    pub(crate) const fn of(inner: Arc<Inner>) -> Self {
        Self { inner }
    }
    pub(crate) fn registrar(&self) -> &Registrar {
        &self.inner.registrar
    }
    /// For a boundary that makes evidence out of what it records.
    pub(crate) fn registrar_for_writer(&self) -> Arc<Registrar> {
        Arc::clone(&self.inner.registrar)
    }
    pub(crate) fn ring(&self) -> Arc<Ring> {
        Arc::clone(&self.inner.ring)
    }
    /// To be taken when what it opens has been read.
    pub(crate) fn vault(&self) -> Arc<Vault> {
        self.inner.ring.vault()
    }
    pub(crate) fn wake_mover(&self) {
        // One that waits to be told is enough.
        let _told = self.inner.moves.try_send(());
    }
    pub(crate) fn signer(&self) -> &Signer {
        &self.inner.signer
    }
    pub(crate) fn outside(&self) -> Option<&Outside> {
        self.inner.outside.as_ref()
    }
    pub(crate) fn reader(&self) -> &DatabaseConnection {
        &self.inner.reader
    }
    /// For short reads: they run on the thread that asks.
    pub(crate) fn direct(&self) -> &DirectReader {
        &self.inner.direct
    }
    /// For reads that are not short, on a thread that may wait.
    pub(crate) async fn beside<T: Send + 'static>(
        &self,
        read: impl FnOnce(&DirectReader) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let inner = Arc::clone(&self.inner);
        let done = spawn_blocking(move || read(&inner.direct)).await;
        done.unwrap_or_else(|error| Err(StoreError::Unavailable { reason: error.to_string() }))
    }
    pub(crate) fn cached(&self) -> &CachedRows {
        &self.inner.cached
    }
    /// What the budgets' windows have spent.
    pub(crate) fn ledger(&self) -> &Ledger {
        &self.inner.ledger
    }
    pub(crate) fn last_sweep(&self) -> &LastSweep {
        &self.inner.last_sweep
    }
    pub(crate) fn passwords(&self) -> &PasswordGate {
        &self.inner.passwords
    }
    pub(crate) fn audit_keys(&self) -> &AuditKeys {
        &self.inner.audit_keys
    }

    /// See [`WriterQueue::write`].
    pub(crate) async fn write<T, E, F>(&self, point: Point, work: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: for<'t> FnOnce(&'t mut WriteTransaction) -> Work<'t, Result<T, E>> + Send + 'static,
    {
        if let Some(fault) = &self.inner.fault {
            return Err(fault.clone().into());
        }
        self.inner.queue.write(point, work).await
    }
}
