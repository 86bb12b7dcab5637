//! Opens connections: the ORM's, for the schema, for administration's reads and for long ones, and those of
//! [`Sqlite`](super::sqlite::Sqlite).

use crate::{
    config::{Location, StoreConfig, Synchronous},
    database::private,
    error::StoreError,
};
use rusqlite::OpenFlags;
use sea_orm::{
    ConnectOptions, Database, DatabaseConnection, DatabaseTransaction, DbErr,
    SqliteTransactionMode, TransactionOptions, TransactionTrait as _,
    sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous},
};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use uuid::Uuid;

const READERS_MAX: u32 = 4;
/// SQLite's own values, which another build of it could have changed. Larger ones (pages of 8 KiB, a cache
/// of 16 MiB, 4,000 pages to a checkpoint, 512 kept statements) made no turn cheaper: docs/performance.md.
const PAGE_BYTES: u32 = 4096;
const CACHE: &str = "-2000";
const CHECKPOINT_PAGES: &str = "1000";
/// Zeros over what is deleted, as far as its page is written anyway: what was a hash of a request or a
/// kept answer does not lie in the file for long.
pub(crate) const SECURE_DELETE: &str = "FAST";
const STATEMENTS_KEPT: usize = 100;
/// What the writer may have to undo of a job stays in memory: SQLite's own way is a file for every transaction
/// of some jobs, opened, written and removed again.
const UNDO_IN_MEMORY: &str = "PRAGMA temp_store = MEMORY";
/// Connections of one process meet in it by their name.
const MEMORY_VFS: &str = "memdb";
const ACQUIRE_SECONDS: u64 = 10;
/// How long another process's lock is waited for; our own writer never waits.
const BUSY_SECONDS: u64 = 5;

/// Where the connections of one store meet.
#[derive(Debug, Clone)]
pub(crate) enum Origin {
    File {
        path: PathBuf,
        synchronous: Synchronous,
    },
    /// A name in this process: gone with the last connection to it.
    Memory {
        name: String,
    },
}

impl Origin {
    pub(crate) fn of(config: &StoreConfig) -> Result<Self, StoreError> {
        Ok(match &config.location {
            Location::File(path) => {
                private::create(path)
                    .map_err(|error| StoreError::Unavailable { reason: error.to_string() })?;
                Self::File { path: path.clone(), synchronous: config.synchronous }
            }
            // A name that begins with a slash is shared by the connections of the process.
            Location::Memory => Self::Memory { name: format!("/{}", Uuid::now_v7()) },
        })
    }

    /// The ORM's. The one that writes comes before all others: it turns the write-ahead log on.
    pub(crate) async fn orm(&self, access: Access) -> Result<DatabaseConnection, StoreError> {
        let connections = match (self, access) {
            (Self::File { .. }, Access::Read) => READERS_MAX,
            (Self::File { .. }, Access::Write) | (Self::Memory { .. }, _) => 1,
        };
        let (mut options, origin) = (options("sqlite:".to_owned(), connections), self.clone());
        options.map_sqlx_sqlite_opts(move |sqlite| origin.set(sqlite, access));
        Ok(Database::connect(options).await?)
    }

    fn set(&self, sqlite: SqliteConnectOptions, access: Access) -> SqliteConnectOptions {
        let sqlite = sqlite
            .create_if_missing(access == Access::Write)
            .busy_timeout(Duration::from_secs(BUSY_SECONDS))
            .foreign_keys(true);
        match self {
            Self::Memory { name } => sqlite.filename(name).vfs(MEMORY_VFS),
            Self::File { path, synchronous } => sqlite
                .filename(path)
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
                .statement_cache_capacity(STATEMENTS_KEPT),
        }
    }

    /// Whose statements run on the thread that asks, with the same settings.
    pub(crate) fn direct(&self, access: Access) -> rusqlite::Result<rusqlite::Connection> {
        let flags = OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        let connection = match (self, access) {
            (Self::Memory { name }, _) => rusqlite::Connection::open_with_flags(
                format!("file:{name}?vfs={MEMORY_VFS}"),
                flags | OpenFlags::SQLITE_OPEN_READ_WRITE,
            ),
            (Self::File { path, .. }, Access::Read) => rusqlite::Connection::open_with_flags(
                path,
                OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_READ_ONLY,
            ),
            (Self::File { path, .. }, Access::Write) => rusqlite::Connection::open_with_flags(
                path,
                OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_READ_WRITE,
            ),
        }?;
        connection.busy_timeout(Duration::from_secs(BUSY_SECONDS))?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS_KEPT);
        connection.pragma_update(None, "foreign_keys", true)?;
        if let Self::File { synchronous, .. } = self {
            let synchronous = match synchronous {
                Synchronous::Full => "FULL",
                Synchronous::Normal => "NORMAL",
            };
            connection.pragma_update(None, "synchronous", synchronous)?;
            connection.pragma_update(None, "cache_size", CACHE)?;
            let pages = format!("PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}");
            connection.execute_batch(&pages)?;
            connection.execute_batch(&format!("PRAGMA secure_delete = {SECURE_DELETE}"))?;
            if access == Access::Write {
                connection.execute_batch(UNDO_IN_MEMORY)?;
            }
        }
        Ok(connection)
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
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
