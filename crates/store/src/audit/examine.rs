//! Whether the rows that decisions rest on are as the audit tells: each approval, run and attempt
//! beside the records that speak of it. For `doctor`: it reads everything.

use super::{Chain, line::Kept, vouch::Voucher};
use crate::{
    approval::ApprovalState,
    attempt::AttemptState,
    entity::{approval, audit_record, execution, opinion, step_attempt},
    error::StoreError,
    execution::{DECISION, ExecutionState, start_of},
    number::from_db,
    policy,
    statement::{only, query, query_all},
};
use sea_orm::{
    ColumnTrait as _, ConnectionTrait, EntityTrait as _, QueryFilter as _, QueryOrder as _,
};
use serde_json::{Map, Value, json};
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, ProjectId, RunOutcome, Timestamp};
use wiiiv_gate::{Corrupt, Registrar};

/// What one record tells.
struct Told {
    seq: i64,
    kind: String,
    at: Timestamp,
    body: Map<String, Value>,
}

impl Told {
    fn is(&self, name: &str, value: impl serde::Serialize) -> bool {
        self.body.get(name) == Some(&json!(value))
    }
    /// Of a record that is older than the member.
    fn lacks_or_is(&self, name: &str, value: impl serde::Serialize) -> bool {
        !self.body.contains_key(name) || self.is(name, value)
    }
    fn of_subject(&self, name: &str) -> Option<&Value> {
        self.body.get("subject")?.get(name)
    }
    fn allows(&self, subject: &str) -> bool {
        self.kind == DECISION
            && self.is("outcome", "ALLOW")
            && self.of_subject("kind") == Some(&json!(subject))
    }
}

/// The first row that is not as the audit tells is named.
pub(crate) async fn examine<C: ConnectionTrait>(
    db: &C,
    registrar: &Registrar,
) -> Result<(), StoreError> {
    for row in query_all(db, "SELECT id FROM project", Vec::new()).await? {
        let project = ProjectId::from(row.try_get_by_index::<Uuid>(0)?);
        policy::examine(db, registrar, project).await?;
    }
    for row in opinion::Entity::find().all(db).await? {
        opinions(db, &row).await?;
    }
    for row in approval::Entity::find().all(db).await? {
        let told = about(db, row.project, row.id).await?;
        approved(&row, &told).ok_or_else(|| differs("approval", row.id, &told))?;
    }
    for row in execution::Entity::find().all(db).await? {
        let told = about(db, row.project, row.id).await?;
        ran(&row, &told).ok_or_else(|| differs("execution", row.id, &told))?;
        let tries = attempts(db, row.id).await?;
        all_tries(&tries, &told)
            .ok_or_else(|| differs("attempts of the execution", row.id, &told))?;
        for attempt in tries {
            let what = format!(
                "attempt `{}` at step `{}` of the execution",
                attempt.attempt, attempt.step
            );
            tried(&attempt, &told).ok_or_else(|| differs(&what, row.id, &told))?;
        }
    }
    orphans(db).await
}

fn differs(what: &str, id: Uuid, told: &[Told]) -> StoreError {
    let records: Vec<String> = told.iter().map(|told| format!("`{}`", told.seq)).collect();
    let records = if records.is_empty() { "none".to_owned() } else { records.join(", ") };
    StoreError::tampered(format!("the {what} `{id}` is not as the audit tells (records {records})"))
}

/// In the order of the chain.
async fn about<C: ConnectionTrait>(
    db: &C,
    project: Uuid,
    id: Uuid,
) -> Result<Vec<Told>, StoreError> {
    use audit_record::Column;
    let chain = Chain::Project(project.into());
    let rows = audit_record::Entity::find()
        .filter(Column::About.eq(id))
        .filter(Column::Chain.eq(chain.to_string()))
        .order_by_asc(Column::Seq)
        .all(db)
        .await?;
    rows.iter().map(told).collect()
}

fn told(row: &audit_record::Model) -> Result<Told, StoreError> {
    let whole = Kept::of(row).and_then(|kept| kept.whole());
    let whole = whole.ok_or(Corrupt::Changed { at: from_db(row.seq) })?;
    Ok(Told { seq: row.seq, kind: row.kind.clone(), at: whole.at, body: whole.body })
}

async fn attempts<C: ConnectionTrait>(
    db: &C,
    execution: Uuid,
) -> Result<Vec<step_attempt::Model>, StoreError> {
    let of = step_attempt::Column::Execution.eq(execution);
    Ok(step_attempt::Entity::find().filter(of).all(db).await?)
}

async fn opinions<C: ConnectionTrait>(db: &C, row: &opinion::Model) -> Result<(), StoreError> {
    let chain = Chain::Project(row.project.into());
    let record = audit_record::Entity::find_by_id((chain.to_string(), row.at_seq));
    let line = only(record, db).await?.map(|record| record.line);
    let voucher = Voucher::read(chain, row.at_seq, "dacs.opinions", line.as_deref())?;
    let digest = voucher.digest()?;
    let same = digest.is_none_or(|digest| digest == ContentDigest::of_bytes(&row.evidence))
        && voucher.body().get("spec") == Some(&json!(hex::encode(&row.spec_digest)));
    same.then_some(()).ok_or_else(|| voucher.changed())
}

