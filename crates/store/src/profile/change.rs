//! One change of a profile: a new version with its record, and the oldest versions go.

use super::{
    author::ProfileAuthor,
    record,
    refused::ProfileRefused,
    row::{ProfileHow, ProfileOwner, ProfileRow, newest, versions},
};
use crate::{
    audit::Chain,
    database::{clock::now, number::to_db, statement::execute},
    error::StoreError,
    keys::rotation::Ring,
    writer::write_transaction::WriteTransaction,
};
use std::{fmt, sync::Arc};
use wiiiv_domain::{
    ProfileChange, ProfileDocument, ProfileDone, ProfileName, ProfileSchema, SlotContent,
    Timestamp, TurnId, UserId,
};
use wiiiv_vault::AuditKey;

/// Versions of one profile that are kept: beyond, the oldest go.
pub const PROFILE_VERSIONS_MAX: u64 = 100;

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProfileAct {
    /// All of these or none. What is asked about waits.
    Change(Vec<ProfileChange>),
    /// Those of these that can be made, as a conversation tells them. What is asked about waits.
    Tell(Vec<ProfileChange>),
    /// A yes to the change that waits under this number.
    Accept(u64),
    /// A no to it.
    Drop(u64),
    /// Brings the values of this version back; those of safety wait for a yes. `None`: of the newest one before the current
    /// that has others. Whoever may tell nothing more only goes back by it: to what stood there before what counts now was
    /// told.
    Restore(Option<u64>),
}

impl ProfileAct {
    /// More is told by it. Whoever takes back what they told tells nothing more; of a yes the profile says which it is.
    pub(super) const fn tells(&self) -> bool {
        match self {
            Self::Change(_) | Self::Tell(_) => true,
            Self::Accept(_) | Self::Drop(_) | Self::Restore(_) => false,
        }
    }
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileChanged {
    /// `None`: nothing was ever told, and nothing is now.
    pub row: Option<ProfileRow>,
    /// Of each change that was asked for, in its order; of an undo, of each slot whose values differ.
    pub done: Vec<ProfileDone>,
}

/// A change of one profile, by its person.
pub(super) struct Change {
    pub(super) author: ProfileAuthor,
    pub(super) owner: ProfileOwner,
    pub(super) schema: Arc<ProfileSchema>,
    /// Of its records.
    pub(super) key: Arc<AuditKey>,
    pub(super) ring: Arc<Ring>,
}

impl Change {
    pub(super) async fn carry_out(
        self,
        tx: &mut WriteTransaction,
        act: ProfileAct,
        expected: Option<u64>,
    ) -> Result<ProfileChanged, ProfileRefused> {
        let at = now();
        self.author.stands(&tx.db, at).await?;
        let before = newest(&tx.db, &self.owner).await?;
        let before = before.map(|row| ProfileRow::opened(&row, &self.ring.vault())).transpose()?;
        let current = before.as_ref().map_or(0, |row| row.version);
        if expected.is_some_and(|expected| expected != current) {
            return Err(ProfileRefused::Stale { current });
        }
        let old = before.as_ref().map(|row| row.document.clone()).unwrap_or_default();
        let turn = self.author.turn();
        let (next, how, done) = match act {
            ProfileAct::Change(changes) => {
                let (next, done) = old.changed(&self.schema, &changes, (at, turn))?;
                (next, ProfileHow::Changed, done)
            }
            ProfileAct::Tell(changes) => {
                let (next, done) = old.told(&self.schema, &changes, (at, turn));
                (next, ProfileHow::Changed, done)
            }
            ProfileAct::Accept(id) => {
                let how = self.yes(tx, &old, id).await?;
                (old.accepted(&self.schema, id)?, how, Vec::new())
            }
            ProfileAct::Drop(id) => (old.dropped(id)?, ProfileHow::Dropped, Vec::new()),
            ProfileAct::Restore(version) => {
                let older = self.older(tx, (current, &old), version).await?;
                let (next, done) = old.restored(&self.schema, &older, (at, turn))?;
                (next, ProfileHow::Restored, done)
            }
        };
        if next == old {
            return Ok(ProfileChanged { row: before, done });
        }
        let version =
            Version { owner: &self.owner, key: &self.key, ring: &self.ring, before: &old };
        let made = (self.author.user(), at, turn);
        let row = version.write(tx, current, (next, how), made).await?;
        Ok(ProfileChanged { row: Some(row), done })
    }

    /// What a yes to this change is. Whoever may tell nothing more says it to an undo that goes back, and to nothing else.
    async fn yes(
        &self,
        tx: &WriteTransaction,
        now: &ProfileDocument,
        id: u64,
    ) -> Result<ProfileHow, ProfileRefused> {
        let undo = now.takes_back(id);
        let how = if undo.is_some() { ProfileHow::Restored } else { ProfileHow::Accepted };
        if self.author.may_tell() {
            return Ok(how);
        }
        let undo = undo.ok_or(ProfileRefused::NotAllowed)?;
        let kept = self.kept(tx).await?;
        goes_back(&kept, now, undo).then_some(how).ok_or(ProfileRefused::NotAllowed)
    }

