//! Checks the rows of delegations against the records of who lent what to whom, and who ended it.

use super::{
    Chain, EVIDENCE,
    named_records::{NamedRecord, differs, lacking},
};
use crate::{
    database::{
        clock::now,
        entity::{approval_delegation as row, approval_delegation_end as end, audit_record},
        statement::{Reads, query, query_all},
    },
    error::StoreError,
};
use sea_orm::Value;
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, ProjectId, Salt, Timestamp};

pub(crate) const DELEGATED: &str = "approval.delegated";
pub(crate) const DELEGATION_ENDED: &str = "approval.delegation_ended";

/// Of `given` a filter follows. Its columns are those of the entities, in their order.
const DELEGATIONS: &str = "SELECT given.id, given.project, given.delegator, given.delegate, \
    given.starts_at, given.ends_at, given.reason, given.salt, given.at_seq, given.evidence, \
    given.given_at, ended.delegation, ended.end_seq, ended.ended_by, ended.ended_at, record.chain, \
    record.seq, record.kind, record.at, record.about, record.hash, record.line, record.seal \
    FROM approval_delegation given \
    LEFT JOIN approval_delegation_end ended ON ended.delegation = given.id \
    LEFT JOIN audit_record record ON record.chain = $1 AND record.about = given.id \
    WHERE given.project = $2 AND";
/// Where the columns of the end and of the record begin, and where the end has its record's number.
const END: usize = 11;
const END_SEQ: usize = 12;
const RECORD: usize = 15;

/// What is stored of a delegation, which its records tell too.
#[derive(Debug)]
pub(crate) struct StoredDelegation {
    pub(crate) row: row::Model,
    pub(crate) end: Option<end::Model>,
}

/// Those of a project that the filter names, the newest first, each as its records tell. The filter's values
/// are `$3` and what follows. One statement reads rows and records: no end comes in between.
pub(crate) async fn delegations_told<C: Reads>(
    db: &C,
    project: ProjectId,
    (filter, more): (&str, Vec<Value>),
) -> Result<Vec<StoredDelegation>, StoreError> {
    let sql = format!("{DELEGATIONS} {filter} ORDER BY given.at_seq DESC, record.seq");
    let mut values = vec![Chain::Project(project).to_string().into(), project.uuid().into()];
    values.extend(more);
    let mut found: Vec<(StoredDelegation, Vec<NamedRecord>)> = Vec::new();
    for read in query_all(db, &sql, values).await? {
        let row = read.model::<row::Entity>(0)?;
        let record: Option<String> = read.get(RECORD)?;
        let record = record.map(|_| read.model::<audit_record::Entity>(RECORD)).transpose()?;
        let record = record.map(|record| NamedRecord::read(&record, db.seals())).transpose()?;
        match found.last_mut() {
            Some((last, records)) if last.row.id == row.id => records.extend(record),
            Some(_) | None => {
                let end: Option<i64> = read.get(END_SEQ)?;
                let end = end.map(|_| read.model::<end::Entity>(END)).transpose()?;
                found.push((StoredDelegation { row, end }, record.into_iter().collect()));
            }
        }
    }
    let checked = found.into_iter().map(|(stored, records)| match is_as_told(&stored, &records)? {
        true => Ok(stored),
        false => Err(differs("delegation", stored.row.id, &records)),
    });
    checked.collect()
}

/// It was lent once, and ended once or not at all.
fn is_as_told(
    StoredDelegation { row, end }: &StoredDelegation,
    records: &[NamedRecord],
) -> Result<bool, StoreError> {
    let reason = reason_digest(&row.salt, &row.reason)?;
    let of = |kind: &'static str| records.iter().filter(move |record| record.kind == kind);
    let given = of(DELEGATED).next().is_some_and(|record| {
        record.seq == row.at_seq
            && record.is("delegation", row.id)
            && record.is("delegator", row.delegator)
            && record.is("delegate", row.delegate)
            && record.is("from", Timestamp::from_unix_ms(row.starts_at))
            && record.is("until", Timestamp::from_unix_ms(row.ends_at))
            && record.is("reason", reason)
            && record.is(EVIDENCE, ContentDigest::of_bytes(&row.evidence))
            && record.at.unix_ms() == row.given_at
    });
    let ended = match (end, of(DELEGATION_ENDED).next()) {
        (None, None) => true,
        (Some(end), Some(record)) => {
            record.seq == end.end_seq
                && record.is("by", end.ended_by)
                && record.at.unix_ms() == end.ended_at
        }
        (Some(_), None) | (None, Some(_)) => false,
    };
    let once = of(DELEGATED).count() == 1 && of(DELEGATION_ENDED).count() <= 1;
    Ok(given && ended && once)
}

/// What the record says of a reason: nobody guesses the text from it.
pub(crate) fn reason_digest(salt: &[u8], reason: &str) -> Result<ContentDigest, StoreError> {
    let salt = salt.try_into().map_err(|_| StoreError::corrupt("the salt of a delegation"))?;
    Ok(Salt::from_bytes(salt).digest_of(reason))
}

/// Those that may still be used.
pub(super) async fn examine_open_delegations<C: Reads>(db: &C) -> Result<(), StoreError> {
    for project in projects(db).await? {
        let filter = ("given.ends_at > $3", vec![now().unix_ms().into()]);
        delegations_told(db, project, filter).await?;
    }
    Ok(())
}

/// All, and each record has its row.
pub(super) async fn examine_delegations<C: Reads>(db: &C) -> Result<(), StoreError> {
    for project in projects(db).await? {
        delegations_told(db, project, ("TRUE", Vec::new())).await?;
    }
    let orphans = "SELECT record.chain, record.seq FROM audit_record record WHERE \
        (record.kind = $1 AND NOT EXISTS (SELECT 1 FROM approval_delegation given \
         WHERE given.id = record.about AND given.at_seq = record.seq)) OR \
        (record.kind = $2 AND NOT EXISTS (SELECT 1 FROM approval_delegation_end ended \
         WHERE ended.delegation = record.about AND ended.end_seq = record.seq)) LIMIT 1";
    let values = vec![DELEGATED.into(), DELEGATION_ENDED.into()];
    match query(db, orphans, values).await? {
        Some(row) => Err(lacking(&row.get::<String>(0)?, row.get(1)?)),
        None => Ok(()),
    }
}

/// That have any.
async fn projects<C: Reads>(db: &C) -> Result<Vec<ProjectId>, StoreError> {
    let rows =
        query_all(db, "SELECT DISTINCT project FROM approval_delegation", Vec::new()).await?;
    rows.iter().map(|row| Ok(row.get::<Uuid>(0)?.into())).collect()
}
