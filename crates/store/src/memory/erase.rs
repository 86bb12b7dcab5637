//! What an erasure takes of one memory.

use super::{
    change::Change,
    record::{self, chain_of},
    row::{MemoryRow, newest},
};
use crate::{
    database::{
        clock::now,
        number::{from_db, to_db},
        statement::{Reads, query},
    },
    error::StoreError,
    writer::write_transaction::WriteTransaction,
};
use uuid::Uuid;
use wiiiv_domain::{MemoryText, Timestamp};

/// All versions, or those before a time. The newest goes only where it is from before that time too; an empty
/// version then takes its place, so that no number is used twice and nobody saves over what they saw before.
pub(crate) struct EraseMemory {
    pub(super) change: Change,
    pub(super) erasure: Uuid,
    pub(super) before: Option<Timestamp>,
}

impl EraseMemory {
    /// How many versions went.
    pub(crate) async fn erase(self, tx: &mut WriteTransaction) -> Result<u64, StoreError> {
        let (at, change) = (now(), &self.change);
        change.author.stands(&tx.db, at).await?;
        let Some(row) = newest(&tx.db, change.owner).await? else { return Ok(0) };
        let goes = self.before.is_none_or(|before| row.at < before) && !row.text.is_empty();
        let up_to = match goes {
            true => row.version,
            false => self.older_than(&tx.db, &row).await?,
        };
        // Before the empty one comes, for which the oldest may have to go: all are counted.
        let versions = change.forget(tx, up_to).await?;
        if goes {
            let emptied = (MemoryText::empty(), None);
            change.write(tx, Some(&row), emptied, at).await?;
        }
        if versions > 0 {
            let by = (change.author.user(), self.erasure);
            let entry = record::erased(change.owner, (up_to, versions), by);
            tx.record(chain_of(change.owner), at, entry).await?;
        }
        Ok(versions)
    }

    /// The newest version but this one that goes; 0: there is none.
    async fn older_than<C: Reads>(&self, db: &C, row: &MemoryRow) -> Result<u64, StoreError> {
        let Some(before) = self.before else { return Ok(row.version.saturating_sub(1)) };
        let owner = self.change.owner;
        let sql = "SELECT MAX(version) FROM memory WHERE kind = $1 AND holder = $2 \
                   AND version < $3 AND at < $4";
        let values = vec![
            owner.scope().as_str().into(),
            owner.uuid().into(),
            to_db(row.version)?.into(),
            before.unix_ms().into(),
        ];
        let found = query(db, sql, values).await?.ok_or_else(StoreError::given_up)?;
        Ok(found.get::<Option<i64>>(0)?.map_or(0, from_db))
    }
}
