//! Opening, and the handle that everything else hangs on.

use crate::{
    audit::{self, Desk, Outside, Signer},
    boundary::Point,
    config::StoreConfig,
    connect::{Connections, begin},
    counters::{Counters, Tally},
    error::StoreError,
    hmac::AuditKeys,
    idempotency,
    password::PasswordGate,
    rotation::{self, Ring},
    sqlite_build,
    statement::execute,
    unit::{Memory, Unit},
    writer::{Work, WriterQueue},
};
use sea_orm::DatabaseConnection;
use std::{path::PathBuf, sync::Arc};
use tokio::sync::mpsc;
use wiiiv_gate::Registrar;
use wiiiv_migrations::{Migrator, MigratorTrait as _};
use wiiiv_vault::{MasterKeys, Vault};

/// A handle; its clones share one writer, one pool of readers and the registrar.
#[derive(Debug, Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    registrar: Registrar,
    ring: Arc<Ring>,
    /// There is a rotation to go on with.
    moves: mpsc::Sender<()>,
    signer: Arc<Signer>,
    outside: Option<Outside>,
    /// The audit is not as this server left it: nothing is written.
    fault: Option<StoreError>,
    queue: WriterQueue,
    reader: DatabaseConnection,
    tally: Arc<Tally>,
    passwords: PasswordGate,
    audit_keys: AuditKeys,
}

impl Store {
    /// Brings the schema up to this build's, finds what the master keys given are, starts the
    /// writer, and goes on with a rotation that has not ended.
    pub async fn open(
        config: StoreConfig,
        registrar: Registrar,
        keys: MasterKeys,
    ) -> Result<Self, StoreError> {
        let password_cost = config.password_cost;
        let writer = Connections::open(&config).await?;
        let missing = sqlite_build::missing(&writer).await?;
        if !missing.is_empty() {
            tracing::debug!(?missing, "SQLite was built without options that make a turn cheaper");
        }
        Migrator::up(&writer, None).await?;
        let Prepared { ring, signer, outside, fault } =
            prepare(&writer, &keys, config.checkpoints.clone()).await?;
        if let Some(fault) = &fault {
            tracing::error!(error = %fault, "READ ONLY: the audit was changed by somebody else");
        }
        let Connections { mut writer, mut reader } =
            Connections::with_readers(&config, writer).await?;
        let tally = Arc::new(Tally::default());
        tally.watch(&mut writer);
        tally.watch(&mut reader);
        let memory = Memory::new(Desk::new(Arc::clone(&signer)));
        let queue = WriterQueue::start(writer, memory, config.faults, Arc::clone(&tally))?;
        let (moves, woken) = mpsc::channel(1);
        let inner = Arc::new(Inner {
            registrar,
            ring: Arc::new(ring),
            moves,
            signer,
            outside,
            fault,
            queue,
            reader,
            tally,
            passwords: PasswordGate::new(password_cost),
            audit_keys: AuditKeys::new(),
        });
        tokio::spawn(audit::keep_signing(Arc::downgrade(&inner)));
        tokio::spawn(rotation::keep_moving(Arc::downgrade(&inner), woken));
        Ok(Self { inner })
    }

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
        self.write(Point::P, |unit| {
            Box::pin(async move {
                let same = "UPDATE setup SET used_at = used_at";
                execute(&unit.db, same, Vec::new()).await.map(drop)
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
        F: for<'t> FnOnce(&'t mut Unit) -> Work<'t, Result<T, E>> + Send + 'static,
    {
        if let Some(fault) = &self.inner.fault {
            return Err(fault.clone().into());
        }
        self.inner.queue.write(point, work).await
    }
}

/// What the first start makes and every later one finds.
struct Prepared {
    ring: Ring,
    signer: Arc<Signer>,
    outside: Option<Outside>,
    fault: Option<StoreError>,
}

async fn prepare(
    writer: &DatabaseConnection,
    keys: &MasterKeys,
    checkpoints: Option<PathBuf>,
) -> Result<Prepared, StoreError> {
    let transaction = begin(writer).await?;
    let ring = Ring::new(rotation::opened(&transaction, keys).await?);
    let audit::Settled { signer, outside, fault } =
        audit::settle(&transaction, &ring, checkpoints).await?;
    match fault {
        Some(_) => transaction.rollback().await?,
        None => {
            idempotency::forget_unfinished(&transaction).await?;
            transaction.commit().await?;
        }
    }
    Ok(Prepared { ring, signer, outside, fault })
}
