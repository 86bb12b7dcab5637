//! What an erasure takes of one profile.

use super::{
    author::ProfileAuthor,
    change::{Version, forget},
    record,
    row::{ProfileHow, ProfileOwner, ProfileRow, newest},
};
use crate::{
    audit::Chain,
    database::{
        clock::now,
        number::{from_db, to_db},
        statement::{Reads, query},
    },
    error::StoreError,
    keys::rotation::Ring,
    writer::write_transaction::WriteTransaction,
};
use std::sync::Arc;
use uuid::Uuid;
use wiiiv_domain::{ProfileDocument, Timestamp};
use wiiiv_vault::AuditKey;

/// All versions, or those before a time. The newest goes only where it is from before that time too; an empty version
/// then takes its place, so that no number is used twice and nobody saves over what they saw before.
pub(crate) struct EraseProfiles {
    pub(super) author: ProfileAuthor,
    pub(super) owner: ProfileOwner,
    pub(super) key: Arc<AuditKey>,
    pub(super) ring: Arc<Ring>,
    pub(super) erasure: Option<Uuid>,
    pub(super) before: Option<Timestamp>,
}

impl EraseProfiles {
    /// How many versions went.
    pub(super) async fn erase(self, tx: &mut WriteTransaction) -> Result<u64, StoreError> {
        tx.db.overwrite(true)?;
        let erased = self.taken(tx).await;
        tx.db.overwrite(false)?;
        erased
    }

    async fn taken(&self, tx: &mut WriteTransaction) -> Result<u64, StoreError> {
        let (at, owner) = (now(), &self.owner);
        self.author.stands(&tx.db, at).await?;
        let Some(model) = newest(&tx.db, owner).await? else { return Ok(0) };
        let row = ProfileRow::opened(&model, &self.ring.vault())?;
        let goes = self.before.is_none_or(|before| row.at < before) && !row.document.is_empty();
        let up_to = if goes { row.version } else { self.older_than(&tx.db, &row).await? };
        if goes {
            let (key, ring) = (&self.key, &self.ring);
            let version = Version { owner, key, ring, before: &row.document };
            // Its numbers go on: what was asked about before is nobody's to answer.
            let empty = ProfileDocument { asked: row.document.asked, ..ProfileDocument::default() };
            let made = (self.author.user(), at, None);
            version.write(tx, row.version, (empty, ProfileHow::Erased), made).await?;
        }
        let versions = forget(tx, owner, up_to).await?;
        if versions > 0 {
            let by = (self.author.user(), self.erasure);
            let entry = record::erased(owner, (up_to, versions), by);
            tx.record(Chain::Project(owner.project), at, entry).await?;
        }
        Ok(versions)
    }

    /// The newest version but this one that goes; 0: there is none.
    async fn older_than<C: Reads>(&self, db: &C, row: &ProfileRow) -> Result<u64, StoreError> {
        let Some(before) = self.before else { return Ok(row.version.saturating_sub(1)) };
        let sql = "SELECT MAX(version) FROM profile WHERE person = $1 AND project = $2 \
                   AND schema = $3 AND version < $4 AND at < $5";
        let values = vec![
            self.owner.person.uuid().into(),
            self.owner.project.uuid().into(),
            self.owner.schema.to_string().into(),
            to_db(row.version)?.into(),
            before.unix_ms().into(),
        ];
        let found = query(db, sql, values).await?.ok_or_else(StoreError::given_up)?;
        Ok(found.get::<Option<i64>>(0)?.map_or(0, from_db))
    }
}
