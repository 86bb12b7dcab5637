//! The session's run: start, resume and end.

use crate::{
    clock,
    run::{Resume, RunActor, RunArgs, resume},
    session::{
        Authorization, OnRecord, RunEnded, Session, SessionFault,
        records::{AskedFor, PastRun},
    },
    step_result::StepResult,
    telemetry,
};
use std::{collections::BTreeMap, sync::Arc};
use wiiiv_domain::{ExecutionId, FlowInput, RunOutcome, StepOutcome, TurnId};
use wiiiv_flow::StateName;
use wiiiv_gate::RunPermit;
use wiiiv_hlx::{EarlierRun, EarlierStep, RunState};
use wiiiv_store::{AuditEntry, ExecutionRow, ExecutionState, Lease, Point, Write};

impl Session {
    /// Hands the permit to a run of its own, by value.
    pub fn start_run(&mut self, turn: TurnId, execution: ExecutionId) -> Result<(), SessionFault> {
        let permit = self.work.permit.take_if(|permit| permit.execution() == execution);
        let missing =
            || SessionFault::other(format!("there is no permit for execution `{execution}`"));
        self.begin_run(turn, permit.ok_or_else(missing)?, None);
        Ok(())
    }

    fn begin_run(&mut self, turn: TurnId, permit: RunPermit, resume: Option<Resume>) {
        let execution = permit.execution();
        let args = RunArgs {
            runtime: self.runtime.clone(),
            session: self.inbox.clone(),
            writer: self.journal.writer.clone(),
            turn,
            span: telemetry::run(self.work.span(), execution),
            permit,
            resume,
        };
        self.work.run = Some((execution, RunActor::begin(args)));
    }

    /// Resumes an execution under a new ruling. INVARIANT: only the run that the flow is at; a
    /// cancelled one ends as its attempts say.
    pub async fn resume_run(&mut self, execution: ExecutionId) -> Result<(), SessionFault> {
        let missing = || SessionFault::other(format!("execution `{execution}` is missing"));
        let row = self.journal.records.execution(execution).await?.ok_or_else(missing)?;
        if self.current_run() != Some(execution) {
            return self.let_go(row).await;
        }
        if self.work.run.is_some() {
            return Ok(());
        }
        let turn = self.open_turn();
        self.work.in_doubt = None;
        let ended = row.outcome.clone().filter(|o| *o != RunOutcome::Indeterminate);
        if let Some(outcome) = ended {
            return self.feed(turn, FlowInput::Finished { execution, outcome }).await;
        }
        let plan = self.plan(row.blueprint, row.digest).await?.as_ref().clone();
        self.work.ran = Some((execution, row.digest));
        match self.ruled(plan, (execution, OnRecord::Start), None).await? {
            Authorization::Permitted(permit) => {
                let attempts = self.journal.records.attempts(execution).await?;
                let skipped = self.work.skipped_of(execution);
                let store = &self.runtime.deps.store;
                let resume = Resume::of(store, execution, attempts, skipped).await?;
                self.begin_run(turn, permit, Some(resume));
                Ok(())
            }
            Authorization::Denied(codes, _) => {
                let code = codes.first().map_or("GATE_ENFORCEMENT", |code| code.as_str());
                let outcome = match self.stopped(&row).await? {
                    // A denial takes back nothing that has happened.
                    known @ (RunOutcome::Indeterminate | RunOutcome::Succeeded) => known,
                    RunOutcome::Cancelled | RunOutcome::Failed { .. } => {
                        RunOutcome::Failed { code: code.to_owned() }
                    }
                };
                self.work.in_doubt = (outcome == RunOutcome::Indeterminate).then_some(execution);
                self.note_finished(execution, outcome.clone());
                self.feed(turn, FlowInput::Finished { execution, outcome }).await
            }
            Authorization::Unavailable(fault) => Err(fault),
        }
    }

