//! The whole chain rules, the claim is committed, and only then is there a permit.

use crate::{
    clock,
    config::COMMIT_ATTEMPTS_MAX,
    deps::Shared,
    qualification::has_unverified,
    run::{Resume, RunActor, RunArgs, resume},
    session::state::{Down, Plan, Session},
    telemetry::{self, Ruling},
};
use std::sync::Arc;
use tracing::Instrument as _;
use wiiiv_domain::{
    Blueprint, BlueprintDigest, BlueprintId, DenyCode, EventBody, ExecutionId, FlowInput, Grounds,
    RulingOutcome, RunOutcome, SessionEvent, TurnId,
};
use wiiiv_gate::{Purpose, Refusal, RunPermit};
use wiiiv_hlx::RunState;
use wiiiv_store::{
    ApprovalFilter, AuditEntry, Boundary, CommitRefused, ExecutionRow, ExecutionState, Moved,
    Point, Write, Writer,
};

/// Why there is no permit.
pub enum NotAuthorized {
    /// With what a NO of the review was said under.
    Denied(Vec<DenyCode>, Option<Grounds>),
    /// Nothing was decided, and nothing written: what was to be written with it comes back.
    Unavailable(String, Boundary),
    /// The store may or may not have taken it: only the journal knows.
    Lost(Down),
}

impl Session {
    pub async fn plan(
        &mut self,
        blueprint: BlueprintId,
        digest: BlueprintDigest,
    ) -> Result<Arc<Blueprint>, Down> {
        if let Some(plan) = self.plans.get(&digest) {
            return Ok(plan.blueprint.clone());
        }
        let stored = self.room.deps.store.blueprint(blueprint).await?;
        let stored = stored.ok_or_else(|| Down(format!("blueprint `{blueprint}` is missing")))?;
        let pending = ApprovalFilter { session: Some(self.row.id), ..ApprovalFilter::default() };
        let rows = self.room.deps.store.approvals(&pending).await?;
        let blueprint = Arc::new(stored.blueprint);
        let row = rows.into_iter().find(|row| row.request.digest == digest);
        let approval = row.map(|row| row.request.id);
        self.keep_plan(digest, Plan { blueprint: blueprint.clone(), approval });
        Ok(blueprint)
    }

    /// T1: the whole chain rules and its claim is committed, with the step of the flow that
    /// follows from it in the same boundary. A cancel that comes meanwhile finds the run begun.
    pub async fn authorize(
        &mut self,
        turn: TurnId,
        blueprint: BlueprintId,
        digest: BlueprintDigest,
    ) -> Result<Vec<FlowInput>, Down> {
        let plan = self.plan(blueprint, digest).await?;
        let boundary = self.book.close(Point::T1, false);
        let (room, writer) = (self.room.clone(), self.writer());
        let (limits, flow) = (room.config.flow, self.flow.clone());
        let step = |ruling: RulingOutcome| {
            let input = FlowInput::Ruling { digest, ruling };
            let (next, effects) = wiiiv_flow::step(&limits, &flow, input.clone());
            (input, next, effects)
        };
        let note = |ruling: &RulingOutcome| {
            let (input, next, _) = step(ruling.clone());
            let body = EventBody::Input { input: Box::new(input), state: next.hash() };
            SessionEvent::new(turn, clock::now(), body)
        };
        let span = telemetry::of(self.turn.as_ref());
        let asked = authorize(&room, &writer, boundary, plan.as_ref().clone(), &note);
        let ruling = match asked.instrument(span).await {
            Ok(permit) => {
                let execution = permit.execution();
                self.permit = Some(permit);
                RulingOutcome::Allow { execution }
            }
            Err(NotAuthorized::Denied(codes, under)) => {
                // What was said yes to cannot be used any more.
                self.withdraw(digest);
                RulingOutcome::Deny { codes, under }
            }
            Err(NotAuthorized::Unavailable(why, boundary)) => {
                tracing::warn!(session = %self.row.id, why, "nothing was decided");
                self.book.reopen(boundary);
                let ruling = RulingOutcome::Unavailable;
                return Ok(vec![FlowInput::Ruling { digest, ruling }]);
            }
            Err(NotAuthorized::Lost(down)) => return Err(down),
        };
        let (_, next, effects) = step(ruling);
        self.flow = next;
        let mut inputs = Vec::new();
        for effect in effects {
            inputs.extend(Box::pin(self.perform(turn, effect)).await?);
        }
        Ok(inputs)
    }

    /// The flow has said Run: the permit goes to a run of its own, by value.
    pub fn start_run(&mut self, turn: TurnId, execution: ExecutionId) -> Result<(), Down> {
        let permit = self.permit.take_if(|permit| permit.execution() == execution);
        let Some(permit) = permit else {
            return Err(Down(format!("there is no permit for execution `{execution}`")));
        };
        self.begin_run(turn, permit, None);
        Ok(())
    }

