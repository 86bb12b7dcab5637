//! Checks what people and projects have remembered against the records of who changed it. The newest version is the
//! one of the last record, the oldest is the one behind what an erasure took or what went because there were too
//! many, and none is missing between them.

use super::{
    named_records::{NamedRecord, differs, lacking},
    settle::kept_signer,
};
use crate::{
    database::{
        entity::audit_record,
        statement::{Reads, models, only, query_all},
    },
    error::StoreError,
    keys::{hmac, rotation::Ring},
    memory::{
        CHANGED, ERASED, MEMORY_VERSIONS_MAX, MemoryRow, chain_of, owner_of, text_hmac, versions_of,
    },
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _};
use serde_json::Value;
use std::{collections::BTreeMap, sync::Arc};
use uuid::Uuid;
use wiiiv_domain::{MemoryOwner, MemoryScope};
use wiiiv_vault::AuditKey;

/// What the records of one memory come to.
#[derive(Default)]
struct MemoryRecord {
    /// The last version that somebody wrote, and the record of it.
    version: u64,
    seq: i64,
    /// Up to here versions were erased.
    erased: u64,
}

/// All of them.
pub(super) async fn examine_memories<C: Reads>(db: &C, ring: &Ring) -> Result<(), StoreError> {
    let mut told = all_told(db).await?;
    let owners = "SELECT DISTINCT kind, holder FROM memory";
    for found in query_all(db, owners, Vec::new()).await? {
        let owner = owner_of(&found.get::<String>(0)?, found.get(1)?)?;
        let record = told.remove(&owner).unwrap_or_default();
        examine(db, ring, owner, &record).await?;
    }
    match told.into_iter().next() {
        Some((owner, record)) => Err(lacking(&chain_of(owner).to_string(), record.seq)),
        None => Ok(()),
    }
}

async fn all_told<C: Reads>(db: &C) -> Result<BTreeMap<MemoryOwner, MemoryRecord>, StoreError> {
    use audit_record::Column;
    let records = audit_record::Entity::find()
        .filter(Column::Kind.is_in([CHANGED, ERASED]))
        .order_by_asc(Column::Seq);
    let mut told = BTreeMap::<MemoryOwner, MemoryRecord>::new();
    for row in models(records, db).await? {
        let record = NamedRecord::read(&row, db.seals())?;
        let holder = record.text("holder").and_then(|id| Uuid::parse_str(id).ok());
        let owner = holder.zip(record.text("scope")).map(|(holder, scope)| owner_of(scope, holder));
        // Of another chain it would be somebody else's.
        let owner = owner.transpose()?.filter(|owner| chain_of(*owner).to_string() == row.chain);
        let owner = owner.ok_or_else(|| StoreError::corrupt("a record of a memory"))?;
        let of = told.entry(owner).or_default();
        let number = |name: &str| record.body.get(name).and_then(Value::as_u64);
        if record.kind == CHANGED {
            (of.version, of.seq) = (number("version").unwrap_or_default(), record.seq);
        } else {
            of.erased = number("upTo").unwrap_or_default();
        }
    }
    Ok(told)
}

/// Each version is as its record tells, and all that are due are there, the oldest among them.
async fn examine<C: Reads>(
    db: &C,
    ring: &Ring,
    owner: MemoryOwner,
    told: &MemoryRecord,
) -> Result<(), StoreError> {
    let what = match owner.scope() {
        MemoryScope::User => "memory of the person",
        MemoryScope::Project => "memory of the project",
    };
    let key = key_of(db, ring, owner).await?;
    let mut expected = told.version;
    for kept in models(versions_of(owner), db).await? {
        let place = (chain_of(owner).to_string(), kept.at_seq);
        let record = only(audit_record::Entity::find_by_id(place), db).await?;
        let record = record.map(|record| NamedRecord::read(&record, db.seals())).transpose()?;
        let row = MemoryRow::read(&kept)?;
        let is_due = row.version == expected && row.version > told.erased;
        if !(is_due && record.as_ref().is_some_and(|record| is_of(record, &row, &key))) {
            return Err(differs(what, owner.uuid(), record.as_slice()));
        }
        expected = expected.saturating_sub(1);
    }
    let gone = told.erased.max(told.version.saturating_sub(MEMORY_VERSIONS_MAX));
    (expected == gone).then_some(()).ok_or_else(|| differs(what, owner.uuid(), &[]))
}

fn is_of(record: &NamedRecord, row: &MemoryRow, key: &AuditKey) -> bool {
    record.kind == CHANGED
        && record.is("scope", row.owner.scope())
        && record.is("holder", row.owner.uuid())
        && record.is("version", row.version)
        && record.is("by", row.author)
        && record.is("soleAuthor", row.sole_author)
        && record.is("textHmac", text_hmac(key, row.owner, &row.text))
        && row.turn.map_or_else(|| !record.has("turn"), |turn| record.is("turn", turn))
        && record.at == row.at
}

/// What its texts are hashed with.
async fn key_of<C: Reads>(
    db: &C,
    ring: &Ring,
    owner: MemoryOwner,
) -> Result<Arc<AuditKey>, StoreError> {
    let key = match owner {
        MemoryOwner::User(_) => {
            kept_signer(db, ring).await?.map(|signer| Arc::clone(signer.memories()))
        }
        MemoryOwner::Project(project) => hmac::kept(db, ring, project).await?.map(Arc::new),
    };
    key.ok_or_else(|| {
        StoreError::tampered(format!("the key of the memory `{}` is gone", owner.uuid()))
    })
}
