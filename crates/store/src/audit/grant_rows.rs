//! Checks the rows of grants against the audit: who gave each to whom, which runs used it, who revoked it.

use super::{
    Chain,
    approval_rows::grants_of,
    named_records::{NamedRecord, about, differs, lacking},
};
use crate::{
    database::{
        clock::now,
        entity::audit_record,
        statement::{Reads, Row, only, query, query_all},
    },
    error::StoreError,
    grant::row::{GRANTED, REVOKED, USED},
};
use sea_orm::EntityTrait as _;
use serde_json::{Value, json};
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, Timestamp};

const WHAT: &str = "approval grant";

const GRANTS: &str = "SELECT id, project, granter, holder, made_from, uses, given_at, expires_at, \
    at_seq, evidence, not_before FROM approval_grant";
const USES: &str = "SELECT used.grant_id, used.execution, used.blueprint, used.digest, used.taken, \
    used.used_at, used.at_seq, approval_grant.project FROM approval_grant_use used \
    LEFT JOIN approval_grant ON approval_grant.id = used.grant_id";
const REVOKED_ROWS: &str = "SELECT revoked.grant_id, revoked.revoked_by, revoked.revoked_at, \
    revoked.at_seq, approval_grant.project FROM approval_grant_revoked revoked \
    LEFT JOIN approval_grant ON approval_grant.id = revoked.grant_id";

/// All of them, each as its records tell, and none that a record tells of is gone.
pub(super) async fn examine_grants<C: Reads>(db: &C) -> Result<(), StoreError> {
    let grants = query_all(db, GRANTS, Vec::new()).await?;
    for row in &grants {
        given(db, row).await?;
    }
    for row in query_all(db, USES, Vec::new()).await? {
        used(db, &row).await?;
    }
    for row in query_all(db, REVOKED_ROWS, Vec::new()).await? {
        revoked(db, &row).await?;
    }
    let over = "SELECT approval_grant.id FROM approval_grant JOIN approval_grant_use used \
                ON used.grant_id = approval_grant.id \
                GROUP BY approval_grant.id, approval_grant.uses \
                HAVING SUM(used.taken) > approval_grant.uses LIMIT 1";
    if let Some(row) = query(db, over, Vec::new()).await? {
        return Err(differs(WHAT, row.get(0)?, &[]));
    }
    gone(db).await
}

/// Those that may still count, with what was used of them.
pub(super) async fn examine_live_grants<C: Reads>(db: &C) -> Result<(), StoreError> {
    let live = format!("{GRANTS} WHERE expires_at > $1");
    for row in query_all(db, &live, vec![now().unix_ms().into()]).await? {
        given(db, &row).await?;
        let of = format!("{USES} WHERE used.grant_id = $1");
        let (grant, project): (Uuid, Uuid) = (row.get(0)?, row.get(1)?);
        for row in query_all(db, &of, vec![grant.into()]).await? {
            used(db, &row).await?;
        }
        as_often(db, (project, grant)).await?;
    }
    Ok(())
}

/// As many uses and revocations of it as the audit tells of.
async fn as_often<C: Reads>(db: &C, (project, grant): (Uuid, Uuid)) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT (SELECT CAST(COUNT(*) AS BIGINT) FROM audit_record WHERE chain = $1 \
         AND about = $2 AND kind IN ('{USED}', '{REVOKED}')), \
         (SELECT CAST(COUNT(*) AS BIGINT) FROM approval_grant_use WHERE grant_id = $2) + \
         (SELECT CAST(COUNT(*) AS BIGINT) FROM approval_grant_revoked WHERE grant_id = $2)"
    );
    let values = vec![Chain::Project(project.into()).to_string().into(), grant.into()];
    let row = query(db, &sql, values).await?.ok_or_else(StoreError::given_up)?;
    let (told, kept): (i64, i64) = (row.get(0)?, row.get(1)?);
    (told == kept).then_some(()).ok_or_else(|| differs(WHAT, grant, &[]))
}

/// What the run of this plan used.
pub(super) async fn grants_used_in<C: Reads>(db: &C, plan: Uuid) -> Result<(), StoreError> {
    let of = format!("{USES} WHERE used.blueprint = $1");
    for row in query_all(db, &of, vec![plan.into()]).await? {
        used(db, &row).await?;
        let grant: Uuid = row.get(0)?;
        let of = format!("{GRANTS} WHERE id = $1");
        let found = query(db, &of, vec![grant.into()]).await?;
        given(db, &found.ok_or_else(|| differs(WHAT, grant, &[]))?).await?;
    }
    Ok(())
}