    fn begin_run(&mut self, turn: TurnId, permit: RunPermit, resume: Option<Resume>) {
        let execution = permit.execution();
        let args = RunArgs {
            room: self.room.clone(),
            session: self.me.clone(),
            lease: self.lease.clone(),
            turn,
            span: telemetry::run(self.turn.as_ref(), execution),
            permit,
            resume,
        };
        self.run = Some((execution, RunActor::begin(args)));
    }

    /// After a restart, or when a step in doubt was resolved: the same execution, judged afresh.
    /// INVARIANT: only the run that the flow stands at goes on. One that a cancel has let go of
    /// ends as its attempts say.
    pub async fn resume_run(&mut self, execution: ExecutionId) -> Result<(), Down> {
        let store = self.room.deps.store.clone();
        let row = store.execution(execution).await?;
        let row = row.ok_or_else(|| Down(format!("execution `{execution}` is missing")))?;
        if self.current_run() != Some(execution) {
            return self.let_go(row).await;
        }
        if self.run.is_some() {
            return Ok(());
        }
        let turn = match &self.turn {
            Some(turn) => turn.id,
            None => self.fresh_turn(),
        };
        self.in_doubt = None;
        if let Some(outcome) = row.outcome.filter(|o| *o != RunOutcome::Indeterminate) {
            return self.feed(turn, FlowInput::Finished { execution, outcome }).await;
        }
        let plan = self.plan(row.blueprint, row.digest).await?;
        let boundary = self.book.close(Point::T1, false);
        let (writer, plan) = (self.writer(), plan.as_ref().clone());
        let start = Start::Again(execution);
        let span = telemetry::of(self.turn.as_ref());
        match rule(&self.room, &writer, boundary, plan, start, &|_| None).instrument(span).await {
            Ok(permit) => {
                let attempts = store.attempts(execution).await?;
                let resume =
                    Resume::of(&store, execution, attempts, self.skipped_of(execution)).await?;
                self.begin_run(turn, permit, Some(resume));
                Ok(())
            }
            Err(NotAuthorized::Denied(codes, _)) => {
                let code = codes.first().map_or("GATE_ENFORCEMENT", |code| code.as_str());
                let outcome = RunOutcome::Failed { code: code.to_owned() };
                let body = serde_json::json!({"execution": execution, "outcome": outcome});
                self.book.audit(AuditEntry::new("execution.finished", body));
                self.book.write(Write::ExecutionFinished { execution, outcome: outcome.clone() });
                self.feed(turn, FlowInput::Finished { execution, outcome }).await
            }
            Err(NotAuthorized::Unavailable(why, _)) => Err(Down(why)),
            Err(NotAuthorized::Lost(down)) => Err(down),
        }
    }

    /// The execution that the flow stands at.
    pub fn current_run(&self) -> Option<ExecutionId> {
        self.flow.active().and_then(|task| task.execution)
    }

    /// Runs that a cancel or a reset has let go of and that nobody has ended: a crash came first.
    pub async fn end_orphans(&mut self) -> Result<(), Down> {
        let rows = self.room.deps.store.unfinished_executions(self.row.id).await?;
        for row in rows {
            if self.current_run() != Some(row.id) {
                self.let_go(row).await?;
            }
        }
        Ok(())
    }

    /// Nothing of it begins any more. What has happened stays, and a step in doubt still waits.
    async fn let_go(&mut self, row: ExecutionRow) -> Result<(), Down> {
        let mine = self.run.as_ref().is_some_and(|(running, _)| *running == row.id);
        let finished = row.outcome.as_ref().is_some_and(|o| *o != RunOutcome::Indeterminate);
        if mine || finished {
            return Ok(());
        }
        let plan = self.plan(row.blueprint, row.digest).await?;
        let attempts = self.room.deps.store.attempts(row.id).await?;
        let facts = resume::facts(attempts);
        let stopped =
            RunState::restore(row.id, &plan.nodes, &facts, &self.skipped_of(row.id)).stopped();
        if stopped == RunOutcome::Indeterminate && row.state == ExecutionState::Indeterminate {
            return Ok(());
        }
        let body = serde_json::json!({"execution": row.id, "outcome": stopped});
        self.book.audit(AuditEntry::new("execution.finished", body));
        let (execution, outcome) = (row.id, stopped);
        self.book.write(Write::ExecutionFinished { execution, outcome });
        self.flush(Point::S2).await
    }
}

/// permits.md 3: gather, rule, commit, seal; where the world moved, again.
async fn authorize(
    room: &Shared,
    writer: &Writer,
    boundary: Boundary,
    plan: Blueprint,
    note: &(impl Fn(&RulingOutcome) -> SessionEvent + Sync),
) -> Result<RunPermit, NotAuthorized> {
    let note = |ruling: &RulingOutcome| Some(note(ruling));
    let start = match room.deps.store.execution_of(plan.id).await {
        Ok(Some(row)) => Start::Again(row.id),
        Ok(None) => Start::New(clock::fresh()),
        Err(error) => return Err(NotAuthorized::Unavailable(error.to_string(), boundary)),
    };
    rule(room, writer, boundary, plan, start, &note).await
}

