//! The ledger's version, which a ruling that asked the ledger is held to (`writer/apply/standing.rs`).

use crate::{
    database::{
        number::from_db,
        statement::{Writes, execute, query},
    },
    error::StoreError,
    store::Store,
};
use wiiiv_gate::LedgerVersion;

impl Store {
    /// To be taken before the ledger is read: what changes during that is another version.
    pub async fn ledger_version(&self) -> Result<LedgerVersion, StoreError> {
        let row = query(self.direct(), "SELECT version FROM ghost_ledger", Vec::new()).await?;
        let row = row.ok_or_else(gone)?;
        Ok(LedgerVersion::new(from_db(row.get(0)?)))
    }
}

/// With a result that counts, and with each change of a key.
pub(crate) async fn raise<C: Writes>(db: &C) -> Result<(), StoreError> {
    let update = "UPDATE ghost_ledger SET version = version + 1";
    match execute(db, update, Vec::new()).await? {
        1 => Ok(()),
        _ => Err(gone()),
    }
}

fn gone() -> StoreError {
    StoreError::corrupt("the version of the GHOST ledger")
}
