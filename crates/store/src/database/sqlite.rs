//! A connection of SQLite whose statements run on the thread that asks for them. The writer has
//! one; the others serve short reads. The ORM's connections hand each statement to a thread of the
//! driver and back, which costs more than such a statement does.

use crate::{
    database::{
        bind::bind,
        connect::{Access, Origin, SECURE_DELETE},
        record_seals::RecordSeals,
        statement::{Reads, Row, Writes},
        versions::Versions,
    },
    error::StoreError,
    writer::counters::Tally,
};
use rusqlite::{Statement, types::Value as Cell};
use sea_orm::Value;
use std::{
    future::ready,
    sync::{Arc, Mutex, PoisonError},
};

#[derive(Debug)]
pub(crate) struct Sqlite {
    connection: Mutex<rusqlite::Connection>,
    tally: Arc<Tally>,
    seals: Arc<RecordSeals>,
}

impl Sqlite {
    pub(crate) fn open(
        origin: &Origin,
        access: Access,
        (tally, seals): (&Arc<Tally>, &Arc<RecordSeals>),
    ) -> Result<Self, StoreError> {
        let connection = Mutex::new(origin.direct(access)?);
        Ok(Self { connection, tally: Arc::clone(tally), seals: Arc::clone(seals) })
    }

    /// Its changes are reported from now on.
    pub(crate) fn watched_by(self, versions: &Arc<Versions>) -> Result<Self, StoreError> {
        let versions = Arc::clone(versions);
        self.with(|connection| {
            connection.update_hook(Some(move |_, _: &str, table: &str, _| versions.changed(table)))
        })?;
        Ok(self)
    }

    /// Begins or ends a transaction or a savepoint: not counted as a statement.
    pub(crate) fn control(&self, sql: &str) -> Result<(), StoreError> {
        Ok(self.with(|connection| connection.prepare_cached(sql)?.raw_execute().map(drop))?)
    }

    /// Whether what is deleted from now on is overwritten too, all of it, and not only forgotten.
    ///
    /// SQLite does so while it reads the pragma: one that was kept prepared would do nothing the second time.
    pub(crate) fn overwrite(&self, all: bool) -> Result<(), StoreError> {
        let how = if all { "ON" } else { SECURE_DELETE };
        let pragma = format!("PRAGMA secure_delete = {how}");
        Ok(self.with(|connection| connection.execute_batch(&pragma))?)
    }

    /// The database may have ended the transaction by itself.
    pub(crate) fn in_transaction(&self) -> bool {
        self.with(|connection| !connection.is_autocommit())
    }

    pub(crate) fn rows(&self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        self.prepared(sql, values, rows)
    }

    fn with<T>(&self, ask: impl FnOnce(&rusqlite::Connection) -> T) -> T {
        // A panic leaves nothing half done: each statement is SQLite's own.
        ask(&self.connection.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn prepared<T>(
        &self,
        sql: &str,
        values: &[Value],
        run: impl FnOnce(&mut Statement<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        self.tally.executed(sql);
        let ran = self.with(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            bind(&mut statement, values)?;
            run(&mut statement)
        });
        Ok(ran?)
    }
}

/// Each future is ready at once.
impl Writes for Sqlite {
    fn execute(
        &self,
        sql: &str,
        values: Vec<Value>,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send {
        let changed = self.prepared(sql, &values, |statement| statement.raw_execute());
        ready(changed.map(|changed| changed as u64))
    }
}

/// As above.
impl Reads for Sqlite {
    fn query_all(
        &self,
        sql: &str,
        values: Vec<Value>,
    ) -> impl Future<Output = Result<Vec<Row>, StoreError>> + Send {
        ready(self.rows(sql, &values))
    }

    fn seals(&self) -> Option<&RecordSeals> {
        Some(&self.seals)
    }
}

fn rows(statement: &mut Statement<'_>) -> rusqlite::Result<Vec<Row>> {
    let columns = statement.column_count();
    let (mut found, mut rows) = (statement.raw_query(), Vec::new());
    while let Some(row) = found.next()? {
        let cells = (0..columns).map(|column| row.get::<_, Cell>(column));
        rows.push(Row::Direct(cells.collect::<Result<_, _>>()?));
    }
    Ok(rows)
}
