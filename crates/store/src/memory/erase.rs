//! What an erasure takes of one memory.

use super::{
    change::Change,
    record::{self, chain_of},
    row::newest,
};
use crate::{
    database::{clock::now, older::older_than},
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
            false => {
                let of = vec![change.owner.scope().as_str().into(), change.owner.uuid().into()];
                let rows = ("memory", "kind = $3 AND holder = $4", of);
                older_than(&tx.db, rows, (row.version, self.before)).await?
            }
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
}
