//! Connections for short reads. Each is used by one thread at a time and for one statement.

use crate::{
    database::{
        connect::{Access, Origin},
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
    idle: Mutex<Vec<Sqlite>>,
}

impl DirectReader {
    pub(crate) const fn new(origin: Origin, tally: Arc<Tally>) -> Self {
        Self { origin, tally, idle: Mutex::new(Vec::new()) }
    }

    /// What a statement finds that changes nothing.
    pub(crate) fn rows(&self, sql: &str, values: &[Value]) -> Result<Vec<Row>, StoreError> {
        let idle = self.idle().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => Sqlite::open(&self.origin, Access::Read, &self.tally)?,
        };
        let rows = connection.rows(sql, values);
        self.idle().push(connection);
        rows
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
}
