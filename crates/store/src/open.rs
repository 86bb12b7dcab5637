//! Opening a store: the schema, the master keys, the audit, the writer.

use crate::{
    account::password::PasswordGate,
    audit::{self, AllHeads, AuditBatch, Outside, Signer},
    budget::ledger::Ledger,
    cached_rows::CachedRows,
    config::StoreConfig,
    database::{
        connect::{Access, Origin, begin},
        direct_reader::DirectReader,
        sqlite::Sqlite,
        sqlite_build,
        versions::Versions,
    },
    error::StoreError,
    idempotency::{self, last_sweep::LastSweep},
    keys::{
        audit_keys::AuditKeys,
        rotation::{self, Ring},
    },
    store::{Inner, Store},
    writer::{counters::Tally, queue::WriterQueue, write_transaction::Memory},
};
use sea_orm::DatabaseConnection;
use std::{path::PathBuf, sync::Arc};
use tokio::sync::mpsc;
use wiiiv_gate::Registrar;
use wiiiv_migrations::{Migrator, MigratorTrait as _};
use wiiiv_vault::MasterKeys;

impl Store {
    /// Brings the schema up to this build's, finds what the master keys given are, starts the
    /// writer, and goes on with a rotation that has not ended.
    pub async fn open(
        config: StoreConfig,
        registrar: Registrar,
        keys: MasterKeys,
    ) -> Result<Self, StoreError> {
        let password_cost = config.password_cost;
        let versions = Arc::new(Versions::default());
        let origin = Origin::of(&config)?;
        let opening = origin.orm(Access::Write).await?;
        let missing = sqlite_build::missing(&opening).await?;
        if !missing.is_empty() {
            tracing::debug!(?missing, "SQLite was built without options that make a turn cheaper");
        }
        Migrator::up(&opening, None).await?;
        let Prepared { ring, signer, outside, heads, fault } =
            prepare(&opening, &registrar, &keys, config.checkpoints.clone()).await?;
        if let Some(fault) = &fault {
            tracing::error!(error = %fault, "READ ONLY: the audit was changed by somebody else");
        }
        let tally = Arc::new(Tally::default());
        let writer = Sqlite::open(&origin, Access::Write, (&tally, signer.records()))?
            .watched_by(&versions)?;
        let direct =
            DirectReader::new(origin.clone(), (Arc::clone(&tally), Arc::clone(signer.records())));
        let mut reader = origin.orm(Access::Read).await?;
        tally.watch(&mut reader);
        // Memory would have gone with it before.
        opening.close().await?;
        let cached = CachedRows::new(&versions);
        let ledger = Arc::new(Ledger::default());
        let batch = AuditBatch::new(Arc::clone(&signer), heads);
        let memory = Memory::new(batch, versions, Arc::clone(&ledger));
        let queue = WriterQueue::start(writer, memory, config.faults, Arc::clone(&tally))?;
        let (moves, woken) = mpsc::channel(1);
        let inner = Arc::new(Inner {
            registrar: Arc::new(registrar),
            ring: Arc::new(ring),
            moves,
            signer,
            outside,
            fault,
            queue,
            reader,
            direct,
            cached,
            ledger,
            last_sweep: LastSweep::default(),
            tally,
            passwords: PasswordGate::new(password_cost),
            audit_keys: AuditKeys::new(),
        });
        tokio::spawn(audit::keep_signing(Arc::downgrade(&inner)));
        tokio::spawn(rotation::keep_moving(Arc::downgrade(&inner), woken));
        Ok(Self::of(inner))
    }
}

/// What the first start makes and every later one finds.
struct Prepared {
    ring: Ring,
    signer: Arc<Signer>,
    outside: Option<Outside>,
    heads: Option<AllHeads>,
    fault: Option<StoreError>,
}

async fn prepare(
    writer: &DatabaseConnection,
    registrar: &Registrar,
    keys: &MasterKeys,
    checkpoints: Option<PathBuf>,
) -> Result<Prepared, StoreError> {
    let transaction = begin(writer).await?;
    let ring = Ring::new(rotation::opened(&transaction, keys).await?);
    let audit::Settled { signer, outside, heads, fault } =
        audit::settle(&transaction, &ring, checkpoints).await?;
    let fault = match fault {
        Some(_) => {
            transaction.rollback().await?;
            fault
        }
        // The chains are proved, and their records sealed: they can be read, whatever rows say.
        None => {
            transaction.commit().await?;
            begun(writer, registrar).await?
        }
    };
    Ok(Prepared { ring, signer, outside, heads, fault })
}

/// What the server goes on from, and what of it is not as the audit tells, if anything is.
async fn begun(
    writer: &DatabaseConnection,
    registrar: &Registrar,
) -> Result<Option<StoreError>, StoreError> {
    let transaction = begin(writer).await?;
    match audit::examine_open(&transaction, registrar).await {
        Ok(()) => {
            idempotency::forget_unfinished(&transaction).await?;
            transaction.commit().await?;
            Ok(None)
        }
        Err(error) => {
            transaction.rollback().await?;
            error.into_fault().map(Some)
        }
    }
}
