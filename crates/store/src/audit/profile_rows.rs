//! Checks what people told of themselves against the records of who changed it. The newest version is the one of the
//! last record, and what an erasure took stays away.

use super::{
    Chain,
    named_records::{NamedRecord, differs, lacking},
};
use crate::{
    database::{
        entity::{audit_record, profile},
        statement::{Reads, models, only},
    },
    error::StoreError,
    keys::{hmac, rotation::Ring},
    profile::{CHANGED, ERASED, ProfileOwner, ProfileRow, document_hmac},
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _};
use serde_json::Value;
use std::collections::BTreeMap;
use uuid::Uuid;
use wiiiv_domain::ProfileName;

/// What the records of one profile come to.
#[derive(Default)]
struct ProfileRecord {
    /// The last version that was written, and the record of it.
    version: u64,
    seq: i64,
    /// Up to here versions were erased.
    erased: u64,
}

/// All of them. Versions that are older than those that are there went because there were too many.
pub(super) async fn examine_profiles<C: Reads>(db: &C, ring: &Ring) -> Result<(), StoreError> {
    let mut told = all_told(db).await?;
    let rows = profile::Entity::find()
        .order_by_asc(profile::Column::Person)
        .order_by_asc(profile::Column::Project)
        .order_by_asc(profile::Column::Schema)
        .order_by_desc(profile::Column::Version);
    let mut current: Option<(ProfileOwner, ProfileRecord)> = None;
    for kept in models(rows, db).await? {
        let row = ProfileRow::opened(&kept, &ring.vault())
            .map_err(|_| differs("profile of the person", kept.person, &[]))?;
        if current.as_ref().is_none_or(|(owner, _)| *owner != row.owner) {
            let record = told.remove(&row.owner).unwrap_or_default();
            current = Some((row.owner.clone(), record));
        }
        let Some((_, record)) = &mut current else { continue };
        examine(db, ring, (&kept, &row), record).await?;
        record.version = record.version.saturating_sub(1);
    }
    match told.into_iter().next() {
        Some((owner, record)) => {
            Err(lacking(&Chain::Project(owner.project).to_string(), record.seq))
        }
        None => Ok(()),
    }
}

async fn all_told<C: Reads>(db: &C) -> Result<BTreeMap<ProfileOwner, ProfileRecord>, StoreError> {
    use audit_record::Column;
    let records = audit_record::Entity::find()
        .filter(Column::Kind.is_in([CHANGED, ERASED]))
        .order_by_asc(Column::Seq);
    let mut told = BTreeMap::<ProfileOwner, ProfileRecord>::new();
    for row in models(records, db).await? {
        let record = NamedRecord::read(&row, db.seals())?;
        let person = record.text("holder").and_then(|id| Uuid::parse_str(id).ok());
        let schema = record.text("schema").and_then(|name| ProfileName::parse(name).ok());
        let project = match row.chain.parse() {
            Ok(Chain::Project(project)) => Some(project),
            Ok(Chain::Server) | Err(_) => None,
        };
        let (Some(person), Some(schema), Some(project)) = (person, schema, project) else {
            return Err(StoreError::corrupt("a record of a profile"));
        };
        let owner = ProfileOwner { person: person.into(), project, schema };
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

/// `told.version`: the one that is due.
async fn examine<C: Reads>(
    db: &C,
    ring: &Ring,
    (kept, row): (&profile::Model, &ProfileRow),
    told: &ProfileRecord,
) -> Result<(), StoreError> {
    let project = row.owner.project;
    let place = (Chain::Project(project).to_string(), kept.at_seq);
    let record = only(audit_record::Entity::find_by_id(place), db).await?;
    let record = record.map(|record| NamedRecord::read(&record, db.seals())).transpose()?;
    let key = hmac::kept(db, ring, project).await?;
    let key = key.ok_or_else(|| {
        StoreError::tampered(format!("the key of the profiles of the project `{project}` is gone"))
    })?;
    let hmac = document_hmac(&key, &row.owner, &row.document)?;
    let is_due = row.version == told.version && row.version > told.erased;
    let is_of = |record: &NamedRecord| {
        record.kind == CHANGED
            && record.is("holder", row.owner.person)
            && record.is("schema", &row.owner.schema)
            && record.is("version", row.version)
            && record.is("how", row.how)
            && record.is("by", row.author)
            && record.is("documentHmac", &hmac)
            && row.turn.map_or_else(|| !record.has("turn"), |turn| record.is("turn", turn))
            && record.at == row.at
    };
    let same = is_due && record.as_ref().is_some_and(is_of);
    let person = row.owner.person.uuid();
    same.then_some(()).ok_or_else(|| differs("profile of the person", person, record.as_slice()))
}
