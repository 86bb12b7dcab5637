//! Steps a plan: one event in, effects out, each performed by a task that answers by message.

use crate::{
    clock,
    config::COMMIT_ATTEMPTS_MAX,
    deps::Shared,
    run::{
        SKIPPED,
        bind::Outputs,
        resume::Resume,
        step::{self, Attempted, Done, Facts, Look, Prepared, Unready},
    },
    session::{Down, RunEnded, SessionActor},
    telemetry,
};
use kameo::{error::Infallible, mailbox, prelude::*};
use serde_json::json;
use std::{collections::BTreeMap, sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;
use tracing::Span;
use wiiiv_domain::{
    DenyCode, EventBody, RunOutcome, SessionEvent, StepFailure, StepId, StepOutcome, TurnId,
};
use wiiiv_exec::StepReport;
use wiiiv_gate::RunPermit;
use wiiiv_hlx::{CancelSource, RunEffect, RunEvent, RunState, advance};
use wiiiv_store::{Boundary, Lease, Point, Write, Writer};

/// Answers that may wait while one is handled.
const RUN_MAILBOX_MAX: usize = 256;

pub struct RunArgs {
    pub room: Shared,
    pub session: WeakActorRef<SessionActor>,
    pub lease: Lease,
    pub turn: TurnId,
    pub span: Span,
    pub permit: RunPermit,
    pub resume: Option<Resume>,
}

pub struct RunActor {
    room: Shared,
    session: WeakActorRef<SessionActor>,
    me: WeakActorRef<RunActor>,
    lease: Lease,
    turn: TurnId,
    span: Span,
    permit: RunPermit,
    state: RunState,
    outputs: Outputs,
    /// Attempts under way.
    flying: BTreeMap<StepId, CancellationToken>,
    /// Who told a step to stop: a restored run reads it.
    told: BTreeMap<StepId, CancelSource>,
    over: bool,
}

impl Actor for RunActor {
    type Args = RunArgs;
    type Error = Infallible;
    fn name() -> &'static str {
        "Run"
    }
    async fn on_start(args: RunArgs, me: ActorRef<Self>) -> Result<Self, Infallible> {
        let RunArgs { room, session, lease, turn, span, permit, resume } = args;
        let (execution, nodes) = (permit.execution(), &permit.blueprint().nodes);
        let (state, outputs) = match resume {
            None => (RunState::new(execution, nodes), Outputs::new()),
            Some(found) => {
                let state = RunState::restore(execution, nodes, &found.attempts, &found.skipped);
                let outputs = found.outputs.into_iter();
                (state, outputs.map(|(step, bytes)| (step, Arc::new(bytes))).collect())
            }
        };
        let _ = me.tell(Begin).try_send();
        let (me, flying, told) = (me.downgrade(), BTreeMap::new(), BTreeMap::new());
        Ok(Self {
            room,
            session,
            me,
            lease,
            turn,
            span,
            permit,
            state,
            outputs,
            flying,
            told,
            over: false,
        })
    }
}

struct Begin;

impl Message<Begin> for RunActor {
    type Reply = ();
    async fn handle(&mut self, _: Begin, _: &mut Context<Self, ()>) {
        self.advance(RunEvent::Begin, Boundary::new(Point::S2)).await;
    }
}

/// Stop: nothing new begins, what is under way is told.
pub struct CancelSteps;

impl Message<CancelSteps> for RunActor {
    type Reply = ();
    async fn handle(&mut self, _: CancelSteps, _: &mut Context<Self, ()>) {
        self.advance(RunEvent::Cancel, Boundary::new(Point::S2)).await;
    }
}

