//! A version of a memory, as its row has it.

use crate::{
    database::{
        column::{from_word, time},
        entity::memory,
        number::{from_db, to_db},
        statement::{Reads, Writes, models, run},
    },
    error::StoreError,
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _,
    QuerySelect as _, Select,
};
use uuid::Uuid;
use wiiiv_domain::{MemoryOwner, MemoryScope, MemoryText, Timestamp, TurnId, UserId};

/// One version, of which the newest counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryRow {
    pub owner: MemoryOwner,
    /// Counted from 1; none is used twice.
    pub version: u64,
    pub text: MemoryText,
    pub author: UserId,
    pub at: Timestamp,
    /// The turn that asked for it. `None`: it was edited.
    pub turn: Option<TurnId>,
    /// The only person whose words are in the text. `None`: there are several.
    pub sole_author: Option<UserId>,
}

impl MemoryRow {
    /// Somebody else than this person wrote some of what stands there.
    #[must_use]
    pub fn has_words_of_others(&self, reader: UserId) -> bool {
        !self.text.is_empty() && self.sole_author != Some(reader)
    }

    pub(crate) fn read(row: &memory::Model) -> Result<Self, StoreError> {
        // Its text is in no error.
        let text = MemoryText::parse(&row.text);
        Ok(Self {
            owner: owner_of(&row.kind, row.holder)?,
            version: from_db(row.version),
            text: text.map_err(|_| StoreError::corrupt("the text of a memory"))?,
            author: row.author.into(),
            at: time(row.at),
            turn: row.turn.map(Into::into),
            sole_author: row.sole_author.map(Into::into),
        })
    }

    /// `seq`: the record of it.
    pub(super) async fn insert<C: Writes>(&self, db: &C, seq: u64) -> Result<(), StoreError> {
        let row = memory::ActiveModel {
            kind: Set(self.owner.scope().as_str().to_owned()),
            holder: Set(self.owner.uuid()),
            version: Set(to_db(self.version)?),
            text: Set(self.text.as_str().to_owned()),
            author: Set(self.author.uuid()),
            at: Set(self.at.unix_ms()),
            turn: Set(self.turn.map(TurnId::uuid)),
            sole_author: Set(self.sole_author.map(UserId::uuid)),
            at_seq: Set(to_db(seq)?),
        };
        run(db, &memory::Entity::insert(row)).await.map(drop)
    }
}

pub(crate) fn owner_of(kind: &str, holder: Uuid) -> Result<MemoryOwner, StoreError> {
    let scope: MemoryScope = from_word(kind, "whose memory a row is")?;
    Ok(match scope {
        MemoryScope::User => MemoryOwner::User(holder.into()),
        MemoryScope::Project => MemoryOwner::Project(holder.into()),
    })
}

/// Its versions, newest first.
pub(crate) fn versions_of(owner: MemoryOwner) -> Select<memory::Entity> {
    memory::Entity::find()
        .filter(memory::Column::Kind.eq(owner.scope().as_str()))
        .filter(memory::Column::Holder.eq(owner.uuid()))
        .order_by_desc(memory::Column::Version)
}

/// Before that version, or all.
pub(super) async fn versions<C: Reads>(
    db: &C,
    owner: MemoryOwner,
    before: Option<u64>,
    limit: u64,
) -> Result<Vec<MemoryRow>, StoreError> {
    let before = before.map_or(i64::MAX, |version| i64::try_from(version).unwrap_or(i64::MAX));
    let of = versions_of(owner).filter(memory::Column::Version.lt(before)).limit(limit);
    models(of, db).await?.iter().map(MemoryRow::read).collect()
}

pub(super) async fn newest<C: Reads>(
    db: &C,
    owner: MemoryOwner,
) -> Result<Option<MemoryRow>, StoreError> {
    Ok(versions(db, owner, None, 1).await?.pop())
}

/// What this turn asked for.
pub(super) async fn of_turn<C: Reads>(
    db: &C,
    owner: MemoryOwner,
    turn: TurnId,
) -> Result<Option<MemoryRow>, StoreError> {
    let of = versions_of(owner).filter(memory::Column::Turn.eq(turn.uuid()));
    models(of, db).await?.first().map(MemoryRow::read).transpose()
}
