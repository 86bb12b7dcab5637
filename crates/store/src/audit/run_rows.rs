//! Checks the rows of a run and of its attempts against the audit.

use super::{
    Chain,
    named_records::{NamedRecord, differs},
    vouch::Voucher,
};
use crate::{
    database::{
        entity::{audit_record, execution, step_attempt},
        record_seals::RecordSeals,
        statement::{Reads, Row, query_all},
    },
    error::StoreError,
    run::{
        start::start_of,
        state::{AttemptState, ExecutionState},
    },
};
use sea_orm::ActiveEnum as _;
use serde_json::{Value, json};
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, ExecutionId, ProjectId, RunOutcome, Timestamp};

/// The run's own row says what the audit does, and so do its attempts.
pub(crate) async fn examine_run<C: Reads>(
    db: &C,
    row: &execution::Model,
) -> Result<Vec<step_attempt::Model>, StoreError> {
    let (tries, records) = read(db, row.project.into(), row.id.into()).await?;
    ran(row, &records).ok_or_else(|| differs("execution", row.id, &records))?;
    as_told(row.id, &tries, &records)?;
    Ok(tries)
}

/// The attempts of a run, by step, then attempt: in one statement with what the audit tells of them.
pub(crate) async fn attempts_told<C: Reads>(
    db: &C,
    project: ProjectId,
    execution: ExecutionId,
) -> Result<Vec<step_attempt::Model>, StoreError> {
    let (tries, records) = read(db, project, execution).await?;
    as_told(execution.uuid(), &tries, &records)?;
    Ok(tries)
}

/// The same of a run that is just ending, with its plan's digest as its start tells it: an attempt that ends in
/// this very boundary has no record of it yet.
pub(crate) async fn attempts_at_end<C: Reads>(
    db: &C,
    project: ProjectId,
    (execution, now): (ExecutionId, Timestamp),
) -> Result<(String, Vec<step_attempt::Model>), StoreError> {
    let (tries, records) = read(db, project, execution).await?;
    let differs = || differs("attempts of the execution", execution.uuid(), &records);
    let started = records.iter().filter(|record| record.allows("step")).count();
    let so_far = |row: &step_attempt::Model| {
        let just_now = row.state == AttemptState::Finished
            && row.finished_at == Some(now.unix_ms())
            && end_of(row, &records).is_none();
        began(row, &records).is_some() && (just_now || ended(row, &records))
    };
    if started != tries.len() || !tries.iter().all(so_far) {
        return Err(differs());
    }
    let start = records.iter().find(|record| record.allows("blueprint"));
    let digest = start.and_then(|start| start.of_subject("digest")).and_then(Value::as_str);
    Ok((digest.ok_or_else(differs)?.to_owned(), tries))
}

fn as_told(
    id: Uuid,
    tries: &[step_attempt::Model],
    records: &[NamedRecord],
) -> Result<(), StoreError> {
    all_tries(tries, records).ok_or_else(|| differs("attempts of the execution", id, records))?;
    for row in tries {
        let (attempt, step) = (row.attempt, &row.step);
        let what = format!("attempt `{attempt}` at step `{step}` of the execution");
        tried(row, records).ok_or_else(|| differs(&what, id, records))?;
        resolved(step, tries, records).ok_or_else(|| differs(&what, id, records))?;
    }
    Ok(())
}

const ROWS: &str = "SELECT 1 AS is_row, step, attempt, state, at_seq AS seq, outcome, resolution, \
    started_at AS at, finished_at, NULL AS hash, NULL AS seal FROM step_attempt WHERE execution = $1 \
    UNION ALL SELECT 0, kind, 0, NULL, seq, line, NULL, at, NULL, hash, seal FROM audit_record \
    WHERE chain = $2 AND about = $1 AND kind IN \
    ('decision', 'step.finished', 'execution.finished', 'attempt.resolved') \
    ORDER BY is_row, step, attempt, seq";

async fn read<C: Reads>(
    db: &C,
    project: ProjectId,
    execution: ExecutionId,
) -> Result<(Vec<step_attempt::Model>, Vec<NamedRecord>), StoreError> {
    let chain = Chain::Project(project).to_string();
    let values = vec![execution.uuid().into(), chain.clone().into()];
    let rows = query_all(db, ROWS, values).await?;
    sorted(&rows, (&chain, execution.uuid()), db.seals())
        .map_err(|error| error.within(|| format!("the execution `{execution}`")))
}

fn sorted(
    rows: &[Row],
    (chain, execution): (&str, Uuid),
    seals: Option<&RecordSeals>,
) -> Result<(Vec<step_attempt::Model>, Vec<NamedRecord>), StoreError> {
    let (mut tries, mut records) = (Vec::new(), Vec::new());
    for row in rows {
        if row.get::<bool>(0)? {
            tries.push(attempt(row, execution)?);
        } else {
            let record = record(row, chain.to_owned(), execution)?;
            records.push(NamedRecord::read(&record, seals)?);
        }
    }
    records.sort_by_key(|record| record.seq);
    Ok((tries, records))
}

