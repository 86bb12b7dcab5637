//! The session's run: start, resume and end.

use crate::{
    clock,
    run::{Resume, RunActor, RunArgs, resume},
    runtime::Runtime,
    session::{
        Authorization, OnRecord, RunEnded, Session, SessionFault, SessionWriter, Work, authorize,
        records::{AskedFor, PastRun, Records},
        task_position,
        watch::look_at_results,
    },
    step_result::StepResult,
    telemetry,
};
use std::{collections::BTreeMap, mem, sync::Arc};
use wiiiv_domain::{ExecutionId, FlowInput, RunOutcome, StepOutcome, TurnId};
use wiiiv_flow::StateName;
use wiiiv_gate::RunPermit;
use wiiiv_hlx::{APPROVAL_REVOKED, EarlierRun, EarlierStep, RunState};
use wiiiv_store::{Boundary, ExecutionRow, ExecutionState, Point, Write};

/// Hands the permit to a run of its own, by value.
pub fn start_run(
    session: &mut Session,
    turn: TurnId,
    execution: ExecutionId,
) -> Result<(), SessionFault> {
    let permit = session.work.permit.take_if(|permit| permit.execution() == execution);
    let missing = || SessionFault::other(format!("there is no permit for execution `{execution}`"));
    begin_run(session, turn, permit.ok_or_else(missing)?, None);
    Ok(())
}

fn begin_run(session: &mut Session, turn: TurnId, permit: RunPermit, resume: Option<Resume>) {
    let execution = permit.execution();
    let args = RunArgs {
        runtime: session.runtime.clone(),
        session: session.inbox.clone(),
        writer: session.journal.writer.clone(),
        turn,
        span: telemetry::run(session.work.span(), execution),
        permit,
        resume,
    };
    session.work.run = Some((execution, RunActor::begin(args)));
}

/// Resumes an execution under a new ruling. INVARIANT: only the run that the flow is at; a
/// cancelled one ends as its attempts say.
pub async fn resume_run(session: &mut Session, execution: ExecutionId) -> Result<(), SessionFault> {
    let missing = || SessionFault::other(format!("execution `{execution}` is missing"));
    let row = session.journal.records.store().execution(execution).await?.ok_or_else(missing)?;
    if task_position::current_run(&session.flow) != Some(execution) {
        return let_go(session, row).await;
    }
    if session.work.run.is_some() {
        return Ok(());
    }
    let turn = session.work.open_turn(&mut session.journal);
    session.work.in_doubt = None;
    let ended = row.outcome.clone().filter(|o| *o != RunOutcome::Indeterminate);
    if let Some(outcome) = ended {
        return session.feed(turn, FlowInput::Finished { execution, outcome }).await;
    }
    let plan = session
        .work
        .plan(&session.journal.records, row.blueprint, row.digest)
        .await?
        .as_ref()
        .clone();
    session.work.ran = Some((execution, row.digest));
    let used = session.runtime.deps.store.approvals_used_by(&[(row.blueprint, execution)]).await?;
    if used.get(&execution).is_some_and(|approval| approval.revoked.is_some()) {
        return end_at_once(session, turn, &row, APPROVAL_REVOKED).await;
    }
    match authorize::ruled(session, plan, (execution, OnRecord::Start), None).await? {
        Authorization::Permitted(permit) => {
            let attempts = session.journal.records.attempts(execution).await?;
            let skipped = session.work.skipped_of(execution);
            let store = &session.runtime.deps.store;
            let resume = Resume::of(store, execution, attempts, skipped).await?;
            begin_run(session, turn, permit, Some(resume));
            Ok(())
        }
        Authorization::Denied(codes, _) => {
            let code = codes.first().map_or("GATE_ENFORCEMENT", |code| code.as_str());
            end_at_once(session, turn, &row, code).await
        }
        Authorization::Unavailable(fault) => Err(fault),
    }
}

/// Nothing more of it begins. That takes back nothing that has happened.
async fn end_at_once(
    session: &mut Session,
    turn: TurnId,
    row: &ExecutionRow,
    code: &str,
) -> Result<(), SessionFault> {
    let execution = row.id;
    let outcome = match session.work.stopped(&session.journal.records, row).await? {
        known @ (RunOutcome::Indeterminate | RunOutcome::Succeeded) => known,
        RunOutcome::Cancelled | RunOutcome::Failed { .. } => {
            RunOutcome::Failed { code: code.to_owned() }
        }
    };
    session.work.in_doubt = (outcome == RunOutcome::Indeterminate).then_some(execution);
    session.journal.note_finished(execution, outcome.clone());
    if outcome != RunOutcome::Indeterminate {
        look_at_results(session, execution).await?;
    }
    session.feed(turn, FlowInput::Finished { execution, outcome }).await
}

/// Ends cancelled runs that a crash left unfinished.
pub async fn end_orphans(session: &mut Session) -> Result<(), SessionFault> {
    let rows = session.runtime.deps.store.unfinished_executions(session.journal.row.id).await?;
    for row in rows {
        if task_position::current_run(&session.flow) != Some(row.id) {
            let_go(session, row).await?;
        }
    }
    Ok(())
}