#[derive(Clone, Copy)]
enum Start {
    New(ExecutionId),
    Again(ExecutionId),
}

impl Start {
    const fn execution(self) -> ExecutionId {
        match self {
            Self::New(execution) | Self::Again(execution) => execution,
        }
    }
}

/// `note`: what the session's journal says of the ruling, in the ruling's own boundary.
async fn rule(
    room: &Shared,
    writer: &Writer,
    mut boundary: Boundary,
    mut plan: Blueprint,
    start: Start,
    note: &(impl Fn(&RulingOutcome) -> Option<SessionEvent> + Sync),
) -> Result<RunPermit, NotAuthorized> {
    let store = &room.deps.store;
    let own = boundary.events.len();
    for _ in 0..COMMIT_ATTEMPTS_MAX {
        let (policy, evidence, purpose) = match look(room, &plan, start).await {
            Ok(looked) => looked,
            Err(why) => return Err(NotAuthorized::Unavailable(why, boundary)),
        };
        let version = policy.version();
        let gathered = room.deps.keeper.gather(clock::fresh(), purpose, plan, policy, evidence);
        let cx = match gathered {
            Ok(cx) => cx,
            Err(mismatch) => {
                let why = mismatch.why.to_string();
                return Err(mismatched(room, writer, boundary, &why, note).await);
            }
        };
        let (claim, ruled) = room.deps.keeper.rule(cx, clock::now());
        let under = Grounds { rules: room.deps.keeper.dacs_rules(), policy: version };
        let ruling = Ruling::of(&claim);
        let outcome = match ruled.denied() {
            None => RulingOutcome::Allow { execution: start.execution() },
            Some(denied) => denial(denied.codes(), under),
        };
        boundary.events.extend(note(&outcome));
        match store.commit(writer, boundary, claim).await {
            Ok(done) => {
                room.hub.grew(ruled.peek().session);
                ruling.committed(&tracing::Span::current());
                return match ruled.seal(done) {
                    Ok(permit) => Ok(permit.begin()),
                    Err(Refusal::Denied(denied)) => {
                        let codes = denied.codes();
                        let of_review = codes.contains(&DenyCode::DacsNo).then_some(under);
                        Err(NotAuthorized::Denied(codes, of_review))
                    }
                    Err(Refusal::ForeignCommit) => {
                        Err(NotAuthorized::Lost(Down("a foreign commit".to_owned())))
                    }
                };
            }
            Err(CommitRefused::Moved(moved, back)) => {
                if moved == Moved::PolicyChanged {
                    room.policies.forget(ruled.peek().project).await;
                }
                (plan, boundary) = (ruled.withdraw(), back);
                boundary.events.truncate(own);
            }
            Err(CommitRefused::Unavailable(error)) => {
                return Err(NotAuthorized::Lost(error.into()));
            }
        }
    }
    Err(NotAuthorized::Unavailable("the world moved each time".to_owned(), boundary))
}

/// A NO of the review closes the spec under these grounds.
fn denial(codes: Vec<DenyCode>, under: Grounds) -> RulingOutcome {
    let under = codes.contains(&DenyCode::DacsNo).then_some(under);
    RulingOutcome::Deny { codes, under }
}

/// Evidence of another subject: denied, and on record.
async fn mismatched(
    room: &Shared,
    writer: &Writer,
    mut boundary: Boundary,
    why: &str,
    note: &(impl Fn(&RulingOutcome) -> Option<SessionEvent> + Sync),
) -> NotAuthorized {
    tracing::warn!(why, "evidence of another subject");
    let codes = vec![DenyCode::EvidenceMismatch];
    let denied = RulingOutcome::Deny { codes: codes.clone(), under: None };
    boundary.events.extend(note(&denied));
    let boundary = boundary.entry("ruling.mismatch", serde_json::json!({"codes": codes}));
    match room.deps.store.append(writer, boundary).await {
        Ok(()) => NotAuthorized::Denied(codes, None),
        Err(error) => NotAuthorized::Lost(error.into()),
    }
}

type Looked = (Arc<wiiiv_gate::PolicySnapshot>, wiiiv_gate::EvidenceSet, Purpose);

async fn look(room: &Shared, plan: &Blueprint, start: Start) -> Result<Looked, String> {
    let store = &room.deps.store;
    let policy = room.policies.current(plan.project).await.map_err(|e| e.to_string())?;
    let mut evidence = store.evidence(plan, clock::now()).await.map_err(|e| e.to_string())?;
    let rules = policy.project_policy();
    let unverified = has_unverified(&room.deps, plan.session, rules).await;
    evidence.standing.unverified = unverified.map_err(|e| e.to_string())?;
    let purpose = match start {
        Start::New(execution) => Purpose::Start(execution),
        Start::Again(execution) => {
            let started = store.execution_started(execution).await.map_err(|e| e.to_string())?;
            let started = started.ok_or_else(|| format!("`{execution}` never started"))?;
            Purpose::Resume(started)
        }
    };
    Ok((policy, evidence, purpose))
}
