//! Counts over all stored data, for monitoring.

use crate::{
    database::{number::from_db, statement::query},
    error::StoreError,
    store::Store,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Totals {
    /// Questions that nobody has answered yet.
    pub approvals_waiting: u64,
    /// In all chains.
    pub audit_records: u64,
}

const TOTALS: &str = "SELECT \
    (SELECT COUNT(*) FROM approval WHERE state = 'pending') AS waiting, \
    (SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM audit_head) AS records";

impl Store {
    pub async fn totals(&self) -> Result<Totals, StoreError> {
        let row = query(self.reader(), TOTALS, Vec::new()).await?;
        let count = |name: &str| -> Result<u64, StoreError> {
            row.as_ref().map_or(Ok(0), |row| Ok(from_db(row.try_get::<i64>("", name)?)))
        };
        Ok(Totals { approvals_waiting: count("waiting")?, audit_records: count("records")? })
    }
}