/// `None`: it differs.
fn approved(row: &approval::Model, told: &[Told]) -> Option<()> {
    let asked = told.iter().find(|told| told.kind == "approval.asked")?;
    let as_asked = asked.is("blueprint", row.blueprint)
        && asked.is("digest", hex::encode(&row.digest))
        && asked.is("by", &row.asked_of)
        && asked.is("expiresAt", Timestamp::from_unix_ms(row.expires_at))
        && asked.lacks_or_is("requester", row.requester)
        && asked.at.unix_ms() == row.asked_at;
    let given = told.iter().find(|told| told.kind == "approval.given");
    let as_given = match given {
        Some(given) => {
            row.at_seq == Some(given.seq)
                && given.is("requester", row.requester)
                && row.evidence.as_deref().is_some_and(|evidence| {
                    given.lacks_or_is("evidence", ContentDigest::of_bytes(evidence))
                })
        }
        None => row.at_seq.is_none() && row.evidence.is_none(),
    };
    (as_asked && as_given && stands(row, told)).then_some(())
}

/// What was said last is how it stands.
fn stands(row: &approval::Model, told: &[Told]) -> bool {
    const ENDS: [&str; 4] =
        ["approval.given", "approval.rejected", "approval.expired", "approval.withdrawn"];
    let last = told.iter().rfind(|told| ENDS.contains(&told.kind.as_str()));
    let Some(last) = last else {
        let untouched = row.decided_at.is_none() && row.decided_by.is_none();
        return row.state == ApprovalState::Pending && untouched;
    };
    let decided =
        |by: &str| last.is(by, row.decided_by) && row.decided_at == Some(last.at.unix_ms());
    match (last.kind.as_str(), row.state) {
        ("approval.given", ApprovalState::Approved) => {
            decided("approver") && row.consumed_by.is_none()
        }
        ("approval.given", ApprovalState::Consumed) => {
            decided("approver") && row.consumed_by.is_some()
        }
        ("approval.rejected", ApprovalState::Rejected) => decided("by"),
        ("approval.expired", ApprovalState::Expired)
        | ("approval.withdrawn", ApprovalState::Withdrawn) => true,
        _ => false,
    }
}

fn ran(row: &execution::Model, told: &[Told]) -> Option<()> {
    let start = told.iter().find(|told| told.seq == row.at_seq && told.allows("blueprint"))?;
    let voucher = Voucher::of(start.seq, start.body.clone());
    let evidence = start_of(&voucher).ok()?;
    let started = start.of_subject("blueprint") == Some(&json!(row.blueprint))
        && start.of_subject("digest") == Some(&json!(hex::encode(&row.digest)))
        && start.is("session", row.session)
        && start.at.unix_ms() == row.started_at
        && evidence == ContentDigest::of_bytes(&row.evidence);
    let (mut state, mut outcome, mut finished) = (ExecutionState::Running, None, None);
    for told in told {
        if told.kind == "execution.finished" {
            let ended = told.body.get("outcome")?;
            let came: RunOutcome = serde_json::from_value(ended.clone()).ok()?;
            state = ExecutionState::after(&came);
            outcome = Some(ended.clone());
            finished = (state != ExecutionState::Indeterminate).then(|| told.at.unix_ms());
        } else if told.allows("blueprint") && told.of_subject("resumes") == Some(&json!(true)) {
            state = ExecutionState::Running;
        }
    }
    let kept = row.outcome.as_deref().map(serde_json::from_str::<Value>);
    let kept = kept.transpose().ok()?;
    (started && (row.state, kept, row.finished_at) == (state, outcome, finished)).then_some(())
}

/// None is missing, and none is of nobody.
fn all_tries(rows: &[step_attempt::Model], told: &[Told]) -> Option<()> {
    let started = told.iter().filter(|told| told.allows("step")).count();
    let ended = told.iter().filter(|told| told.kind == "step.finished").count();
    let finished = rows.iter().filter(|row| row.state == AttemptState::Finished).count();
    ((started, ended) == (rows.len(), finished)).then_some(())
}

fn tried(row: &step_attempt::Model, told: &[Told]) -> Option<()> {
    let here = |told: &&Told| told.is("step", &row.step) && told.is("attempt", row.attempt);
    let start = told.iter().find(|told| told.seq == row.at_seq && told.allows("step"))?;
    let started = start.of_subject("step") == Some(&json!(row.step))
        && start.of_subject("attempt") == Some(&json!(row.attempt))
        && start.at.unix_ms() == row.started_at;
    let end = told.iter().filter(|told| told.kind == "step.finished").find(here);
    let ended = match (end, row.state) {
        (None, AttemptState::Started) => row.outcome.is_none() && row.finished_at.is_none(),
        (Some(end), AttemptState::Finished) => {
            let outcome = row.outcome.as_deref()?;
            end.lacks_or_is("outcome", ContentDigest::of_bytes(outcome.as_bytes()))
                && row.finished_at == Some(end.at.unix_ms())
        }
        (None, AttemptState::Finished) | (Some(_), AttemptState::Started) => false,
    };
    let word =
        told.iter().rfind(|told| told.kind == "attempt.resolved" && told.is("step", &row.step));
    let resolved = match (&row.resolution, word) {
        (Some(kept), Some(word)) => word.is("resolution", kept),
        (Some(_), None) => false,
        // The word was of another attempt at the step.
        (None, _) => true,
    };
    (started && ended && resolved).then_some(())
}

/// What the audit tells of and the tables have not.
async fn orphans<C: ConnectionTrait>(db: &C) -> Result<(), StoreError> {
    let sql = "SELECT record.chain, record.seq FROM audit_record record WHERE \
         (record.kind = 'approval.asked' \
          AND NOT EXISTS (SELECT 1 FROM approval WHERE approval.id = record.about)) OR \
         (record.kind = 'execution.finished' \
          AND NOT EXISTS (SELECT 1 FROM execution WHERE execution.id = record.about)) LIMIT 1";
    let Some(row) = query(db, sql, Vec::new()).await? else { return Ok(()) };
    let (chain, seq): (String, i64) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
    Err(StoreError::tampered(format!(
        "what record `{seq}` of the chain `{chain}` tells of is not there any more"
    )))
}
