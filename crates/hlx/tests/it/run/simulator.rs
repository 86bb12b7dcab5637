//! A world that answers a run: it decides what becomes of each attempt, keeps the record as the
//! store would, and checks the engine's promises at every effect.

use crate::test_plans::execution;
use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::{
    Arg, ContentDigest, Effect, FailureCategory, Node, NodeKind, Retry, RunOutcome, StepFailure,
    StepId, StepOutcome, StepOutput, StepParams,
};
use wiiiv_hlx::{AttemptFact, PARALLEL_STEPS_MAX, RunEffect, RunEvent, RunState, advance};

pub fn node(id: &str, depends_on: &[&str], idempotent: bool) -> Node {
    let step = |id: &str| StepId::parse(id).expect("a step id");
    Node {
        id: step(id),
        kind: NodeKind::Transform,
        params: StepParams::Transform {
            input: Arg::Literal("1".to_owned()),
            beside: Vec::new(),
            expr: ".".to_owned(),
        },
        depends_on: depends_on.iter().map(|id| step(id)).collect(),
        when: None,
        retry: Retry { attempts_max: 3, backoff_ms: 100 },
        effect: Effect::Read,
        idempotent,
    }
}

pub fn success() -> StepOutcome {
    StepOutcome::Success {
        output: StepOutput {
            digest: ContentDigest::of_bytes(b"1"),
            size_bytes: 1,
            media_type: "application/json".to_owned(),
            foreign: false,
            status: None,
        },
    }
}

pub fn failure(category: FailureCategory, code: &str) -> StepFailure {
    StepFailure {
        category,
        code: code.to_owned(),
        message: String::new(),
        effect_unknown: false,
        retry_after_ms: None,
        status: None,
        redirected_to: None,
        not_started: false,
    }
}

/// How a step's tries go: so many fail, then the last word.
#[derive(Debug, Clone)]
pub struct Script {
    pub failures: u32,
    pub then: Then,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    Succeeds,
    Breaks,
    LeavesDoubt,
    /// Its condition does not hold: found out before it begins.
    IsSkipped,
}

/// What has happened outside of the engine: it outlives a crash.
#[derive(Debug, Clone)]
pub struct Outside {
    nodes: Vec<Node>,
    scripts: BTreeMap<StepId, Script>,
    tries: BTreeMap<StepId, u32>,
    /// As the store keeps them.
    pub record: Vec<AttemptFact>,
    /// As the journal keeps them.
    pub skipped: BTreeSet<StepId>,
}

/// One answer that the engine waits for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Due {
    step: StepId,
    attempt: u32,
    on_record: bool,
    /// By whom.
    cancelled: Option<&'static str>,
}

pub struct Simulation {
    pub world: Outside,
    state: RunState,
    due: BTreeSet<Due>,
    cancelled: bool,
    pub ended: Option<RunOutcome>,
}

impl Outside {
    pub fn new(nodes: Vec<Node>, scripts: Vec<Script>) -> Self {
        let scripts = nodes.iter().map(|n| n.id.clone()).zip(scripts).collect();
        let (tries, record, skipped) = Default::default();
        Self { nodes, scripts, tries, record, skipped }
    }
    fn answer(&mut self, step: &StepId) -> StepOutcome {
        let script = self.scripts[step].clone();
        let tries = self.tries.entry(step.clone()).or_default();
        *tries += 1;
        if *tries <= script.failures {
            return StepOutcome::Failure { failure: failure(FailureCategory::IoError, "IO") };
        }
        match script.then {
            Then::Succeeds => success(),
            Then::IsSkipped => panic!("`{step}` begins although its condition does not hold"),
            Then::Breaks => {
                StepOutcome::Failure { failure: failure(FailureCategory::Unknown, "BROKEN") }
            }
            Then::LeavesDoubt => StepOutcome::Failure {
                failure: StepFailure {
                    effect_unknown: true,
                    ..failure(FailureCategory::Unknown, "LOST")
                },
            },
        }
    }
    fn node(&self, step: &StepId) -> &Node {
        self.nodes.iter().find(|n| &n.id == step).expect("a step of the plan")
    }
    fn succeeded(&self, step: &StepId) -> bool {
        let done = |f: &AttemptFact| matches!(f.finished, Some(StepOutcome::Success { .. }));
        self.record.iter().any(|fact| &fact.step == step && done(fact))
    }
}