async fn given<C: Reads>(db: &C, row: &Row) -> Result<(), StoreError> {
    let (id, project): (Uuid, Uuid) = (row.get(0)?, row.get(1)?);
    let (granter, holder, made_from): (Uuid, Uuid, Uuid) = (row.get(2)?, row.get(3)?, row.get(4)?);
    let (uses, at, expires): (i64, i64, i64) = (row.get(5)?, row.get(6)?, row.get(7)?);
    let (seq, evidence, from): (i64, Vec<u8>, Option<i64>) =
        (row.get(8)?, row.get(9)?, row.get(10)?);
    let record = record_at(db, (project, seq)).await?;
    let same = record.as_ref().is_some_and(|record| {
        record.kind == GRANTED
            && record.is("grant", id)
            && record.is("granter", granter)
            && record.is("holder", holder)
            && record.is("madeFrom", made_from)
            && record.is("uses", uses)
            && record.is("expiresAt", Timestamp::from_unix_ms(expires))
            && begins(record, from)
            && record.is("evidence", ContentDigest::of_bytes(&evidence))
            && record.at.unix_ms() == at
    });
    same.then_some(()).ok_or_else(|| differs(WHAT, id, record.as_slice()))
}

/// At that time; one that begins when it is given has none, as those from before a grant could begin later.
fn begins(record: &NamedRecord, from: Option<i64>) -> bool {
    match from {
        Some(from) => record.is("notBefore", Timestamp::from_unix_ms(from)),
        None => !record.has("notBefore"),
    }
}

/// By the run whose start rests on it, for as many of its uses.
async fn used<C: Reads>(db: &C, row: &Row) -> Result<(), StoreError> {
    let (grant, execution, blueprint): (Uuid, Uuid, Uuid) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let (digest, taken): (Vec<u8>, i64) = (row.get(3)?, row.get(4)?);
    let (at, seq, project): (i64, i64, Option<Uuid>) = (row.get(5)?, row.get(6)?, row.get(7)?);
    let project = project.ok_or_else(|| differs(WHAT, grant, &[]))?;
    let record = record_at(db, (project, seq)).await?;
    let told = record.as_ref().is_some_and(|record| {
        record.kind == USED
            && record.is("grant", grant)
            && record.is("execution", execution)
            && record.is("blueprint", blueprint)
            && record.is("digest", hex::encode(&digest))
            && record.is("taken", taken)
            && record.at.unix_ms() == at
    });
    let records = about(db, project.into(), execution).await?;
    let start = records.iter().find(|record| record.allows("blueprint"));
    let named = start.is_some_and(|start| {
        let is_it = |of: &Value| {
            of.get("grant") == Some(&json!(grant)) && of.get("taken") == Some(&json!(taken))
        };
        start.of_subject("blueprint") == Some(&json!(blueprint))
            && grants_of(start).is_some_and(|grants| grants.iter().any(is_it))
    });
    let same = told && named;
    same.then_some(()).ok_or_else(|| differs(WHAT, grant, record.as_slice()))
}

async fn revoked<C: Reads>(db: &C, row: &Row) -> Result<(), StoreError> {
    let (grant, by): (Uuid, Uuid) = (row.get(0)?, row.get(1)?);
    let (at, seq, project): (i64, i64, Option<Uuid>) = (row.get(2)?, row.get(3)?, row.get(4)?);
    let project = project.ok_or_else(|| differs(WHAT, grant, &[]))?;
    let record = record_at(db, (project, seq)).await?;
    let same = record.as_ref().is_some_and(|record| {
        record.kind == REVOKED
            && record.is("grant", grant)
            && record.is("by", by)
            && record.at.unix_ms() == at
    });
    same.then_some(()).ok_or_else(|| differs(WHAT, grant, record.as_slice()))
}

async fn record_at<C: Reads>(
    db: &C,
    (project, seq): (Uuid, i64),
) -> Result<Option<NamedRecord>, StoreError> {
    let place = (Chain::Project(project.into()).to_string(), seq);
    let record = only(audit_record::Entity::find_by_id(place), db).await?;
    record.map(|record| NamedRecord::read(&record, db.seals())).transpose()
}

/// What the audit tells of and the tables have not: a grant, a use, a revocation, or a run that rests on a
/// grant and has used none.
async fn gone<C: Reads>(db: &C) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT record.chain, record.seq FROM audit_record record WHERE \
         (record.kind = '{GRANTED}' AND NOT EXISTS \
          (SELECT 1 FROM approval_grant own WHERE own.id = record.about)) OR \
         (record.kind = '{USED}' AND NOT EXISTS (SELECT 1 FROM approval_grant_use own \
          WHERE own.grant_id = record.about AND own.at_seq = record.seq)) OR \
         (record.kind = '{REVOKED}' AND NOT EXISTS (SELECT 1 FROM approval_grant_revoked own \
          WHERE own.grant_id = record.about AND own.at_seq = record.seq)) OR \
         (record.kind = 'decision' AND record.line LIKE '%\"basis\":\"pre_approved\"%' \
          AND record.line LIKE '%\"outcome\":\"ALLOW\"%' AND NOT EXISTS \
          (SELECT 1 FROM approval_grant_use own WHERE own.execution = record.about)) LIMIT 1"
    );
    match query(db, &sql, Vec::new()).await? {
        Some(row) => Err(lacking(&row.get::<String>(0)?, row.get(1)?)),
        None => Ok(()),
    }
}