    fn note_finished(&mut self, execution: ExecutionId, outcome: RunOutcome) {
        let body = serde_json::json!({"execution": execution, "outcome": outcome});
        self.journal.audit(AuditEntry::new("execution.finished", body));
        self.journal.write(Write::ExecutionFinished { execution, outcome });
    }

    /// The execution that the flow stands at.
    pub fn current_run(&self) -> Option<ExecutionId> {
        self.flow.active().and_then(|task| task.execution)
    }

    /// Ends cancelled runs that a crash left unfinished.
    pub async fn end_orphans(&mut self) -> Result<(), SessionFault> {
        let rows = self.runtime.deps.store.unfinished_executions(self.journal.row.id).await?;
        for row in rows {
            if self.current_run() != Some(row.id) {
                self.let_go(row).await?;
            }
        }
        Ok(())
    }

    /// Ends an abandoned run as its attempts say; a step in doubt still waits.
    async fn let_go(&mut self, row: ExecutionRow) -> Result<(), SessionFault> {
        let mine = self.work.run.as_ref().is_some_and(|(running, _)| *running == row.id);
        let finished = row.outcome.as_ref().is_some_and(|o| *o != RunOutcome::Indeterminate);
        if mine || finished {
            return Ok(());
        }
        let stopped = self.stopped(&row).await?;
        if stopped == RunOutcome::Indeterminate && row.state == ExecutionState::Indeterminate {
            return Ok(());
        }
        self.note_finished(row.id, stopped);
        self.flush(Point::S2).await
    }

    /// What its attempts come to if nothing more of it begins.
    async fn stopped(&mut self, row: &ExecutionRow) -> Result<RunOutcome, SessionFault> {
        let plan = self.plan(row.blueprint, row.digest).await?;
        let facts = resume::facts(self.journal.records.attempts(row.id).await?);
        let skipped = self.work.skipped_of(row.id);
        Ok(RunState::restore(row.id, &plan.nodes, &facts, &skipped).stopped())
    }

    /// INVARIANT: ignored from a run of another lease; a restored session resumes from the attempts
    /// on record.
    pub async fn run_ended(&mut self, ended: RunEnded) -> Result<(), SessionFault> {
        let RunEnded { lease, turn, execution, outcome, skipped, results, last } = ended;
        if *self.journal.writer.lease() != lease {
            tracing::warn!(%execution, "the end of a run that was let go of");
            return Ok(());
        }
        self.work.skipped = skipped.into_iter().map(|step| (execution, step)).collect();
        if self.work.run.as_ref().is_some_and(|(running, _)| *running == execution) {
            self.work.run = None;
        }
        self.work.has_run |= outcome == RunOutcome::Succeeded;
        let mine = self.work.turn.as_ref().is_some_and(|t| t.id == turn);
        self.work.in_doubt = (outcome == RunOutcome::Indeterminate).then_some(execution);
        if let Some(results) = results {
            if outcome != RunOutcome::Indeterminate {
                self.note_past(execution, &outcome, &results);
            }
            self.work.results = Some((execution, Arc::new(results)));
        }
        self.journal.pending.put_back(last);
        self.feed(turn, FlowInput::Finished { execution, outcome }).await?;
        // A drawing takes time: the run's end is written before it.
        let waits = self.flow.name() == StateName::Drawing;
        if mine && !waits { Ok(()) } else { self.flush(Point::S2).await }
    }

    /// What later tasks may refer to, so that nothing of it is read.
    fn note_past(&self, run: ExecutionId, outcome: &RunOutcome, results: &[StepResult]) {
        let ran = self.work.ran.filter(|(ran, _)| *ran == run);
        let Some(plan) = ran.and_then(|(_, digest)| self.work.plans.get(&digest)) else { return };
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
        self.journal.records.note_ending(PastRun { earlier, asked });
    }

    /// Puts the session down, unless it was restored since the run began.
    pub fn run_lost(&self, lease: &Lease, fault: SessionFault) -> Result<(), SessionFault> {
        if self.journal.writer.lease() == lease { Err(fault) } else { Ok(()) }
    }
}