impl Simulation {
    /// Begins, or goes on from what the record says.
    pub fn of(world: Outside) -> Self {
        let state = RunState::restore(execution(1), &world.nodes, &world.record, &world.skipped);
        let fresh = RunState::new(execution(1), &world.nodes);
        let nothing = world.record.is_empty() && world.skipped.is_empty();
        assert!(!nothing || state == fresh, "nothing on record is a fresh run");
        let mut simulation =
            Self { world, state, due: BTreeSet::new(), cancelled: false, ended: None };
        simulation.give(RunEvent::Begin);
        simulation
    }

    /// One thing happens: `choice` says which of those that may.
    pub fn happen(&mut self, choice: usize) {
        let Some(due) = self.due.iter().nth(choice % self.due.len().max(1)).cloned() else {
            return;
        };
        self.due.remove(&due);
        let (step, attempt) = (due.step.clone(), due.attempt);
        if due.on_record {
            let outcome = match due.cancelled {
                Some(source) => StepOutcome::Cancelled { source: source.to_owned() },
                None => self.world.answer(&step),
            };
            let mut facts = self.world.record.iter_mut();
            let fact = facts.find(|f| f.step == step && f.attempt == attempt).expect("on record");
            fact.finished = Some(outcome.clone());
            self.give(RunEvent::StepFinished { step, attempt, outcome });
        } else if let Some(source) = due.cancelled {
            let outcome = StepOutcome::Cancelled { source: source.to_owned() };
            self.give(RunEvent::StepFinished { step, attempt, outcome });
        } else if self.world.scripts[&step].then == Then::IsSkipped {
            self.give(RunEvent::StepSkipped { step, attempt });
        } else {
            self.start(&step, attempt);
            self.due.insert(Due { on_record: true, ..due });
            self.give(RunEvent::StepStarted { step, attempt });
        }
    }

    pub fn cancel(&mut self) {
        self.cancelled = true;
        self.give(RunEvent::Cancel);
    }

    /// To the end, which comes.
    pub fn finish(&mut self, choices: &[usize]) -> RunOutcome {
        let bound = self.world.nodes.len() * 20 + 20;
        for n in 0..bound {
            if self.ended.is_some() {
                break;
            }
            self.happen(choices.get(n % choices.len().max(1)).copied().unwrap_or(0));
        }
        self.ended.clone().expect("a run ends")
    }

    fn start(&mut self, step: &StepId, attempt: u32) {
        let node = self.world.node(step);
        for on in &node.depends_on {
            assert!(self.world.succeeded(on), "`{step}` before `{on}`");
        }
        let before = self.world.record.iter().filter(|fact| &fact.step == step).count();
        assert!(before == 0 || node.idempotent, "`{step}` twice");
        assert!(!self.world.succeeded(step), "`{step}` again after its success");
        assert!(!self.world.skipped.contains(step), "`{step}` although it is skipped");
        self.world.record.push(AttemptFact {
            step: step.clone(),
            attempt,
            finished: None,
            resolved: None,
        });
    }

    fn give(&mut self, event: RunEvent) {
        let (state, effects) = advance(self.state.clone(), event);
        self.state = state;
        for effect in effects {
            self.perform(effect);
        }
        assert!(self.due.len() <= PARALLEL_STEPS_MAX, "too many at once");
        assert_eq!(self.state.in_flight().len(), self.due.len(), "what is awaited is in flight");
    }

    fn perform(&mut self, effect: RunEffect) {
        assert!(self.ended.is_none(), "nothing after the end: {effect:?}");
        match effect {
            RunEffect::Start { step, attempt } | RunEffect::StartAfter { step, attempt, .. } => {
                assert!(!self.cancelled, "a start after a cancel");
                let due = Due { step, attempt, on_record: false, cancelled: None };
                assert!(self.due.insert(due), "told twice");
            }
            RunEffect::CancelStep { step, attempt, source } => {
                let told = |due: &Due| due.step == step && due.attempt == attempt;
                let due = self.due.iter().find(|d| told(d)).cloned().expect("in flight");
                self.due.remove(&due);
                self.due.insert(Due { cancelled: Some(source.as_str()), ..due });
            }
            RunEffect::Skipped { step } => {
                assert!(self.world.skipped.insert(step.clone()), "`{step}` skipped twice");
            }
            RunEffect::Indeterminate { step } => {
                assert!(!self.world.node(&step).idempotent, "`{step}` is never in doubt");
            }
            RunEffect::End { outcome } => {
                assert!(self.due.is_empty(), "ended with steps under way");
                self.ended = Some(outcome);
            }
        }
    }
}