fn attempt(row: &Row, execution: Uuid) -> Result<step_attempt::Model, StoreError> {
    let state: String = row.get(3)?;
    Ok(step_attempt::Model {
        execution,
        step: row.get(1)?,
        attempt: row.get(2)?,
        state: AttemptState::try_from_value(&state)?,
        at_seq: row.get(4)?,
        outcome: row.get(5)?,
        resolution: row.get(6)?,
        started_at: row.get(7)?,
        finished_at: row.get(8)?,
    })
}

fn record(row: &Row, chain: String, about: Uuid) -> Result<audit_record::Model, StoreError> {
    Ok(audit_record::Model {
        chain,
        seq: row.get(4)?,
        kind: row.get(1)?,
        at: row.get(7)?,
        about: Some(about),
        hash: row.get(9)?,
        line: row.get(5)?,
        seal: row.get(10)?,
    })
}

/// `None`: it differs.
fn ran(row: &execution::Model, records: &[NamedRecord]) -> Option<()> {
    let start =
        records.iter().find(|record| record.seq == row.at_seq && record.allows("blueprint"))?;
    let voucher = Voucher::of(start.seq, start.body.clone());
    let evidence = start_of(&voucher).ok()?;
    let started = start.of_subject("blueprint") == Some(&json!(row.blueprint))
        && start.of_subject("digest") == Some(&json!(hex::encode(&row.digest)))
        && start.is("session", row.session)
        && start.at.unix_ms() == row.started_at
        && evidence == ContentDigest::of_bytes(&row.evidence);
    let (mut state, mut outcome, mut finished) = (ExecutionState::Running, None, None);
    for records in records {
        if records.kind == "execution.finished" {
            let ended = records.body.get("outcome")?;
            let came: RunOutcome = serde_json::from_value(ended.clone()).ok()?;
            state = ExecutionState::after(&came);
            outcome = Some(ended.clone());
            finished = (state != ExecutionState::Indeterminate).then(|| records.at.unix_ms());
        } else if records.allows("blueprint") && records.of_subject("resumes") == Some(&json!(true))
        {
            state = ExecutionState::Running;
        }
    }
    let kept = row.outcome.as_deref().map(serde_json::from_str::<Value>);
    let kept = kept.transpose().ok()?;
    (started && (row.state, kept, row.finished_at) == (state, outcome, finished)).then_some(())
}

/// None is missing, and none is of nobody.
fn all_tries(rows: &[step_attempt::Model], records: &[NamedRecord]) -> Option<()> {
    let started = records.iter().filter(|record| record.allows("step")).count();
    let ended = records.iter().filter(|record| record.kind == "step.finished").count();
    let finished = rows.iter().filter(|row| row.state == AttemptState::Finished).count();
    ((started, ended) == (rows.len(), finished)).then_some(())
}

fn tried(row: &step_attempt::Model, records: &[NamedRecord]) -> Option<()> {
    began(row, records)?;
    ended(row, records).then_some(())
}

fn began(row: &step_attempt::Model, records: &[NamedRecord]) -> Option<()> {
    let start = records.iter().find(|record| record.seq == row.at_seq && record.allows("step"))?;
    let began = start.of_subject("step") == Some(&json!(row.step))
        && start.of_subject("attempt") == Some(&json!(row.attempt))
        && start.at.unix_ms() == row.started_at;
    began.then_some(())
}

fn end_of<'a>(row: &step_attempt::Model, records: &'a [NamedRecord]) -> Option<&'a NamedRecord> {
    records.iter().find(|record| {
        record.kind == "step.finished"
            && record.is("step", &row.step)
            && record.is("attempt", row.attempt)
    })
}

fn ended(row: &step_attempt::Model, records: &[NamedRecord]) -> bool {
    match (end_of(row, records), row.state) {
        (None, AttemptState::Started) => row.outcome.is_none() && row.finished_at.is_none(),
        (Some(end), AttemptState::Finished) => {
            let outcome = row.outcome.as_deref();
            let outcome = outcome.map(|outcome| ContentDigest::of_bytes(outcome.as_bytes()));
            outcome.is_some_and(|outcome| end.lacks_or_is("outcome", outcome))
                && row.finished_at == Some(end.at.unix_ms())
        }
        (None, AttemptState::Finished) | (Some(_), AttemptState::Started) => false,
    }
}

/// What people said of attempts at a step whose effect was in doubt, one after the other.
fn resolved(step: &str, tries: &[step_attempt::Model], records: &[NamedRecord]) -> Option<()> {
    let of_step = tries.iter().filter(|row| row.step == step);
    let kept: Vec<_> = of_step.filter_map(|row| row.resolution.as_ref()).collect();
    let is_word =
        |record: &&NamedRecord| record.kind == "attempt.resolved" && record.is("step", step);
    let words: Vec<_> = records.iter().filter(is_word).collect();
    let same = words.iter().zip(&kept).all(|(word, kept)| word.is("resolution", kept));
    (words.len() == kept.len() && same).then_some(())
}