    /// Newest first. To one that does not open nobody goes back.
    async fn kept(&self, tx: &WriteTransaction) -> Result<Vec<ProfileRow>, ProfileRefused> {
        let (models, vault) =
            (versions(&tx.db, &self.owner, None, PROFILE_VERSIONS_MAX).await?, self.ring.vault());
        Ok(models.iter().filter_map(|model| ProfileRow::opened(model, &vault).ok()).collect())
    }

    /// Where nothing else is to be gone back to, what there is now. Before the first version there was nothing.
    async fn older(
        &self,
        tx: &WriteTransaction,
        (current, now): (u64, &ProfileDocument),
        wanted: Option<u64>,
    ) -> Result<ProfileDocument, ProfileRefused> {
        if wanted == Some(0) {
            return Ok(ProfileDocument::default());
        }
        let kept = self.kept(tx).await?;
        // Slot by slot: of a version that was gone back to in part nobody told all that counts now.
        let may_have = |older: &ProfileDocument| {
            let differing = now.differing(older);
            let back = |slot: &ProfileName| goes_back(&kept, now, (slot, &older.content(slot)));
            self.author.may_tell() || differing.iter().all(back)
        };
        if let Some(wanted) = wanted {
            let found = kept.iter().find(|row| row.version == wanted);
            let older = &found.ok_or(ProfileRefused::NoVersion)?.document;
            return may_have(older).then(|| older.clone()).ok_or(ProfileRefused::NotAllowed);
        }
        let is_whole = kept.last().is_some_and(|row| row.version == 1);
        let mut earlier = kept.iter().map(|row| &row.document);
        match earlier.find(|older| older.slots != now.slots && may_have(older)) {
            Some(older) => Ok(older.clone()),
            None if is_whole => Ok(ProfileDocument::default()),
            None if current > 0 => Ok(now.clone()),
            None => Err(ProfileRefused::NoVersion),
        }
    }
}

/// Whether that slot held this before what it holds now was told.
fn goes_back(
    kept: &[ProfileRow],
    now: &ProfileDocument,
    (slot, to): (&ProfileName, &SlotContent),
) -> bool {
    let from = told_by(kept, |document| document.slots.get(slot) == now.slots.get(slot));
    let mut earlier = kept.iter().filter(|row| row.version < from);
    to.is_empty() || earlier.any(|row| row.document.content(slot) == *to)
}

/// The version that told what counts now, of which `holds` is true: newer ones with the same values went back to it, or
/// left them as they were. 0: it is no longer kept.
fn told_by(kept: &[ProfileRow], holds: impl Fn(&ProfileDocument) -> bool) -> u64 {
    let found = kept.iter().enumerate().find(|(nth, row)| {
        let held = kept.get(nth + 1).is_some_and(|before| holds(&before.document));
        row.how != ProfileHow::Restored && !held && holds(&row.document)
    });
    found.map_or(0, |(_, row)| row.version)
}

/// What a new version is written with.
pub(super) struct Version<'a> {
    pub(super) owner: &'a ProfileOwner,
    pub(super) key: &'a AuditKey,
    pub(super) ring: &'a Ring,
    /// What stood there before.
    pub(super) before: &'a ProfileDocument,
}

impl Version<'_> {
    /// As the version behind `current`. Sealed in the writer's job: see [`Ring`].
    pub(super) async fn write(
        &self,
        tx: &mut WriteTransaction,
        current: u64,
        (document, how): (ProfileDocument, ProfileHow),
        (author, at, turn): (UserId, Timestamp, Option<TurnId>),
    ) -> Result<ProfileRow, StoreError> {
        let slots = self.before.differing(&document);
        let row = ProfileRow {
            owner: self.owner.clone(),
            version: current + 1,
            document,
            how,
            author,
            at,
            turn,
        };
        let entry = record::changed(&row, &slots, self.key)?;
        let seq = tx.record(Chain::Project(self.owner.project), at, entry).await?;
        row.insert(&tx.db, &self.ring.vault(), seq).await?;
        if row.version > PROFILE_VERSIONS_MAX {
            forget(tx, self.owner, row.version - PROFILE_VERSIONS_MAX).await?;
        }
        Ok(row)
    }
}

/// Up to that version; how many they were. Nothing of them stays on a page that is free then.
pub(super) async fn forget(
    tx: &WriteTransaction,
    owner: &ProfileOwner,
    up_to: u64,
) -> Result<u64, StoreError> {
    let delete = "DELETE FROM profile WHERE person = $1 AND project = $2 AND schema = $3 \
                  AND version <= $4";
    let mut values = owner.values();
    values.push(to_db(up_to)?.into());
    tx.db.overwrite(true)?;
    let gone = execute(&tx.db, delete, values).await;
    tx.db.overwrite(false)?;
    gone
}

impl fmt::Debug for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Change").field("owner", &self.owner).finish_non_exhaustive()
    }
}
