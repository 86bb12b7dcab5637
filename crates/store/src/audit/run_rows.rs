//! Whether the rows of a run are as the audit tells: its own, and those of its attempts.

use super::{
    Chain,
    told::{Told, differs},
    vouch::Voucher,
};
use crate::{
    database::{
        entity::{audit_record, execution, step_attempt},
        statement::query_all,
    },
    error::StoreError,
    run::{
        start::start_of,
        state::{AttemptState, ExecutionState},
    },
};
use sea_orm::{ConnectionTrait, QueryResult};
use serde_json::{Value, json};
use uuid::Uuid;
use wiiiv_domain::{ContentDigest, ExecutionId, ProjectId, RunOutcome};

/// The run's own row says what the audit does, and so do its attempts.
pub(crate) async fn examine_run<C: ConnectionTrait>(
    db: &C,
    row: &execution::Model,
) -> Result<Vec<step_attempt::Model>, StoreError> {
    let (tries, told) = read(db, row.project.into(), row.id.into()).await?;
    ran(row, &told).ok_or_else(|| differs("execution", row.id, &told))?;
    as_told(row.id, &tries, &told)?;
    Ok(tries)
}

/// The attempts of a run, by step, then attempt: in one statement with what the audit tells of them.
pub(crate) async fn attempts_told<C: ConnectionTrait>(
    db: &C,
    project: ProjectId,
    execution: ExecutionId,
) -> Result<Vec<step_attempt::Model>, StoreError> {
    let (tries, told) = read(db, project, execution).await?;
    as_told(execution.uuid(), &tries, &told)?;
    Ok(tries)
}

fn as_told(id: Uuid, tries: &[step_attempt::Model], told: &[Told]) -> Result<(), StoreError> {
    all_tries(tries, told).ok_or_else(|| differs("attempts of the execution", id, told))?;
    for row in tries {
        let (attempt, step) = (row.attempt, &row.step);
        let what = format!("attempt `{attempt}` at step `{step}` of the execution");
        tried(row, told).ok_or_else(|| differs(&what, id, told))?;
        resolved(step, tries, told).ok_or_else(|| differs(&what, id, told))?;
    }
    Ok(())
}

const ROWS: &str = "SELECT 1 AS is_row, step, attempt, state, at_seq AS seq, outcome, resolution, \
    started_at AS at, finished_at, NULL AS hash FROM step_attempt WHERE execution = $1 \
    UNION ALL SELECT 0, kind, 0, NULL, seq, line, NULL, at, NULL, hash FROM audit_record \
    WHERE chain = $2 AND about = $1 AND kind IN \
    ('decision', 'step.finished', 'execution.finished', 'attempt.resolved') \
    ORDER BY is_row, step, attempt, seq";

async fn read<C: ConnectionTrait>(
    db: &C,
    project: ProjectId,
    execution: ExecutionId,
) -> Result<(Vec<step_attempt::Model>, Vec<Told>), StoreError> {
    let chain = Chain::Project(project).to_string();
    let values = vec![execution.uuid().into(), chain.clone().into()];
    let (mut tries, mut told) = (Vec::new(), Vec::new());
    for row in query_all(db, ROWS, values).await? {
        if row.try_get::<bool>("", "is_row")? {
            tries.push(attempt(&row, execution.uuid())?);
        } else {
            told.push(Told::read(&record(&row, chain.clone(), execution.uuid())?)?);
        }
    }
    told.sort_by_key(|told| told.seq);
    Ok((tries, told))
}

fn attempt(row: &QueryResult, execution: Uuid) -> Result<step_attempt::Model, StoreError> {
    Ok(step_attempt::Model {
        execution,
        step: row.try_get("", "step")?,
        attempt: row.try_get("", "attempt")?,
        state: row.try_get("", "state")?,
        at_seq: row.try_get("", "seq")?,
        outcome: row.try_get("", "outcome")?,
        resolution: row.try_get("", "resolution")?,
        started_at: row.try_get("", "at")?,
        finished_at: row.try_get("", "finished_at")?,
    })
}

fn record(
    row: &QueryResult,
    chain: String,
    about: Uuid,
) -> Result<audit_record::Model, StoreError> {
    Ok(audit_record::Model {
        chain,
        seq: row.try_get("", "seq")?,
        kind: row.try_get("", "step")?,
        at: row.try_get("", "at")?,
        about: Some(about),
        hash: row.try_get("", "hash")?,
        line: row.try_get("", "outcome")?,
    })
}

/// `None`: it differs.
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
    (started && ended).then_some(())
}

/// What people said of attempts at a step whose effect was in doubt, one after the other.
fn resolved(step: &str, tries: &[step_attempt::Model], told: &[Told]) -> Option<()> {
    let of_step = tries.iter().filter(|row| row.step == step);
    let kept: Vec<_> = of_step.filter_map(|row| row.resolution.as_ref()).collect();
    let is_word = |told: &&Told| told.kind == "attempt.resolved" && told.is("step", step);
    let words: Vec<_> = told.iter().filter(is_word).collect();
    let same = words.iter().zip(&kept).all(|(word, kept)| word.is("resolution", kept));
    (words.len() == kept.len() && same).then_some(())
}
