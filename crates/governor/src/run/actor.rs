//! Steps a plan: one event in, effects out, each performed by a task that answers by message.

use crate::{
    clock,
    config::COMMIT_ATTEMPTS_MAX,
    run::{
        SKIPPED,
        bind::{self, Outputs},
        resume::Resume,
        step::{self, Attempted, Facts, Unready},
    },
    runtime::Runtime,
    session::{Request, RunEnded, SessionFault, SessionWriter},
    step_result::StepResult,
    telemetry,
};
use futures::FutureExt as _;
use kameo::{actor::WeakRecipient, error::Infallible, mailbox, prelude::*};
use serde_json::json;
use std::{any::Any, collections::BTreeMap, panic::AssertUnwindSafe, sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;
use tracing::Span;
use wiiiv_domain::{
    DenyCode, EventBody, RunOutcome, SessionEvent, StepFailure, StepId, StepOutcome, TurnId,
};
use wiiiv_exec::StepReport;
use wiiiv_gate::RunPermit;
use wiiiv_hlx::{CancelSource, RunEffect, RunEvent, RunState, advance};
use wiiiv_store::{Boundary, Point, Write};

/// Messages that may wait.
const RUN_MAILBOX_MAX: usize = 256;
/// What is under way may still end so long after its session was put down: less than until that one is restored,
/// and takes the lease.
const ENDS_WITHIN: Duration = Duration::from_millis(500);

pub struct RunArgs {
    pub runtime: Arc<Runtime>,
    pub session: WeakRecipient<Request>,
    pub writer: SessionWriter,
    pub turn: TurnId,
    pub span: Span,
    pub permit: RunPermit,
    pub resume: Option<Resume>,
}

pub struct RunActor {
    runtime: Arc<Runtime>,
    session: WeakRecipient<Request>,
    me: WeakActorRef<RunActor>,
    writer: SessionWriter,
    turn: TurnId,
    span: Span,
    permit: RunPermit,
    state: RunState,
    outputs: Outputs,
    /// As they ended; `None`: the run was taken up again, and its first ones are on record alone.
    results: Option<Vec<StepResult>>,
    /// Attempts under way.
    flying: BTreeMap<StepId, CancellationToken>,
    /// Why a step was stopped, for the record.
    stopped_by: BTreeMap<StepId, CancelSource>,
    /// S2 of a step, until the S1 of the one behind it. Whatever else happens first writes it.
    held: Option<Boundary>,
    /// The same, on its way with that S1.
    riding: Option<Boundary>,
    /// Its session was put down: nothing more begins, and nobody has ended the run.
    is_put_down: bool,
    /// Then nobody else holds the actor while steps are under way.
    itself: Option<ActorRef<RunActor>>,
    over: bool,
}

impl Actor for RunActor {
    type Args = RunArgs;
    type Error = Infallible;
    fn name() -> &'static str {
        "Run"
    }
    async fn on_start(args: RunArgs, me: ActorRef<Self>) -> Result<Self, Infallible> {
        let RunArgs { runtime, session, writer, turn, span, permit, resume } = args;
        let (execution, nodes) = (permit.execution(), &permit.blueprint().nodes);
        let results = resume.is_none().then(Vec::new);
        let (state, outputs) = match resume {
            None => (RunState::new(execution, nodes), Outputs::new()),
            Some(found) => {
                let state = RunState::restore(execution, nodes, &found.attempts, &found.skipped);
                let outputs = found.outputs.into_iter();
                (state, outputs.map(|(step, bytes)| (step, Arc::new(bytes))).collect())
            }
        };
        let _ = me.tell(Begin).try_send();
        let me = me.downgrade();
        Ok(Self {
            runtime,
            session,
            me,
            writer,
            turn,
            span,
            permit,
            state,
            outputs,
            results,
            flying: BTreeMap::new(),
            stopped_by: BTreeMap::new(),
            held: None,
            riding: None,
            is_put_down: false,
            itself: None,
            over: false,
        })
    }
    /// Also where its session was put down.
    async fn on_stop(
        &mut self,
        _: WeakActorRef<Self>,
        _: ActorStopReason,
    ) -> Result<(), Infallible> {
        self.write_held().await;
        Ok(())
    }
}

