//! Looks at what a run read and at what is to be done, for signals of risk. Pure rules say what is one
//! (`policies/risk.toml`); where there is none nothing is written.

use crate::{
    clock,
    session::{Conversation, Session, SessionFault},
    step_result::StepResult,
};
use wiiiv_domain::{ExecutionId, RISK_TEXT_BYTES_MAX, Spec, StepOutcome, StepType, TaskId};
use wiiiv_gate::{Attempt, RiskSignal};
use wiiiv_store::Point;

/// Pages, files and answers of services that a run has read. S2, the record of the run's end, is written
/// before what follows is ruled on, where it raises the score.
pub async fn look_at_results(
    session: &mut Session,
    execution: ExecutionId,
) -> Result<(), SessionFault> {
    let results = session.work.step_results(&session.journal, execution).await?;
    let mut found = Vec::new();
    for result in results.iter() {
        found.extend(in_result(session, execution, result));
    }
    if found.is_empty() {
        return Ok(());
    }
    let runtime = session.runtime.clone();
    session.journal.raise_with_next(runtime.deps.keeper.risk_rules(), &found).await?;
    session.flush(Point::S2).await
}

/// The same text counts once.
fn in_result(
    session: &mut Session,
    execution: ExecutionId,
    result: &StepResult,
) -> Vec<RiskSignal> {
    let Some(bytes) = &result.bytes else { return Vec::new() };
    let is_read = matches!(result.outcome, Some(StepOutcome::Success { .. }))
        && reads(session, execution, result);
    if !is_read {
        return Vec::new();
    }
    let signals = session.runtime.deps.keeper.risk_rules().read(bytes);
    if signals.is_empty() {
        return signals;
    }
    let text = bytes.get(..RISK_TEXT_BYTES_MAX.min(bytes.len())).unwrap_or_default();
    let digest = session.journal.row.salt.digest_of(&String::from_utf8_lossy(text));
    if session.journal.risk.knows(&digest) {
        return Vec::new();
    }
    session.journal.risk.keep(digest);
    signals
}

/// What a transform makes of it is that text once more.
fn reads(session: &Session, execution: ExecutionId, result: &StepResult) -> bool {
    let ran = session.work.ran.filter(|(ran, _)| *ran == execution);
    let plan = ran.and_then(|(_, digest)| session.work.plans.get(&digest));
    let node = plan.and_then(|plan| plan.blueprint.node(&result.step));
    node.is_none_or(|node| match node.params.step_type() {
        StepType::FileRead | StepType::ApiCall | StepType::WebFetch => true,
        StepType::FileWrite | StepType::FileDelete | StepType::Transform => false,
    })
}

/// What a spec does, beside what was asked for and what was tried before.
pub async fn look_at_spec(
    session: &mut Session,
    task: TaskId,
    spec: &Spec,
) -> Result<(), SessionFault> {
    let runtime = session.runtime.clone();
    let rules = runtime.deps.keeper.risk_rules();
    let systems = &session.work.systems.list;
    let named = |place: &str| {
        let host = host_of(place);
        systems.iter().any(|system| system.base_url.host == host)
            || is_said(&session.conversation, host)
    };
    let drift = rules.drift(session.work.conduct.asked(), &spec.envelope, named);
    let mut found: Vec<RiskSignal> = drift.into_iter().collect();
    let conduct = &mut session.work.conduct;
    found.retain(|_| conduct.drifts(task));
    if let Some(effect) = spec.envelope.greatest_effect() {
        let attempts = conduct.try_now(Attempt { at: clock::now(), effect, refused: false });
        if let Some(signal) = rules.escalation(attempts) {
            conduct.forget_attempts();
            found.push(signal);
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    session.journal.raise_first(rules, &found).await.map_err(SessionFault::from)
}

/// In anything that the user wrote and that prompts still hold.
fn is_said(conversation: &Conversation, host: &str) -> bool {
    let mut lines = conversation.history().iter().filter(|line| line.by_user);
    lines.any(|line| line.text.to_lowercase().contains(host))
}

/// Without the port; the brackets of an IPv6 address stay.
fn host_of(place: &str) -> &str {
    match place.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        Some(_) | None => place,
    }
}