impl Message<Prepared> for RunActor {
    type Reply = ();
    async fn handle(&mut self, prepared: Prepared, _: &mut Context<Self, ()>) {
        let Prepared { step, attempt, tries, facts } = prepared;
        match facts {
            Ok(facts) => self.attempt(step, attempt, tries, facts).await,
            Err(Unready::Skipped) => {
                self.flying.remove(&step);
                let skipped = RunEvent::StepSkipped { step, attempt };
                self.advance(skipped, Boundary::new(Point::S2)).await;
            }
            Err(Unready::Failed(failure)) => self.unready(step, attempt, failure).await,
            Err(Unready::Unavailable(why)) => self.lose(&why).await,
        }
    }
}

impl Message<Done> for RunActor {
    type Reply = ();
    async fn handle(&mut self, done: Done, _: &mut Context<Self, ()>) {
        let Done { step, attempt, tries, result } = done;
        match result {
            Attempted::Ran(report) => self.ran(step, attempt, report).await,
            Attempted::Denied(codes) => {
                let code = codes.first().copied().unwrap_or(DenyCode::PolicyForbids);
                self.flying.remove(&step);
                let denied = RunEvent::StepDenied { step, attempt, code };
                self.advance(denied, Boundary::new(Point::S2)).await;
            }
            Attempted::Moved => {
                if tries < COMMIT_ATTEMPTS_MAX {
                    self.prepare(step, attempt, tries + 1);
                } else {
                    let lost = RunEvent::StartLost { step, attempt };
                    self.advance(lost, Boundary::new(Point::S2)).await;
                }
            }
            Attempted::Unavailable(why) => self.lose(&why).await,
        }
    }
}

impl RunActor {
    pub fn begin(args: RunArgs) -> ActorRef<Self> {
        Self::spawn_with_mailbox(args, mailbox::bounded(RUN_MAILBOX_MAX))
    }

    fn event(&self, body: EventBody) -> SessionEvent {
        SessionEvent::new(self.turn, clock::now(), body)
    }

    /// `boundary` is what the event has to put on record; where the run ends with it, it is
    /// handed to the session so that it becomes durable together with what follows.
    async fn advance(&mut self, event: RunEvent, mut boundary: Boundary) {
        if self.over {
            return;
        }
        let (state, effects) = advance(self.state.clone(), event);
        self.state = state;
        for effect in &effects {
            if let RunEffect::Skipped { step } = effect {
                boundary = self.left_out(boundary, step);
            }
        }
        let ended = effects.iter().find_map(|effect| match effect {
            RunEffect::End { outcome } => Some(outcome.clone()),
            RunEffect::Start { .. }
            | RunEffect::StartAfter { .. }
            | RunEffect::CancelStep { .. }
            | RunEffect::Skipped { .. }
            | RunEffect::Indeterminate { .. } => None,
        });
        if let Some(outcome) = ended {
            self.end(outcome, boundary).await;
            return;
        }
        if !boundary.writes.is_empty() || !boundary.events.is_empty() {
            let writer = Writer::Session(self.lease.clone());
            if let Err(error) = self.room.deps.store.append(&writer, boundary).await {
                self.lose(&error.to_string()).await;
                return;
            }
            self.room.hub.grew(self.lease.session);
        }
        for effect in effects {
            self.perform(effect);
        }
    }

    /// A condition, its own or one before it, did not hold: no attempt, only the fact.
    fn left_out(&self, boundary: Boundary, step: &StepId) -> Boundary {
        let execution = self.permit.execution();
        let body = json!({"execution": execution, "step": step, "code": SKIPPED});
        let (step, code) = (step.clone(), SKIPPED.to_owned());
        let finished = EventBody::StepFinished { execution, step, attempt: 0, ok: false, code };
        boundary.event(self.event(finished)).entry("step.skipped", body)
    }

