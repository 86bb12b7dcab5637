//! Connections for short reads, and for long ones of a thread that may wait. Each is used by one thread at a time, for one
//! statement.

use crate::{
    database::{
        connect::{Access, Origin},
        record_seals::RecordSeals,
        sqlite::Sqlite,
        statement::{Reads, Row},
    },
    error::StoreError,
    writer::counters::Tally,
};
use sea_orm::Value;
use std::{
    future::ready,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// As many connections as threads have read at once.
#[derive(Debug)]
pub(crate) struct DirectReader {
    origin: Origin,
    tally: Arc<Tally>,
    seals: Arc<RecordSeals>,
    idle: Mutex<Vec<Sqlite>>,
}

impl DirectReader {
    pub(crate) fn new(origin: Origin, (tally, seals): (Arc<Tally>, Arc<RecordSeals>)) -> Self {
        Self { origin, tally, seals, idle: Mutex::new(Vec::new()) }
    }

    pub(crate) fn rows(&self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let connection = self.take()?;
        let rows = connection.rows(sql, values);
        self.idle().push(connection);
        rows
    }

    fn take(&self) -> Result<Sqlite, StoreError> {
        let idle = self.idle().pop();
        match idle {
            Some(connection) => Ok(connection),
            None => Sqlite::open(&self.origin, Access::Read, (&self.tally, &self.seals)),
        }
    }

    /// What seals records.
    pub(crate) fn record_seals(&self) -> &RecordSeals {
        &self.seals
    }

    /// Empties the write-ahead log, in which what was written before still stands. Waits for readers, which
    /// may take seconds, and fails where one stays.
    pub(crate) fn empty_log(&self) -> Result<(), StoreError> {
        let writer = Sqlite::open(&self.origin, Access::Write, (&self.tally, &self.seals))?;
        let told = writer.rows("PRAGMA wal_checkpoint(TRUNCATE)", &[])?;
        let is_busy =
            told.first().map(|row| row.get::<i64>(0)).transpose()?.unwrap_or_default() != 0;
        if is_busy {
            let reason =
                "the log of the database is read and still holds what was erased: erase again";
            return Err(StoreError::Unavailable { reason: reason.to_owned() });
        }
        Ok(())
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Sqlite>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reads for DirectReader {
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
