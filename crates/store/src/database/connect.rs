//! Connections: one for writing, a few for reading only.

use crate::{
    config::{Location, StoreConfig, Synchronous},
    database::{private, versions::Versions},
    error::StoreError,
};
use sea_orm::{
    ConnectOptions, Database, DatabaseConnection, DatabaseTransaction, DbErr,
    SqliteTransactionMode, TransactionOptions, TransactionTrait as _,
    sqlx::sqlite::{SqliteJournalMode, SqliteSynchronous},
};
use std::{path::Path, sync::Arc, time::Duration};

const READERS_MAX: u32 = 4;
/// SQLite's own values, which another build of it could have changed. Larger ones (pages of 8 KiB, a cache
/// of 16 MiB, 4,000 pages to a checkpoint, 512 kept statements) made no turn cheaper: docs/performance.md.
const PAGE_BYTES: u32 = 4096;
const CACHE: &str = "-2000";
const CHECKPOINT_PAGES: &str = "1000";
/// Zeros over what is deleted, as far as its page is written anyway: what was a hash of a request or a
/// kept answer does not lie in the file for long.
const SECURE_DELETE: &str = "FAST";
const STATEMENTS_KEPT: usize = 100;
const ACQUIRE_SECONDS: u64 = 10;
/// How long another process's lock is waited for; our own writer never waits.
const BUSY_SECONDS: u64 = 5;

pub(crate) struct Connections {
    pub(crate) writer: DatabaseConnection,
    pub(crate) reader: DatabaseConnection,
}

impl Connections {
    /// The writer first: it is the one that turns the write-ahead log on.
    pub(crate) async fn open(
        config: &StoreConfig,
        versions: &Arc<Versions>,
    ) -> Result<DatabaseConnection, StoreError> {
        let mut options = match &config.location {
            Location::File(path) => {
                private::create(path)
                    .map_err(|error| StoreError::Unavailable { reason: error.to_string() })?;
                on_disk(path, config.synchronous, Access::Write)
            }
            Location::Memory => in_memory(),
        };
        versions.watch(&mut options);
        Ok(Database::connect(options).await?)
    }

    /// In memory there is one connection, which readers and the writer take turns at.
    pub(crate) async fn with_readers(
        config: &StoreConfig,
        writer: DatabaseConnection,
    ) -> Result<Self, StoreError> {
        let reader = match &config.location {
            Location::File(path) => {
                Database::connect(on_disk(path, config.synchronous, Access::Read)).await?
            }
            Location::Memory => writer.clone(),
        };
        Ok(Self { writer, reader })
    }
}

/// What SQLite keeps beside a database that somebody has open, or that nobody closed.
const LOG_SUFFIX: &str = "-wal";

/// Opened for reading, and nothing is made beside it: where there is no log ahead of the database,
/// SQLite is told that nobody changes it, and else it reads the log that is there, by its index.
pub(crate) async fn look(file: &Path) -> Result<DatabaseConnection, StoreError> {
    let mut log = file.as_os_str().to_owned();
    log.push(LOG_SUFFIX);
    let (closed, path) = (!Path::new(&log).exists(), file.to_owned());
    let mut options = options("sqlite:".to_owned(), 1);
    options.map_sqlx_sqlite_opts(move |sqlite| {
        sqlite
            .filename(&path)
            .create_if_missing(false)
            .read_only(true)
            .immutable(closed)
            .busy_timeout(Duration::from_secs(BUSY_SECONDS))
    });
    Ok(Database::connect(options).await?)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Write,
    Read,
}

/// A transaction that will write takes the lock at once: SQLite waits for it there, and nowhere later.
pub(crate) async fn begin(writer: &DatabaseConnection) -> Result<DatabaseTransaction, DbErr> {
    let immediate = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..TransactionOptions::default()
    };
    writer.begin_with_options(immediate).await
}

fn options(url: String, connections: u32) -> ConnectOptions {
    let mut options = ConnectOptions::new(url);
    options
        .max_connections(connections)
        .min_connections(1)
        .acquire_timeout(Duration::from_secs(ACQUIRE_SECONDS))
        .idle_timeout(None)
        .max_lifetime(None)
        // A file does not hang up: asking before each use would double every read.
        .test_before_acquire(false)
        .sqlx_logging(false)
        .record_stmt_in_spans(false);
    options
}

fn in_memory() -> ConnectOptions {
    let mut options = options("sqlite::memory:".to_owned(), 1);
    options.map_sqlx_sqlite_opts(|sqlite| sqlite.foreign_keys(true));
    options
}

fn on_disk(path: &Path, synchronous: Synchronous, access: Access) -> ConnectOptions {
    let connections = if access == Access::Write { 1 } else { READERS_MAX };
    let mut options = options("sqlite:".to_owned(), connections);
    let path = path.to_owned();
    options.map_sqlx_sqlite_opts(move |sqlite| {
        sqlite
            .filename(&path)
            .create_if_missing(access == Access::Write)
            .read_only(access == Access::Read)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(match synchronous {
                Synchronous::Full => SqliteSynchronous::Full,
                Synchronous::Normal => SqliteSynchronous::Normal,
            })
            .page_size(PAGE_BYTES)
            .pragma("cache_size", CACHE)
            .pragma("wal_autocheckpoint", CHECKPOINT_PAGES)
            .pragma("secure_delete", SECURE_DELETE)
            .statement_cache_capacity(STATEMENTS_KEPT)
            .busy_timeout(Duration::from_secs(BUSY_SECONDS))
            .foreign_keys(true)
    });
    options
}
