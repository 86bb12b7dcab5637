//! The work of a session: its turn, queue, plans and run.

use crate::{
    run::RunActor,
    session::{
        request::{Decide, Entry},
        turn::Turn,
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
    Amount, ApprovalId, Blueprint, BlueprintDigest, CallId, DacsResult, ExecutionId, SpecDigest,
    StepId, Timestamp,
};
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
    /// Decisions on questions, behind the turn in progress and before the messages.
    pub decisions: VecDeque<Decide>,
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
    /// The project's registered systems, as of the last message.
    pub systems: RegisteredSystems,
    /// The hold of the last model call: the gate compared it with each cap.
    pub claimed: Amount,
    /// When risk was last computed; it fades from there.
    pub judged_at: Option<Timestamp>,
    touched: Option<Instant>,
}

impl Work {
    /// The turn's span; work between turns has none.
    pub fn span(&self) -> Option<&Span> {
        self.turn.as_ref().map(|turn| &turn.span)
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
            && self.queue.is_empty()
            && self.run.is_none()
            && self.decisions.is_empty()
    }
}

fn bound<K: Ord + Clone, V>(kept: &mut BTreeMap<K, V>) {
    while kept.len() >= KEPT_MAX {
        kept.pop_first();
    }
}
