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
        column::time,
        number::{from_db, to_db},
        older::older_than,
        statement::execute,
    },
    error::StoreError,
    keys::rotation::Ring,
    writer::write_transaction::WriteTransaction,
};
use std::sync::Arc;
use uuid::Uuid;
use wiiiv_domain::{PROFILE_CHANGES_MAX, PROFILE_PENDING_MAX, ProfileDocument, Timestamp};
use wiiiv_vault::AuditKey;

/// Numbers that one version gives at most: to what it asks, and to what it asks anew.
const ASKED_MAX: u64 = (PROFILE_CHANGES_MAX + PROFILE_PENDING_MAX) as u64;

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
    /// How many versions went. What goes need not open.
    pub(super) async fn erase(self, tx: &mut WriteTransaction) -> Result<u64, StoreError> {
        let (at, owner) = (now(), &self.owner);
        self.author.stands(&tx.db, at).await?;
        let Some(model) = newest(&tx.db, owner).await? else { return Ok(0) };
        let version = from_db(model.version);
        let old = ProfileRow::opened(&model, &self.ring.vault()).map(|row| row.document);
        let is_empty = old.as_ref().is_ok_and(ProfileDocument::is_empty);
        let goes = self.before.is_none_or(|before| time(model.at) < before) && !is_empty;
        let up_to = match goes {
            true => version,
            false => {
                let whose = "person = $3 AND project = $4 AND schema = $5";
                let rows = ("profile", whose, owner.values());
                older_than(&tx.db, rows, (version, self.before)).await?
            }
        };
        // Before the empty one comes, for which the oldest may have to go: all are counted.
        let versions = forget(tx, owner, up_to).await?;
        if goes {
            // Its numbers go on: what was asked about before is nobody's to answer.
            let asked = old.as_ref().map_or(version * ASKED_MAX, |old| old.asked);
            let empty = ProfileDocument { asked, ..ProfileDocument::default() };
            let (key, ring, old) = (&self.key, &self.ring, old.unwrap_or_default());
            let new = Version { owner, key, ring, before: &old };
            let made = (self.author.user(), at, None);
            new.write(tx, version, (empty, ProfileHow::Erased), made).await?;
        }
        if versions > 0 {
            let by = (self.author.user(), self.erasure);
            let entry = record::erased(owner, (up_to, versions), by);
            tx.record(Chain::Project(owner.project), at, entry).await?;
        }
        if let Some(erasure) = self.erasure.filter(|_| versions > 0) {
            let count = "UPDATE erasure SET profiles = profiles + 1, \
                         profile_versions = profile_versions + $2 WHERE id = $1";
            execute(&tx.db, count, vec![erasure.into(), to_db(versions)?.into()]).await?;
        }
        Ok(versions)
    }
}
