//! Checks what is kept in versions against the records of who changed it. The newest version is the one of the last record,
//! the oldest is the one behind what an erasure took or what went because there were too many, and none is missing between
//! them.

use super::{
    Chain,
    named_records::{NamedRecord, differs},
};
use crate::{
    database::{
        entity::audit_record,
        statement::{Reads, models, only},
    },
    error::StoreError,
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _};
use serde_json::Value;
use std::collections::BTreeMap;
use uuid::Uuid;

/// What the records of one of them come to.
#[derive(Default)]
pub(super) struct VersionsTold {
    /// The last version that somebody wrote, and the record of it.
    version: u64,
    pub(super) seq: i64,
    /// Up to here versions were erased.
    erased: u64,
}

/// What is looked through.
pub(super) struct VersionsOf<'a> {
    /// In a word, and whose.
    pub(super) what: &'a str,
    pub(super) holder: Uuid,
    pub(super) chain: Chain,
    /// As many are kept: beyond, the oldest go.
    pub(super) max: u64,
}

/// One of them, as it is kept: which, and the record of it.
pub(super) struct KeptVersion<R> {
    pub(super) version: u64,
    pub(super) at_seq: i64,
    pub(super) row: R,
}

/// By whose they are. `owner`: whom a record names, which is of this chain; `None`: nobody.
pub(super) async fn all_told<C: Reads, O: Ord>(
    db: &C,
    (what, changed, erased): (&str, &str, &str),
    owner: impl Fn(&NamedRecord, &str) -> Option<O>,
) -> Result<BTreeMap<O, VersionsTold>, StoreError> {
    use audit_record::Column;
    let records = audit_record::Entity::find()
        .filter(Column::Kind.is_in([changed, erased]))
        .order_by_asc(Column::Seq);
    let mut told = BTreeMap::<O, VersionsTold>::new();
    for row in models(records, db).await? {
        let record = NamedRecord::read(&row, db.seals())?;
        let owner = owner(&record, &row.chain);
        let owner = owner.ok_or_else(|| StoreError::corrupt(format!("a record of a {what}")))?;
        let of = told.entry(owner).or_default();
        let number = |name: &str| record.body.get(name).and_then(Value::as_u64);
        if record.kind == changed {
            (of.version, of.seq) = (number("version").unwrap_or_default(), record.seq);
        } else {
            of.erased = number("upTo").unwrap_or_default();
        }
    }
    Ok(told)
}

/// Each version, newest first, is as its record tells, and all that are due are there, the oldest among them.
pub(super) async fn examine_versions<C: Reads, R>(
    db: &C,
    of: &VersionsOf<'_>,
    told: &VersionsTold,
    (kept, is_of): (&[KeptVersion<R>], impl Fn(&NamedRecord, &R) -> bool),
) -> Result<(), StoreError> {
    let mut expected = told.version;
    for KeptVersion { version, at_seq, row } in kept {
        let place = (of.chain.to_string(), *at_seq);
        let record = only(audit_record::Entity::find_by_id(place), db).await?;
        let record = record.map(|record| NamedRecord::read(&record, db.seals())).transpose()?;
        let is_due = *version == expected && *version > told.erased;
        if !(is_due && record.as_ref().is_some_and(|record| is_of(record, row))) {
            return Err(differs(of.what, of.holder, record.as_slice()));
        }
        expected = expected.saturating_sub(1);
    }
    let gone = told.erased.max(told.version.saturating_sub(of.max));
    (expected == gone).then_some(()).ok_or_else(|| differs(of.what, of.holder, &[]))
}