struct Begin;

impl Message<Begin> for RunActor {
    type Reply = ();
    async fn handle(&mut self, _: Begin, _: &mut Context<Self, ()>) {
        self.on(RunEvent::Begin).await;
    }
}

/// Begins nothing new, and cancels attempts under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopSteps {
    Cancel,
    Halt,
    /// A yes that the run rests on was taken back.
    Revoke,
    /// The session was put down, which ends no run: what is known of its steps is still written.
    PutDown,
}

impl Message<StopSteps> for RunActor {
    type Reply = ();
    async fn handle(&mut self, stop: StopSteps, _: &mut Context<Self, ()>) {
        match stop {
            StopSteps::Cancel => self.on(RunEvent::Cancel).await,
            StopSteps::Halt => self.on(RunEvent::Halt).await,
            StopSteps::Revoke => self.on(RunEvent::Revoke).await,
            StopSteps::PutDown => self.put_down().await,
        }
    }
}

type Panic = Box<dyn Any + Send>;

/// The result of an attempt's task, also of one that panicked.
struct Ended<T> {
    step: StepId,
    attempt: u32,
    tries: u32,
    result: Result<T, Panic>,
}

/// A delayed attempt is due.
impl Message<Ended<()>> for RunActor {
    type Reply = ();
    async fn handle(&mut self, due: Ended<()>, _: &mut Context<Self, ()>) {
        self.prepare(due.step, due.attempt, 1);
    }
}

impl Message<Ended<Result<Facts, Unready>>> for RunActor {
    type Reply = ();
    async fn handle(&mut self, ended: Ended<Result<Facts, Unready>>, _: &mut Context<Self, ()>) {
        let Ended { step, attempt, tries, result } = ended;
        match result {
            Ok(Ok(facts)) => self.attempt(step, attempt, tries, facts).await,
            Ok(Err(Unready::Skipped)) => {
                self.flying.remove(&step);
                self.on(RunEvent::StepSkipped { step, attempt }).await;
            }
            Ok(Err(Unready::Failed(failure))) => self.unready(step, attempt, failure).await,
            Ok(Err(Unready::Unavailable(fault))) => self.lose_at(step, attempt, fault).await,
            Err(_panic) => {
                self.lose_at(step, attempt, SessionFault::other("a step's task panicked")).await;
            }
        }
    }
}

