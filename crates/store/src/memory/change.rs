//! One change of a memory: a new version with its record, and the oldest versions go.

use super::{
    record::{self, chain_of},
    refused::MemoryRefused,
    row::{MemoryRow, newest},
};
use crate::{
    account::authority::Authority,
    database::{
        clock::now,
        number::to_db,
        statement::{Reads, execute},
    },
    error::StoreError,
    writer::write_transaction::WriteTransaction,
};
use std::sync::Arc;
use wiiiv_domain::{MemoryOwner, MemoryText, ProjectId, Timestamp, TurnId, UserId};
use wiiiv_gate::{Principal, Registrar};
use wiiiv_vault::AuditKey;

/// Versions of one memory that are kept: beyond, the oldest go. The checks count on it: with another number, what
/// went by this one has to be told apart.
pub const MEMORY_VERSIONS_MAX: u64 = 200;

/// Who changes a memory, with the rights that they were let in with.
#[derive(Debug, Clone)]
pub(super) struct Author {
    by: Authority,
    user: UserId,
    /// What the rights are for.
    project: Option<ProjectId>,
    /// Owner or editor there.
    is_worker: bool,
}

impl Author {
    pub(super) fn of(who: &Principal) -> Self {
        let rights = who.rights();
        Self {
            by: Authority::of(who),
            user: who.user(),
            project: who.project(),
            is_worker: rights.owner || rights.editor,
        }
    }

    pub(super) const fn user(&self) -> UserId {
        self.user
    }

    /// An administrator may neither by being one.
    pub(super) fn may_write(
        &self,
        owner: MemoryOwner,
        registrar: &Registrar,
    ) -> Result<(), MemoryRefused> {
        Authority::check(Some(&self.by), registrar)?;
        let may = match owner {
            MemoryOwner::User(user) => user == self.user,
            MemoryOwner::Project(project) => self.project == Some(project) && self.is_worker,
        };
        may.then_some(()).ok_or(MemoryRefused::NotAllowed)
    }

    /// Asked again where it is written.
    pub(super) async fn stands<C: Reads>(&self, db: &C, at: Timestamp) -> Result<(), StoreError> {
        let stands = self.by.stands(db, self.project, at).await?;
        stands.then_some(()).ok_or(StoreError::AuthorityGone)
    }
}

/// A change of one memory, by somebody who may write it.
pub(super) struct Change {
    pub(super) author: Author,
    pub(super) owner: MemoryOwner,
    /// Of its records.
    pub(super) key: Arc<AuditKey>,
}

impl Change {
    /// `expected`: the version that its author saw, 0 for none. The same text is no change, whatever they saw.
    pub(super) async fn set(
        self,
        tx: &mut WriteTransaction,
        text: MemoryText,
        expected: u64,
    ) -> Result<MemoryRow, MemoryRefused> {
        let at = now();
        self.author.stands(&tx.db, at).await?;
        let before = newest(&tx.db, self.owner).await?;
        let current = before.as_ref().map_or(0, |row| row.version);
        match before {
            Some(row) if row.text == text => Ok(row),
            before if current == expected => {
                Ok(self.write(tx, before.as_ref(), (text, None), at).await?)
            }
            Some(_) | None => Err(MemoryRefused::Stale { current }),
        }
    }

    /// As the version behind `before`.
    pub(super) async fn write(
        &self,
        tx: &mut WriteTransaction,
        before: Option<&MemoryRow>,
        (text, turn): (MemoryText, Option<TurnId>),
        at: Timestamp,
    ) -> Result<MemoryRow, StoreError> {
        let author = self.author.user;
        let row = MemoryRow {
            owner: self.owner,
            version: before.map_or(0, |row| row.version) + 1,
            sole_author: sole_author(before, author, &text),
            text,
            author,
            at,
            turn,
        };
        let chars = before.map_or(0, |row| row.text.chars());
        let entry = record::changed(&row, chars, &self.key);
        let seq = tx.record(chain_of(self.owner), at, entry).await?;
        row.insert(&tx.db, seq).await?;
        if row.version > MEMORY_VERSIONS_MAX {
            self.forget(tx, row.version - MEMORY_VERSIONS_MAX).await?;
        }
        Ok(row)
    }

    /// Up to that version; how many they were. Nothing of them stays on a page that is free then.
    pub(super) async fn forget(
        &self,
        tx: &WriteTransaction,
        up_to: u64,
    ) -> Result<u64, StoreError> {
        let delete = "DELETE FROM memory WHERE kind = $1 AND holder = $2 AND version <= $3";
        let (kind, holder) = (self.owner.scope().as_str(), self.owner.uuid());
        let values = vec![kind.into(), holder.into(), to_db(up_to)?.into()];
        tx.db.overwrite(true)?;
        let gone = execute(&tx.db, delete, values).await;
        tx.db.overwrite(false)?;
        gone
    }
}

/// What stood there before may be all that another person wrote: it counts as theirs until it was emptied.
fn sole_author(before: Option<&MemoryRow>, author: UserId, text: &MemoryText) -> Option<UserId> {
    match before {
        Some(row) if !row.text.is_empty() && !text.is_empty() => {
            row.sole_author.filter(|sole| *sole == author)
        }
        Some(_) | None => Some(author),
    }
}