/// Ends an abandoned run as its attempts say; a step in doubt still waits.
async fn let_go(session: &mut Session, row: ExecutionRow) -> Result<(), SessionFault> {
    let mine = session.work.run.as_ref().is_some_and(|(running, _)| *running == row.id);
    let finished = row.outcome.as_ref().is_some_and(|o| *o != RunOutcome::Indeterminate);
    if mine || finished {
        return Ok(());
    }
    let stopped = session.work.stopped(&session.journal.records, &row).await?;
    if stopped == RunOutcome::Indeterminate && row.state == ExecutionState::Indeterminate {
        return Ok(());
    }
    let in_doubt = stopped == RunOutcome::Indeterminate;
    session.journal.note_finished(row.id, stopped);
    if !in_doubt {
        // Which of its steps read something is said by its own plan.
        let ran = session.work.ran.replace((row.id, row.digest));
        let looked = look_at_results(session, row.id).await;
        session.work.ran = ran;
        looked?;
    }
    session.flush(Point::S2).await
}

/// The session fell before it took the end of its run: what is known of the last steps is written under the former
/// lease, as long as nobody has taken that. The run's end is not, nor what a cancel stopped: the cancel may not be on
/// record.
pub async fn keep_last(runtime: &Runtime, ended: &mut RunEnded) {
    if ended.outcome == RunOutcome::Cancelled {
        return;
    }
    let mut last = mem::replace(&mut ended.last, Boundary::new(Point::S2));
    last.writes.retain(|write| !matches!(write, Write::ExecutionFinished { .. }));
    last.audit.retain(|entry| entry.kind != "execution.finished");
    if last.is_empty() {
        return;
    }
    let (store, hub) = (runtime.deps.store.clone(), runtime.hub.clone());
    let writer = SessionWriter::new(store, hub, ended.lease.clone());
    if let Err(error) = writer.append(last).await {
        let execution = ended.execution;
        tracing::error!(%execution, %error, "the end of a step is not on record");
    }
}

/// INVARIANT: ignored from a run of another lease; a restored session resumes from the attempts
/// on record.
pub async fn run_ended(session: &mut Session, ended: RunEnded) -> Result<(), SessionFault> {
    let RunEnded { lease, turn, execution, outcome, skipped, results, last } = ended;
    if *session.journal.writer.lease() != lease {
        tracing::warn!(%execution, "the end of a run that was let go of");
        return Ok(());
    }
    session.work.skipped = skipped.into_iter().map(|step| (execution, step)).collect();
    if session.work.run.as_ref().is_some_and(|(running, _)| *running == execution) {
        session.work.run = None;
    }
    session.work.has_run |= outcome == RunOutcome::Succeeded;
    let mine = session.work.turn.as_ref().is_some_and(|t| t.id == turn);
    session.work.in_doubt = (outcome == RunOutcome::Indeterminate).then_some(execution);
    if let Some(results) = results {
        if outcome != RunOutcome::Indeterminate {
            session.work.note_past(&session.journal.records, execution, &outcome, &results);
        }
        session.work.results = Some((execution, Arc::new(results)));
    }
    session.journal.pending.put_back(last);
    if outcome != RunOutcome::Indeterminate {
        look_at_results(session, execution).await?;
    }
    session.feed(turn, FlowInput::Finished { execution, outcome }).await?;
    // A drawing takes time: the run's end is written before it.
    let waits = session.flow.name() == StateName::Drawing;
    if mine && !waits { Ok(()) } else { session.flush(Point::S2).await }
}

impl Work {
    /// What its attempts come to if nothing more of it begins.
    async fn stopped(
        &mut self,
        records: &Records,
        row: &ExecutionRow,
    ) -> Result<RunOutcome, SessionFault> {
        let plan = self.plan(records, row.blueprint, row.digest).await?;
        let facts = resume::facts(records.attempts(row.id).await?);
        let skipped = self.skipped_of(row.id);
        Ok(RunState::restore(row.id, &plan.nodes, &facts, &skipped).stopped())
    }

    /// What later tasks may refer to, so that nothing of it is read.
    fn note_past(
        &self,
        records: &Records,
        run: ExecutionId,
        outcome: &RunOutcome,
        results: &[StepResult],
    ) {
        let ran = self.ran.filter(|(ran, _)| *ran == run);
        let Some(plan) = ran.and_then(|(_, digest)| self.plans.get(&digest)) else { return };
        let steps = results.iter().filter_map(|result| match &result.outcome {
            Some(StepOutcome::Success { output }) => {
                Some((&result.step, EarlierStep::of(result.step.clone(), output)))
            }
            Some(StepOutcome::Failure { .. } | StepOutcome::Cancelled { .. }) | None => None,
        });
        // The last attempt at a step counts.
        let steps = steps.collect::<BTreeMap<_, _>>().into_values().collect();
        let earlier = EarlierRun { execution: run, finished_at: clock::now(), steps };
        let spec = Arc::new(plan.blueprint.spec_snapshot.spec.clone());
        let asked = AskedFor { spec, succeeded: *outcome == RunOutcome::Succeeded };
        records.note_ending(PastRun { earlier, asked });
    }
}