    fn perform(&mut self, effect: RunEffect) {
        match effect {
            RunEffect::Start { step, attempt } => self.prepare(step, attempt, 1),
            RunEffect::StartAfter { step, attempt, delay_ms } => {
                let (me, cancel) = (self.me.clone(), CancellationToken::new());
                self.flying.insert(step.clone(), cancel.clone());
                tokio::spawn(async move {
                    tokio::select! {
                        () = tokio::time::sleep(Duration::from_millis(delay_ms)) => {}
                        () = cancel.cancelled() => {}
                    }
                    if let Some(me) = me.upgrade() {
                        let _ = me.tell(Again { step, attempt }).await;
                    }
                });
            }
            RunEffect::CancelStep { step, attempt: _, source } => {
                self.told.insert(step.clone(), source);
                if let Some(cancel) = self.flying.get(&step) {
                    cancel.cancel();
                }
            }
            RunEffect::Indeterminate { step } => {
                tracing::warn!(execution = %self.permit.execution(), %step, "step in doubt");
            }
            RunEffect::Skipped { .. } | RunEffect::End { .. } => {}
        }
    }

    fn prepare(&mut self, step: StepId, attempt: u32, tries: u32) {
        let Some(node) = self.permit.blueprint().node(&step).cloned() else { return };
        self.flying.entry(step.clone()).or_default();
        let look = Look {
            room: self.room.clone(),
            project: self.lease.project,
            session: self.lease.session,
            node,
            outputs: self.outputs.clone(),
        };
        let me = self.me.clone();
        let task = tokio::spawn(step::prepare(look));
        tokio::spawn(async move {
            let facts = task.await.unwrap_or_else(|e| Err(Unready::Unavailable(e.to_string())));
            if let Some(me) = me.upgrade() {
                let _ = me.tell(Prepared { step, attempt, tries, facts }).await;
            }
        });
    }

    /// S1: the ruling on resolved inputs, its claim, and with it the attempt's journal line.
    async fn attempt(&mut self, step: StepId, attempt: u32, tries: u32, facts: Facts) {
        let cancel = self.flying.entry(step.clone()).or_default().clone();
        if cancel.is_cancelled() {
            let outcome = self.cancelled(&step);
            let event = RunEvent::StepFinished { step, attempt, outcome };
            self.advance(event, Boundary::new(Point::S2)).await;
            return;
        }
        let Facts { inputs, policy, standing, access } = facts;
        let now = clock::now();
        let ruling = self.permit.rule_step(&step, attempt, inputs, &policy, &standing, now);
        let (claim, ruled) = match ruling {
            Ok(ruled) => ruled,
            Err(not_in_plan) => {
                tracing::error!(%not_in_plan, "a step that is not in its plan");
                let code = DenyCode::EvidenceMismatch;
                let denied = RunEvent::StepDenied { step, attempt, code };
                self.advance(denied, Boundary::new(Point::S2)).await;
                return;
            }
        };
        let mut boundary = Boundary::new(Point::S1);
        if ruled.denied().is_none() {
            let execution = self.permit.execution();
            let body = EventBody::StepStarted { execution, step: step.clone(), attempt };
            boundary.events.push(self.event(body));
        }
        let work = step::Attempt {
            room: self.room.clone(),
            writer: Writer::Session(self.lease.clone()),
            project: self.lease.project,
            boundary,
            claim,
            ruled,
            access,
            cancel,
            span: self.span.clone(),
            attempt,
        };
        step::start(self.me.clone(), (step, attempt, tries), work);
    }

    /// S2: what came of it, with its bytes.
    async fn ran(&mut self, step: StepId, attempt: u32, report: StepReport) {
        self.flying.remove(&step);
        let StepReport { mut outcome, bytes } = report;
        if matches!(outcome, StepOutcome::Cancelled { .. }) {
            outcome = self.cancelled(&step);
        }
        let (ok, code) = told(&outcome);
        let execution = self.permit.execution();
        let body = json!({
            "execution": execution, "step": step, "attempt": attempt, "ok": ok, "code": code,
            "sizeBytes": bytes.len().to_string(), "outcome": wiiiv_store::outcome_digest(&outcome),
        });
        let finished = EventBody::StepFinished { execution, step: step.clone(), attempt, ok, code };
        let kept = matches!(outcome, StepOutcome::Success { .. });
        let write = Write::StepFinished {
            execution,
            step: step.clone(),
            attempt,
            outcome: outcome.clone(),
            bytes: kept.then(|| bytes.clone()),
        };
        if kept {
            self.outputs.insert(step.clone(), Arc::new(bytes));
        }
        let boundary = Boundary::new(Point::S2)
            .event(self.event(finished))
            .write(write)
            .entry("step.finished", body);
        self.advance(RunEvent::StepFinished { step, attempt, outcome }, boundary).await;
    }

