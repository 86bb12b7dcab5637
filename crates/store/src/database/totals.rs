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
    (SELECT COUNT(*) FROM approval WHERE state = 'pending'), \
    (SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM audit_head)";

impl Store {
    pub async fn totals(&self) -> Result<Totals, StoreError> {
        let row = query(self.reader(), TOTALS, Vec::new()).await?;
        let row = row.ok_or_else(StoreError::given_up)?;
        Ok(Totals { approvals_waiting: from_db(row.get(0)?), audit_records: from_db(row.get(1)?) })
    }
}
