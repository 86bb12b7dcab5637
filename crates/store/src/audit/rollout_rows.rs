//! Checks the rows of reviews and waivers against the records of who gave them.

use super::{
    Chain,
    named_records::{NamedRecord, differs, lacking},
};
use crate::{
    database::{
        entity::{audit_record, divergence_review, rollout_waiver},
        statement::{Reads, models, only, query, query_all},
    },
    error::StoreError,
    rollout,
};
use sea_orm::EntityTrait as _;
use uuid::Uuid;
use wiiiv_domain::Timestamp;

const REVIEWED: &str = "divergence.reviewed";
const ASKED: &str = "waiver.asked";
const JOINED: &str = "waiver.joined";
const PROMOTED: &str = "project.promoted";

/// A verdict as its record has it, and the note that it is the digest of.
pub(crate) async fn note_told<C: Reads>(
    db: &C,
    row: &divergence_review::Model,
) -> Result<(), StoreError> {
    let digest = rollout::digest(&row.salt, &row.note)?;
    let record = at(db, row.project, row.at_seq).await?;
    let same = record.as_ref().is_some_and(|record| {
        record.kind == REVIEWED
            && record.is("review", row.id)
            && record.is("evaluation", row.evaluation)
            && record.is("verdict", row.verdict)
            && record.is("by", row.reviewed_by)
            && record.is("note", digest)
            && record.at.unix_ms() == row.reviewed_at
    });
    same.then_some(()).ok_or_else(|| differs("review", row.id, record.as_slice()))
}

/// Who asked for it and who joined it, as their records have it.
pub(crate) async fn waiver_told<C: Reads>(
    db: &C,
    row: &rollout_waiver::Model,
) -> Result<(), StoreError> {
    let digest = rollout::digest(&row.salt, &row.reason)?;
    let asked = at(db, row.project, row.asked_seq).await?;
    let same = asked.as_ref().is_some_and(|record| {
        record.kind == ASKED
            && record.is("waiver", row.id)
            && record.is("by", row.asked_by)
            && record.is("reason", digest)
            && record.is("expiresAt", Timestamp::from_unix_ms(row.expires_at))
            && record.at.unix_ms() == row.asked_at
    });
    if !same {
        return Err(differs("waiver", row.id, asked.as_slice()));
    }
    let (seq, by, when) = match (row.joined_seq, row.joined_by, row.joined_at) {
        (None, None, None) => return Ok(()),
        (Some(seq), Some(by), Some(when)) => (seq, by, when),
        _ => return Err(differs("waiver", row.id, asked.as_slice())),
    };
    let joined = at(db, row.project, seq).await?;
    let same = joined.as_ref().is_some_and(|record| {
        record.kind == JOINED
            && record.is("waiver", row.id)
            && record.is("by", by)
            && record.at.unix_ms() == when
    });
    same.then_some(()).ok_or_else(|| differs("waiver", row.id, joined.as_slice()))
}

/// A waiver that is not used is named by no promotion, and one that is by that one.
pub(crate) async fn use_told<C: Reads>(
    db: &C,
    row: &rollout_waiver::Model,
) -> Result<(), StoreError> {
    let named = "SELECT seq FROM audit_record WHERE chain = $1 AND seq > $2 AND kind = $3 \
                 AND line LIKE $4";
    let chain = Chain::Project(row.project.into()).to_string();
    let pattern = format!("%\"waiver\":\"{}\"%", row.id);
    let values = vec![chain.into(), row.asked_seq.into(), PROMOTED.into(), pattern.into()];
    let found = query(db, named, values).await?.map(|found| found.get::<i64>(0)).transpose()?;
    let record = match found {
        Some(seq) => at(db, row.project, seq).await?,
        None => None,
    };
    let same = match (row.used_by, &record) {
        (None, None) => true,
        (Some(version), Some(record)) => record.is("policy", version),
        (None, Some(_)) | (Some(_), None) => false,
    };
    same.then_some(()).ok_or_else(|| differs("waiver", row.id, record.as_slice()))
}

/// All of them, and each record has its row.
pub(super) async fn examine_rollout<C: Reads>(db: &C) -> Result<(), StoreError> {
    for row in models(divergence_review::Entity::find(), db).await? {
        note_told(db, &row).await?;
    }
    for row in models(rollout_waiver::Entity::find(), db).await? {
        waiver_told(db, &row).await?;
        use_told(db, &row).await?;
    }
    let told = [
        (REVIEWED, "divergence_review", "at_seq"),
        (ASKED, "rollout_waiver", "asked_seq"),
        (JOINED, "rollout_waiver", "joined_seq"),
    ];
    for (kind, table, column) in told {
        let records = "SELECT chain, seq FROM audit_record WHERE kind = $1";
        for record in query_all(db, records, vec![kind.into()]).await? {
            let (chain, seq): (String, i64) = (record.get(0)?, record.get(1)?);
            let Ok(Chain::Project(project)) = chain.parse() else {
                return Err(lacking(&chain, seq));
            };
            let row = format!("SELECT 1 FROM {table} WHERE project = $1 AND {column} = $2");
            if query(db, &row, vec![project.uuid().into(), seq.into()]).await?.is_none() {
                return Err(lacking(&chain, seq));
            }
        }
    }
    Ok(())
}

async fn at<C: Reads>(db: &C, project: Uuid, seq: i64) -> Result<Option<NamedRecord>, StoreError> {
    let place = (Chain::Project(project.into()).to_string(), seq);
    let record = only(audit_record::Entity::find_by_id(place), db).await?;
    record.map(|record| NamedRecord::read(&record, db.seals())).transpose()
}