    fn cancelled(&self, step: &StepId) -> StepOutcome {
        let source = self.told.get(step).copied().unwrap_or(CancelSource::User);
        StepOutcome::Cancelled { source: source.as_str().to_owned() }
    }

    /// It failed before it began: there is no attempt to finish, only the fact.
    async fn unready(&mut self, step: StepId, attempt: u32, failure: StepFailure) {
        self.flying.remove(&step);
        let (execution, code) = (self.permit.execution(), failure.code.clone());
        let body = json!({
            "execution": execution, "step": step, "attempt": attempt, "ok": false, "code": code,
        });
        let finished =
            EventBody::StepFinished { execution, step: step.clone(), attempt, ok: false, code };
        let boundary =
            Boundary::new(Point::S2).event(self.event(finished)).entry("step.refused", body);
        let outcome = StepOutcome::Failure { failure };
        self.advance(RunEvent::StepFinished { step, attempt, outcome }, boundary).await;
    }

    async fn end(&mut self, outcome: RunOutcome, boundary: Boundary) {
        self.over = true;
        let execution = self.permit.execution();
        telemetry::run_ended(&self.span, &outcome);
        let body = json!({"execution": execution, "outcome": outcome});
        let last = boundary
            .entry("execution.finished", body)
            .write(Write::ExecutionFinished { execution, outcome: outcome.clone() });
        if let Some(session) = self.session.upgrade() {
            let (turn, skipped) = (self.turn, self.state.skipped());
            let lease = self.lease.clone();
            let ended = RunEnded { lease, turn, execution, outcome, skipped, last };
            let _ = session.tell(ended).await;
        } else {
            let writer = Writer::Session(self.lease.clone());
            if let Err(error) = self.room.deps.store.append(&writer, last).await {
                tracing::error!(%execution, %error, "the end of a run is not on record");
            }
        }
        self.stop().await;
    }

    /// The store is gone: nothing more is done, and the journal knows exactly how far it came.
    async fn lose(&mut self, why: &str) {
        self.over = true;
        tracing::error!(execution = %self.permit.execution(), why, "run stopped");
        for cancel in self.flying.values() {
            cancel.cancel();
        }
        if let Some(session) = self.session.upgrade() {
            let _ = session.tell(RunLost(self.lease.clone(), Down(why.to_owned()))).await;
        }
        self.stop().await;
    }

    async fn stop(&self) {
        if let Some(me) = self.me.upgrade() {
            let _ = me.stop_gracefully().await;
        }
    }
}

/// A delayed attempt is due.
struct Again {
    step: StepId,
    attempt: u32,
}

impl Message<Again> for RunActor {
    type Reply = ();
    async fn handle(&mut self, again: Again, _: &mut Context<Self, ()>) {
        let Again { step, attempt } = again;
        self.prepare(step, attempt, 1);
    }
}

/// For the session that began the run: it is put down, and the journal restores it. One that was
/// restored meanwhile has a run of its own.
pub struct RunLost(pub Lease, pub Down);

impl Message<RunLost> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, lost: RunLost, _: &mut Context<Self, ()>) {
        let RunLost(lease, down) = lost;
        if self.is_held_by(&lease) {
            self.fail(down);
        }
    }
}

fn told(outcome: &StepOutcome) -> (bool, String) {
    match outcome {
        StepOutcome::Success { .. } => (true, "OK".to_owned()),
        StepOutcome::Failure { failure } => (false, failure.code.clone()),
        StepOutcome::Cancelled { .. } => (false, "CANCELLED".to_owned()),
    }
}
