//! Checks what people and projects have remembered against the records of who changed it.

use super::{
    named_records::{NamedRecord, lacking},
    settle::kept_signer,
    version_rows::{KeptVersion, VersionsOf, VersionsTold, all_told, examine_versions},
};
use crate::{
    database::statement::{Reads, models, query_all},
    error::StoreError,
    keys::{hmac, rotation::Ring},
    memory::{
        CHANGED, ERASED, MEMORY_VERSIONS_MAX, MemoryRow, chain_of, owner_of, text_hmac, versions_of,
    },
};
use std::sync::Arc;
use uuid::Uuid;
use wiiiv_domain::{MemoryOwner, MemoryScope};
use wiiiv_vault::AuditKey;

/// All of them.
pub(super) async fn examine_memories<C: Reads>(db: &C, ring: &Ring) -> Result<(), StoreError> {
    let mut told = all_told(db, ("memory", CHANGED, ERASED), holder).await?;
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

/// Of another chain it would be somebody else's.
fn holder(record: &NamedRecord, chain: &str) -> Option<MemoryOwner> {
    let holder = Uuid::parse_str(record.text("holder")?).ok()?;
    let owner = owner_of(record.text("scope")?, holder).ok()?;
    (chain_of(owner).to_string() == chain).then_some(owner)
}

async fn examine<C: Reads>(
    db: &C,
    ring: &Ring,
    owner: MemoryOwner,
    told: &VersionsTold,
) -> Result<(), StoreError> {
    let what = match owner.scope() {
        MemoryScope::User => "memory of the person",
        MemoryScope::Project => "memory of the project",
    };
    let key = key_of(db, ring, owner).await?;
    let mut kept = Vec::new();
    for model in models(versions_of(owner), db).await? {
        let row = MemoryRow::read(&model)?;
        kept.push(KeptVersion { version: row.version, at_seq: model.at_seq, row });
    }
    let (holder, chain, max) = (owner.uuid(), chain_of(owner), MEMORY_VERSIONS_MAX);
    let of = VersionsOf { what, holder, chain, max };
    let is_of = |record: &NamedRecord, row: &MemoryRow| is_of(record, row, &key);
    examine_versions(db, &of, told, (kept.as_slice(), is_of)).await
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
