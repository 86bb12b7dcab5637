//! The work of a session: its turn, queue, plans and run.

use crate::{
    clock,
    message::{SessionView, SubmitError, TaskSummary},
    run::{RunActor, StopSteps},
    session::{
        Journal, SessionFault, conduct::Conduct, form, records::Records, request::Entry,
        task_position, turn::Turn, turn_vectors::TurnVectorCache,
    },
    step_result::StepResult,
    systems::RegisteredSystems,
};
use kameo::actor::ActorRef;
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
    time::{Duration, Instant},
};
use tokio_util::sync::CancellationToken;
use tracing::Span;
use wiiiv_domain::{
    Amount, ApprovalId, Blueprint, BlueprintDigest, BlueprintId, CallId, DacsResult, ExecutionId,
    SpecDigest, StepId, TurnId,
};
use wiiiv_flow::{FlowState, TaskView};
use wiiiv_gate::RunPermit;

/// Cached plans and verdicts; the store has them all.
const KEPT_MAX: usize = 16;

pub struct Plan {
    pub blueprint: Arc<Blueprint>,
    pub approval: Option<ApprovalId>,
    /// Drawn by this session and not ruled on since: no run of it can be on record.
    pub is_new: bool,
}

/// A trial in progress.
pub struct Trying {
    pub call: CallId,
    /// Its latest end.
    pub until: Instant,
    pub cancel: CancellationToken,
}

#[derive(Default)]
pub struct Work {
    pub turn: Option<Turn>,
    /// Messages and buttons, behind the turn in progress.
    pub queue: VecDeque<Entry>,
    pub plans: BTreeMap<BlueprintDigest, Plan>,
    pub verdicts: BTreeMap<SpecDigest, DacsResult>,
    pub run: Option<(ExecutionId, ActorRef<RunActor>)>,
    /// Committed and not yet handed to a run.
    pub permit: Option<RunPermit>,
    /// A run with a step in doubt, which a person has to resolve.
    pub in_doubt: Option<ExecutionId>,
    /// The last run that was begun, and its plan.
    pub ran: Option<(ExecutionId, BlueprintDigest)>,
    /// What its steps came to, until the turn ends; a run that was taken up again has them on record.
    pub results: Option<(ExecutionId, Arc<Vec<StepResult>>)>,
    /// A run of this session can be referred to.
    pub has_run: bool,
    /// Steps that conditions left out, of the last run.
    pub skipped: BTreeSet<(ExecutionId, StepId)>,
    pub trying: Option<Trying>,
    /// Calls in flight that embed texts; each is cancelled by a halt.
    pub embedding: BTreeMap<CallId, CancellationToken>,
    /// Of older turns, where a model of this machine makes them.
    pub turn_vectors: TurnVectorCache,
    /// What was asked for and tried.
    pub conduct: Conduct,
    /// The project's registered systems, as of the last message.
    pub systems: RegisteredSystems,
    /// The hold of the last model call: the gate compared it with each cap.
    pub claimed: Amount,
    touched: Option<Instant>,
}

impl Work {
    /// The turn's span; work between turns has none.
    pub fn span(&self) -> Option<&Span> {
        self.turn.as_ref().map(|turn| &turn.span)
    }

    pub fn fresh_turn(&mut self, journal: &mut Journal) -> TurnId {
        let id = clock::fresh();
        self.turn = Some(Turn::new(id, &journal.row));
        journal.by = None;
        id
    }

    /// The turn in progress, or one of its own.
    pub fn open_turn(&mut self, journal: &mut Journal) -> TurnId {
        match &self.turn {
            Some(turn) => turn.id,
            None => self.fresh_turn(journal),
        }
    }

    /// The turn goes on without its model call.
    pub fn stop_call(&mut self, journal: &mut Journal) {
        if let Some(turn) = self.turn.take() {
            journal.settle_in_full(&turn);
            self.turn = Some(turn.afresh());
        }
    }

    /// Cancels the model call and the run. What has happened stays recorded.
    pub async fn cancel(&mut self, journal: &mut Journal, execution: Option<ExecutionId>) {
        self.stop_call(journal);
        if let (Some(execution), Some((running, actor))) = (execution, &self.run)
            && *running == execution
        {
            let _ = actor.tell(StopSteps::Cancel).await;
        }
    }