impl Message<Ended<Attempted>> for RunActor {
    type Reply = ();
    async fn handle(&mut self, ended: Ended<Attempted>, _: &mut Context<Self, ()>) {
        let Ended { step, attempt, tries, result } = ended;
        let riding = self.riding.take();
        match result {
            Ok(Attempted::Ran(report)) => self.ran(step, attempt, report).await,
            Ok(Attempted::Denied(codes)) => {
                let code = codes.first().copied().unwrap_or(DenyCode::PolicyForbids);
                self.flying.remove(&step);
                self.on(RunEvent::StepDenied { step, attempt, code }).await;
            }
            Ok(Attempted::Moved) if tries < COMMIT_ATTEMPTS_MAX => {
                self.prepare(step, attempt, tries + 1);
            }
            Ok(Attempted::Moved) => self.on(RunEvent::StartLost { step, attempt }).await,
            Ok(Attempted::Unavailable(fault)) => {
                self.held = riding;
                self.lose_at(step, attempt, fault).await;
            }
            Err(_panic) => {
                self.held = riding;
                self.lose_at(step, attempt, SessionFault::other("a step's task panicked")).await;
            }
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

    fn finished(&self, step: &StepId, attempt: u32, ok: bool, code: String) -> SessionEvent {
        let (execution, step) = (self.permit.execution(), step.clone());
        self.event(EventBody::StepFinished { execution, step, attempt, ok, code })
    }

    /// An event with nothing to record.
    async fn on(&mut self, event: RunEvent) {
        self.advance(event, Boundary::new(Point::S2)).await;
    }

    /// `boundary`: the event's record. At the run's end the session commits it, together with what
    /// follows; where one step follows at once, its start does.
    async fn advance(&mut self, event: RunEvent, mut boundary: Boundary) {
        if self.over {
            return;
        }
        if let Some(held) = self.held.take() {
            boundary = boundary.behind(held);
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
            return self.end(outcome, boundary).await;
        }
        let mut lost = None;
        if self.goes_on_at_once(&effects) {
            self.held = Some(boundary).filter(|boundary| !boundary.is_empty());
        } else if !boundary.is_empty() {
            lost = self.writer.append(boundary).await.err();
        }
        // Also behind a fault: what is to start counts as under way, and is stopped before it begins.
        for effect in effects {
            self.perform(effect);
        }
        if let Some(error) = lost {
            Box::pin(self.lose(error.into())).await;
        }
    }

    /// One step is to start, nothing else is under way, and its start waits for nothing.
    fn goes_on_at_once(&self, effects: &[RunEffect]) -> bool {
        let [RunEffect::Start { step, .. }] = effects else { return false };
        let next = self.permit.blueprint().node(step);
        self.flying.is_empty() && next.is_some_and(bind::is_immediate)
    }

    /// Records a skipped step, which has no attempt.
    fn left_out(&self, boundary: Boundary, step: &StepId) -> Boundary {
        let execution = self.permit.execution();
        let body = json!({"execution": execution, "step": step, "code": SKIPPED});
        let finished = self.finished(step, 0, false, SKIPPED.to_owned());
        boundary.event(finished).entry("step.skipped", body)
    }

    fn perform(&mut self, effect: RunEffect) {
        match effect {
            RunEffect::Start { step, attempt } => self.prepare(step, attempt, 1),
            RunEffect::StartAfter { step, attempt, delay_ms } => {
                let cancel = CancellationToken::new();
                self.flying.insert(step.clone(), cancel.clone());
                self.run((step, attempt, 1), async move {
                    let delay = Duration::from_millis(delay_ms);
                    let _ = tokio::time::timeout(delay, cancel.cancelled()).await;
                });
            }
            RunEffect::CancelStep { .. } if self.is_put_down => {}
            RunEffect::CancelStep { step, attempt: _, source } => {
                self.stopped_by.insert(step.clone(), source);
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
        let plan = self.permit.blueprint();
        let Some(node) = plan.node(&step).cloned() else { return };
        let system = plan.system_of(&node);
        self.flying.entry(step.clone()).or_default();
        let (runtime, lease) = (self.runtime.clone(), self.writer.lease().clone());
        let work = step::prepare(runtime, lease, (node, system), self.outputs.clone());
        self.run((step, attempt, tries), work);
    }

    fn run<T: Send + 'static>(
        &self,
        (step, attempt, tries): (StepId, u32, u32),
        work: impl Future<Output = T> + Send + 'static,
    ) where
        Self: Message<Ended<T>>,
    {
        let me = self.me.clone();
        tokio::spawn(async move {
            // Nothing that it was working on is looked at again.
            let result = AssertUnwindSafe(work).catch_unwind().await;
            if let Some(me) = me.upgrade() {
                let _ = me.tell(Ended { step, attempt, tries, result }).await;
            }
        });
    }

    /// S1: the ruling on resolved inputs, its claim, and with it the attempt's journal line.
    async fn attempt(&mut self, step: StepId, attempt: u32, tries: u32, facts: Facts) {
        let cancel = self.flying.entry(step.clone()).or_default().clone();
        if self.is_put_down || cancel.is_cancelled() {
            let outcome = self.cancelled(&step);
            return self.on(RunEvent::StepFinished { step, attempt, outcome }).await;
        }
        let Facts { inputs, policy, standing, access } = facts;
        let now = clock::now();
        let ruling = self.permit.rule_step(&step, attempt, inputs, &policy, &standing, now);
        let (claim, ruled) = match ruling {
            Ok(ruled) => ruled,
            Err(not_in_plan) => {
                tracing::error!(%not_in_plan, "a step that is not in its plan");
                let code = DenyCode::EvidenceMismatch;
                return self.on(RunEvent::StepDenied { step, attempt, code }).await;
            }
        };
        let mut boundary = Boundary::new(Point::S1);
        self.riding = self.held.take();
        if let Some(riding) = &self.riding {
            boundary = boundary.behind(riding.clone());
        }
        if ruled.denied().is_none() {
            let execution = self.permit.execution();
            let body = EventBody::StepStarted { execution, step: step.clone(), attempt };
            boundary.events.push(self.event(body));
        }
        let work = step::Attempt {
            runtime: self.runtime.clone(),
            writer: self.writer.clone(),
            boundary,
            claim,
            ruled,
            access,
            cancel,
            span: self.span.clone(),
            attempt,
        };
        self.run((step, attempt, tries), step::attempt(work));
    }

    /// S2: what came of it, with its bytes.
    async fn ran(&mut self, step: StepId, attempt: u32, report: StepReport) {
        self.flying.remove(&step);
        let StepReport { mut outcome, bytes } = report;
        if matches!(outcome, StepOutcome::Cancelled { .. }) {
            outcome = self.cancelled(&step);
        }
        if self.is_put_down && !is_known(&outcome) {
            // Nobody stopped it but the fault: it is found under way, and goes on or is asked about.
            return self.on(RunEvent::StepFinished { step, attempt, outcome }).await;
        }
        let (ok, code) = code_of(&outcome);
        let execution = self.permit.execution();
        let body = json!({
            "execution": execution, "step": step, "attempt": attempt, "ok": ok, "code": code,
            "sizeBytes": bytes.len().to_string(), "outcome": wiiiv_store::outcome_digest(&outcome),
        });
        let finished = self.finished(&step, attempt, ok, code);
        let kept = matches!(outcome, StepOutcome::Success { .. });
        let write = Write::StepFinished {
            execution,
            step: step.clone(),
            attempt,
            outcome: outcome.clone(),
            bytes: kept.then(|| bytes.clone()),
        };
        let bytes = kept.then(|| Arc::new(bytes));
        self.outputs.extend(bytes.clone().map(|bytes| (step.clone(), bytes)));
        if let Some(results) = &mut self.results {
            let (step, outcome) = (step.clone(), Some(outcome.clone()));
            results.push(StepResult { step, outcome, bytes, last: false });
        }
        let boundary =
            Boundary::new(Point::S2).event(finished).write(write).entry("step.finished", body);
        self.advance(RunEvent::StepFinished { step, attempt, outcome }, boundary).await;
    }

    fn cancelled(&self, step: &StepId) -> StepOutcome {
        let source = self.stopped_by.get(step).copied().unwrap_or(CancelSource::User);
        StepOutcome::Cancelled { source: source.as_str().to_owned() }
    }

    /// Records a step that failed before its attempt began.
    async fn unready(&mut self, step: StepId, attempt: u32, failure: StepFailure) {
        self.flying.remove(&step);
        if self.is_put_down {
            let outcome = StepOutcome::Failure { failure };
            return self.on(RunEvent::StepFinished { step, attempt, outcome }).await;
        }
        let (execution, code) = (self.permit.execution(), failure.code.clone());
        let body = json!({
            "execution": execution, "step": step, "attempt": attempt, "ok": false, "code": code,
        });
        let finished = self.finished(&step, attempt, false, code);
        let boundary = Boundary::new(Point::S2).event(finished).entry("step.refused", body);
        let outcome = StepOutcome::Failure { failure };
        self.advance(RunEvent::StepFinished { step, attempt, outcome }, boundary).await;
    }

    async fn end(&mut self, outcome: RunOutcome, boundary: Boundary) {
        self.over = true;
        if self.is_put_down {
            // Under the former lease, and refused once somebody has taken the session over.
            self.held = Some(boundary).filter(|boundary| !boundary.is_empty());
            self.write_held().await;
            return self.stop().await;
        }
        let execution = self.permit.execution();
        telemetry::run_ended(&self.span, &outcome);
        let body = json!({"execution": execution, "outcome": outcome});
        let last = boundary
            .entry("execution.finished", body)
            .write(Write::ExecutionFinished { execution, outcome: outcome.clone() });
        if let Some(session) = self.session.upgrade() {
            let (turn, skipped) = (self.turn, self.state.skipped());
            let lease = self.writer.lease().clone();
            let results = self.results.take().map(in_order);
            let ended = RunEnded { lease, turn, execution, outcome, skipped, results, last };
            let _ = session.tell(Request::RunEnded(Box::new(ended))).await;
        } else if let Err(error) = self.writer.append(last).await {
            tracing::error!(%execution, %error, "the end of a run is not on record");
        }
        self.stop().await;
    }

    /// What it wrote was not taken, or its task is gone: the session is put down, and this run with it.
    async fn lose(&mut self, fault: SessionFault) {
        let (execution, why) = (self.permit.execution(), fault.told());
        tracing::error!(%execution, why, "run stopped");
        self.write_held().await;
        if let Some(session) = self.session.upgrade() {
            let lease = self.writer.lease().clone();
            let _ = session.tell(Request::RunLost { lease, fault }).await;
        }
        self.put_down().await;
    }

    /// The same by this step, of which nothing more is known than what is on record.
    async fn lose_at(&mut self, step: StepId, attempt: u32, fault: SessionFault) {
        self.flying.remove(&step);
        self.lose(fault).await;
        let outcome = self.cancelled(&step);
        self.on(RunEvent::StepFinished { step, attempt, outcome }).await;
    }

    /// Begins nothing more. A step that is under way has a little time to come to an end that is known.
    async fn put_down(&mut self) {
        if self.is_put_down || self.over {
            return;
        }
        self.is_put_down = true;
        self.itself = self.me.upgrade();
        let flying: Vec<_> = self.flying.values().cloned().collect();
        tokio::spawn(async move {
            tokio::time::sleep(ENDS_WITHIN).await;
            flying.iter().for_each(CancellationToken::cancel);
        });
        self.on(RunEvent::Cancel).await;
    }

    /// By itself, where no start comes any more.
    async fn write_held(&mut self) {
        let execution = self.permit.execution();
        if let Some(held) = self.held.take()
            && let Err(error) = self.writer.append(held).await
        {
            tracing::error!(%execution, %error, "the end of a step is not on record");
        }
    }

    async fn stop(&mut self) {
        if let Some(me) = self.itself.take().or_else(|| self.me.upgrade()) {
            let _ = me.stop_gracefully().await;
        }
    }
}

/// Whether the step has had its effect is not in doubt.
const fn is_known(outcome: &StepOutcome) -> bool {
    match outcome {
        StepOutcome::Success { .. } => true,
        StepOutcome::Failure { failure } => !failure.effect_unknown,
        StepOutcome::Cancelled { .. } => false,
    }
}

fn code_of(outcome: &StepOutcome) -> (bool, String) {
    match outcome {
        StepOutcome::Success { .. } => (true, "OK".to_owned()),
        StepOutcome::Failure { failure } => (false, failure.code.clone()),
        StepOutcome::Cancelled { .. } => (false, "CANCELLED".to_owned()),
    }
}

/// By step; the attempts at one stand in their order.
fn in_order(mut results: Vec<StepResult>) -> Vec<StepResult> {
    if let Some(newest) = results.last_mut() {
        newest.last = true;
    }
    results.sort_by(|left, right| left.step.cmp(&right.step));
    results
}
