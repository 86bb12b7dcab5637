//! Checks the rows of overrides against the records of who proposed, approved and ended them, and of the run
//! that took one.

use super::{
    Chain,
    named_records::{ALLOW, DECISION, NamedRecord, differs, lacking},
};
use crate::{
    database::{
        entity::{audit_record, execution, policy_override as row},
        number::from_db,
        statement::{Reads, models, only, query, query_all},
    },
    error::StoreError,
    policy::overrides::{self, APPROVED, BEGAN, ENDED, PROPOSED},
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _};
use serde_json::json;
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, ProjectId, Timestamp};
use wiiiv_gate::{AuditSeq, Recorded, Registrar, UserEvent};

const USER_EVENT: &str = "user.event";
const WHAT: &str = "override";

/// What a person did, as the record at that place has it.
pub(crate) async fn event_told<C: Reads>(
    db: &C,
    registrar: &Registrar,
    (project, seq): (ProjectId, i64),
) -> Result<Recorded<UserEvent>, StoreError> {
    let record = at(db, project.uuid(), seq).await?.filter(|record| record.kind == USER_EVENT);
    let chain = Chain::Project(project).to_string();
    let record = record.ok_or_else(|| lacking(&chain, seq))?;
    let bytes = serde_json::to_vec(&record.body)?;
    let place = AuditSeq::new(from_db(record.seq));
    Ok(registrar.restore(place, &bytes, ContentDigest::of_bytes(&bytes))?)
}

/// Who proposed, approved and ended it, and when, as their records have it.
pub(crate) async fn override_told<C: Reads>(db: &C, row: &row::Model) -> Result<(), StoreError> {
    let proposed = at(db, row.project, row.proposed_seq).await?;
    let same = proposed.as_ref().is_some_and(|record| {
        record.kind == PROPOSED
            && record.is("override", row.id)
            && record.is("by", row.proposed_by)
            && record.is("event", row.event_seq.to_string())
            && record.is("proposal", ContentDigest::of_bytes(&row.proposal))
            && record.is("expiresAt", Timestamp::from_unix_ms(row.expires_at))
            && record.at.unix_ms() == row.proposed_at
    });
    if !same {
        return Err(differs(WHAT, row.id, proposed.as_slice()));
    }
    let told = approval_told(db, row).await? && end_told(db, row).await?;
    told.then_some(()).ok_or_else(|| differs(WHAT, row.id, proposed.as_slice()))
}

async fn approval_told<C: Reads>(db: &C, row: &row::Model) -> Result<bool, StoreError> {
    let members = (row.approved_seq, row.approved_by, row.approved_at, row.version, row.ends_at);
    let (seq, by, when, version, until) = match members {
        (None, None, None, None, None) => return Ok(row.used_by.is_none()),
        (Some(seq), Some(by), Some(when), Some(version), Some(until)) => {
            (seq, by, when, version, until)
        }
        _ => return Ok(false),
    };
    let approved = at(db, row.project, seq).await?;
    // The version stands between them.
    let began = at(db, row.project, seq.saturating_add(2)).await?;
    let yes = approved.is_some_and(|record| {
        record.kind == APPROVED
            && record.is("override", row.id)
            && record.is("by", by)
            && record.at.unix_ms() == when
    });
    Ok(yes
        && began.is_some_and(|record| {
            record.kind == BEGAN
                && record.is("override", row.id)
                && record.is("policy", version)
                && record.is("until", Timestamp::from_unix_ms(until))
        }))
}

async fn end_told<C: Reads>(db: &C, row: &row::Model) -> Result<bool, StoreError> {
    let (seq, how, when) = match (row.ended_seq, row.ended_how, row.ended_at) {
        (None, None, None) => return Ok(row.ended_by.is_none() && row.ended_reason.is_none()),
        (Some(seq), Some(how), Some(when)) => (seq, how, when),
        _ => return Ok(false),
    };
    let reason = row.ended_reason.as_deref();
    let reason = reason.map(|reason| overrides::digest(&row.salt, reason)).transpose()?;
    Ok(at(db, row.project, seq).await?.is_some_and(|record| {
        record.kind == ENDED
            && record.is("override", row.id)
            && record.is("how", how.as_str())
            && record.is("by", row.ended_by)
            && record.is("reason", reason)
            && record.at.unix_ms() == when
    }))
}

/// One that a run took is taken by its ruling, and one that none took is named by none.
pub(crate) async fn override_use_told<C: Reads>(
    db: &C,
    row: &row::Model,
) -> Result<(), StoreError> {
    let Some(approved) = row.approved_seq else { return Ok(()) };
    let named = "SELECT seq FROM audit_record WHERE chain = $1 AND seq > $2 AND kind = $3 \
                 AND line LIKE $4";
    let chain = Chain::Project(row.project.into()).to_string();
    let pattern = format!("%\"takes\":\"{}\"%", row.id);
    let values = vec![chain.into(), approved.into(), DECISION.into(), pattern.into()];
    let found = query(db, named, values).await?.map(|found| found.get::<i64>(0)).transpose()?;
    let record = match found {
        Some(seq) => at(db, row.project, seq).await?,
        None => None,
    };
    let same = match (row.used_by, &record) {
        (None, None) => true,
        (Some(run), Some(record)) => {
            record.is("outcome", ALLOW) && record.of_subject("execution") == Some(&json!(run))
        }
        (None, Some(_)) | (Some(_), None) => false,
    };
    same.then_some(()).ok_or_else(|| differs(WHAT, row.id, record.as_slice()))
}

/// Those that wait or run: for a start.
pub(super) async fn examine_open_overrides<C: Reads>(db: &C) -> Result<(), StoreError> {
    let open = row::Entity::find().filter(row::Column::EndedAt.is_null());
    for row in models(open, db).await? {
        override_told(db, &row).await?;
        override_use_told(db, &row).await?;
    }
    Ok(())
}

/// All of them, and each record has its row.
pub(super) async fn examine_overrides<C: Reads>(db: &C) -> Result<(), StoreError> {
    for row in models(row::Entity::find(), db).await? {
        override_told(db, &row).await?;
        override_use_told(db, &row).await?;
        if let Some(run) = row.used_by
            && only(execution::Entity::find_by_id(run), db).await?.is_none()
        {
            return Err(differs(WHAT, row.id, &[]));
        }
    }
    for (kind, column) in
        [(PROPOSED, "proposed_seq"), (APPROVED, "approved_seq"), (ENDED, "ended_seq")]
    {
        let records = "SELECT chain, seq FROM audit_record WHERE kind = $1";
        for record in query_all(db, records, vec![kind.into()]).await? {
            let (chain, seq): (String, i64) = (record.get(0)?, record.get(1)?);
            let Ok(Chain::Project(project)) = chain.parse() else {
                return Err(lacking(&chain, seq));
            };
            let row = format!("SELECT 1 FROM policy_override WHERE project = $1 AND {column} = $2");
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