    /// What waits is next once no turn is in progress.
    pub fn next(&mut self) -> Option<Entry> {
        if self.turn.is_some() { None } else { self.queue.pop_front() }
    }

    /// The account of whoever waits was closed, and these questions with it.
    pub fn dismiss(&mut self, withdrawn: &BTreeSet<ApprovalId>) {
        for entry in self.queue.drain(..) {
            let _ = entry.ack.send(Err(SubmitError::NotFound));
        }
        for plan in self.plans.values_mut() {
            plan.approval = plan.approval.filter(|id| !withdrawn.contains(id));
        }
    }

    pub fn view(&self, flow: &FlowState) -> SessionView {
        let summary = |task: TaskView<'_>| TaskSummary {
            task: task.id,
            task_type: task.task_type,
            state: task.state,
        };
        let asked = task_position::asked(flow);
        SessionView {
            state: flow.name(),
            active: flow.active().map(summary),
            suspended: flow.suspended().chain(flow.queued()).map(summary).collect(),
            pending: asked.and_then(|digest| Some((self.approval(digest)?, digest))),
            queued: self.queue.len(),
            form: form::form(flow, &self.systems.list),
        }
    }

    pub fn set_outcome(&mut self, outcome: &'static str) {
        if let Some(turn) = &mut self.turn {
            turn.outcome = outcome;
        }
    }

    /// The question that its plan was put with.
    pub fn approval(&self, digest: BlueprintDigest) -> Option<ApprovalId> {
        self.plans.get(&digest)?.approval
    }
    pub fn set_approval(&mut self, digest: BlueprintDigest, approval: Option<ApprovalId>) {
        if let Some(plan) = self.plans.get_mut(&digest) {
            plan.approval = approval;
        }
    }
    pub async fn plan(
        &mut self,
        records: &Records,
        blueprint: BlueprintId,
        digest: BlueprintDigest,
    ) -> Result<Arc<Blueprint>, SessionFault> {
        if let Some(plan) = self.plans.get(&digest) {
            return Ok(plan.blueprint.clone());
        }
        let missing = || SessionFault::other(format!("blueprint `{blueprint}` is missing"));
        let stored = records.store().blueprint(blueprint).await?.ok_or_else(missing)?;
        // INVARIANT: the plan that was judged, shown and approved is the one that is read.
        if stored.blueprint.digest().ok() != Some(digest) {
            let why = format!("blueprint `{blueprint}` is not as it was drawn");
            return Err(SessionFault::other(why));
        }
        let approval = records.approval_of(blueprint, digest).await?;
        let blueprint = Arc::new(stored.blueprint);
        self.keep_plan(digest, Plan { blueprint: blueprint.clone(), approval, is_new: false });
        Ok(blueprint)
    }
    pub fn keep_plan(&mut self, digest: BlueprintDigest, plan: Plan) {
        bound(&mut self.plans);
        self.plans.insert(digest, plan);
    }
    pub fn keep_verdict(&mut self, spec: SpecDigest, result: DacsResult) {
        bound(&mut self.verdicts);
        self.verdicts.insert(spec, result);
    }

    pub fn skipped_of(&self, execution: ExecutionId) -> BTreeSet<StepId> {
        let own = self.skipped.iter().filter(|(of, _)| *of == execution);
        own.map(|(_, step)| step.clone()).collect()
    }

    /// A trial past its latest end is over: its hold is settled at the next restore.
    pub fn is_trying(&self) -> bool {
        self.trying.as_ref().is_some_and(|trying| Instant::now() < trying.until)
    }

    pub fn touch(&mut self) {
        self.touched = Some(Instant::now());
    }

    /// Idle: nothing is in progress and nobody waits.
    pub fn may_rest(&self, idle: Duration) -> bool {
        self.touched.is_none_or(|at| at.elapsed() >= idle)
            && self.turn.is_none()
            && !self.is_trying()
            && self.embedding.is_empty()
            && self.queue.is_empty()
            && self.run.is_none()
    }
}

fn bound<K: Ord + Clone, V>(kept: &mut BTreeMap<K, V>) {
    while kept.len() >= KEPT_MAX {
        kept.pop_first();
    }
}
