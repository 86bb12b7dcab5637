//! The invariants over **every** sequence of inputs of a small model: two tasks of two slot values each,
//! two plans that wait for somebody, two rounds, yes, no and edit, cancel, switch, expiry, halt, and answers
//! that come too late or twice. The walks of `invariants` go further, and not everywhere.

use crate::{
    law::{Law, Seen},
    moves::{Act, Move, To, Who},
    session::{Pick, Session, effect_name},
};
use stateright::{Checker, HasDiscoveries, Model, Property};
use std::{
    any::Any,
    collections::{BTreeSet, HashSet},
    hash::{Hash, Hasher},
    mem::{Discriminant, discriminant},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};
use wiiiv_domain::{
    Action, Asks, Consensus, DenyCode, FlowEffect, FlowLimits, ReplyCode, RunOutcome, TaskType,
    TaskTypes,
};
use wiiiv_flow::StateName;

const LIMITS: FlowLimits = FlowLimits {
    suspended_max: 1,
    rounds_max: 2,
    drawings_max: 2,
    refused_max: 2,
    drawable: TaskTypes::ALL,
};

/// How far the model goes. Ids are given in turn, so it is these that make it finite.
struct Small {
    signals_max: u32,
    drawings_max: u32,
    permits_max: u32,
    /// The effects of all transitions, those that changed nothing among them.
    reached: Arc<Mutex<Reached>>,
}

#[derive(Default)]
struct Reached {
    names: BTreeSet<String>,
    kinds: HashSet<(Discriminant<FlowEffect>, Option<Discriminant<ReplyCode>>)>,
}

impl Reached {
    /// Each kind is named once: for its name an effect is written out whole.
    fn note(&mut self, effects: &[FlowEffect]) {
        for effect in effects {
            let reply = match effect {
                FlowEffect::Reply { reply } => Some(discriminant(reply)),
                _ => None,
            };
            if self.kinds.insert((discriminant(effect), reply)) {
                self.names.insert(effect_name(effect));
            }
        }
    }
}

/// A session, and the witness of what led to it.
#[derive(Clone)]
struct Point {
    session: Session,
    law: Law,
    /// The invariant that the last input broke.
    breach: Option<String>,
}

impl Hash for Point {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.session.key(), self.law.key(), &self.breach).hash(state);
    }
}

impl PartialEq for Point {
    fn eq(&self, other: &Self) -> bool {
        self.session.key() == other.session.key() && self.law == other.law
    }
}

impl std::fmt::Debug for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?}", self.session.line(), self.breach)
    }
}

impl Model for Small {
    type State = Point;
    type Action = Move;

    fn init_states(&self) -> Vec<Point> {
        let mut session = Session::new();
        session.limits = LIMITS;
        vec![Point { session, law: Law::default(), breach: None }]
    }

    fn actions(&self, point: &Point, moves: &mut Vec<Move>) {
        let made = point.session.made();
        if made.signals < self.signals_max {
            moves.extend(signals());
        }
        moves.extend(proposals());
        moves.extend(verdicts());
        if made.drawings < self.drawings_max {
            let asks = [Asks::Nothing, Asks::Requester, Asks::AnotherPerson, Asks::Refused];
            moves.extend(asks.map(|asks| Move::Drawn(Pick::Current, asks)));
        }
        moves.extend(answers());
        if made.permits < self.permits_max {
            moves.extend(PICKS.map(Move::Allow));
        }
        moves.extend(ends());
    }

    fn next_state(&self, last: &Point, one: Move) -> Option<Point> {
        let Point { mut session, mut law, .. } = last.clone();
        let before = session.state.clone();
        let input = one.input(&mut session);
        session.give(input.clone());
        session.inputs.clear();
        self.reached.lock().unwrap().note(&session.effects);
        let (limits, effects, after) = (&session.limits, &session.effects, &session.state);
        let seen = Seen { limits, before: &before, input: &input, effects, after };
        let held = catch_unwind(AssertUnwindSafe(|| law.check(&seen)));
        let breach = held.err().map(|panic| words(&*panic));
        // What changed nothing leads nowhere: a yes that was ignored would only be one more in the books.
        (session.state != before || breach.is_some()).then_some(Point { session, law, breach })
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("the invariants of governance.md 3 hold", |_, point: &Point| {
                point.breach.is_none()
            }),
            Property::sometimes("two runs succeed", |_, point: &Point| point.law.runs == 2),
            Property::sometimes("one task runs while another waits", |_, point: &Point| {
                let running = point.session.state.name() == StateName::Running;
                running && point.session.state.suspended().len() == 1
            }),
        ]
    }
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("?").to_owned()
}

const PICKS: [Pick; 2] = [Pick::Current, Pick::Older];

fn signals() -> Vec<Move> {
    let yes = PICKS.map(|pick| Act::Affirm(Some(pick)));
    let switch = Act::Switch(Who::Suspended(0));
    let others = [Act::Say, Act::Affirm(None), Act::Deny(Some(Pick::Current)), Act::Cancel, switch];
    yes.into_iter().chain(others).map(Move::Act).collect()
}

/// Of a model that does what it likes: two values of one slot, another task, one without its slots, talk.
fn proposals() -> Vec<Move> {
    let of = |turn, action, task_type, slots, to| Move::Proposed {
        turn,
        action,
        task_type,
        slots,
        to,
        wide: false,
        later: Vec::new(),
    };
    let write = |turn, slots, to| of(turn, Action::Execute, TaskType::FileWrite, slots, to);
    let now = Pick::Current;
    vec![
        write(now, (1, 1), To::Stay),
        write(now, (1, 2), To::Stay),
        write(now, (1, 0), To::Stay),
        write(now, (1, 2), To::New),
        write(Pick::Older, (1, 1), To::Stay),
        of(now, Action::Reply, TaskType::Conversation, (0, 0), To::Stay),
        of(now, Action::Cancel, TaskType::FileWrite, (0, 0), To::Stay),
        Move::Failed(now),
    ]
}

fn verdicts() -> Vec<Move> {
    let all = [Consensus::Yes, Consensus::Revision, Consensus::No];
    let mut moves: Vec<Move> = all.map(|vote| Move::Verdict(Pick::Current, vote)).to_vec();
    moves.push(Move::Verdict(Pick::Older, Consensus::Yes));
    moves.push(Move::Shadowed(Pick::Current, Consensus::No));
    moves.push(Move::NotDrawable(Pick::Current, true));
    moves
}

/// Of those who are asked, and of time.
fn answers() -> Vec<Move> {
    let now = Pick::Current;
    let mut moves: Vec<Move> = PICKS.map(Move::Approved).to_vec();
    moves.extend([Move::Refused(now), Move::Expired(now)]);
    moves.extend([Move::Edited(now, 2), Move::Edited(Pick::Older, 1)]);
    moves.extend([Move::Deny(now, DenyCode::Halted), Move::Unavailable(now)]);
    moves
}

fn ends() -> Vec<Move> {
    let halted = RunOutcome::Failed { code: DenyCode::Halted.as_str().to_owned() };
    let all = [RunOutcome::Succeeded, halted, RunOutcome::Indeterminate];
    let mut moves: Vec<Move> = all.map(|how| Move::Finished(Pick::Current, how)).to_vec();
    moves.push(Move::Finished(Pick::Older, RunOutcome::Succeeded));
    moves
}

/// What the model would not be worth much without.
const REACHED: [&str; 9] = [
    "reply edited",
    "reply stale",
    "reply expired",
    "reply cancelled",
    "reply unavailable",
    "reply run_failed",
    "reply run_indeterminate",
    "withdraw",
    "resume",
];

/// More than that nobody waits for, nor has the memory for, also of the larger model.
const STATES_MAX: usize = 5_000_000;

/// Nothing is held to a time: the smaller model is meant to take a minute on two processors of its own, and
/// beside a build it takes as long as that leaves it. So the seconds are printed, and what is checked is what
/// they come from, the states. `minutes_max` is only there so that a model without an end fails.
fn explore(signals_max: u32, minutes_max: u64) {
    let reached = Arc::new(Mutex::new(Reached::default()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let begun = Instant::now();
    let checker = Small { signals_max, drawings_max: 2, permits_max: 2, reached: reached.clone() }
        .checker()
        .threads(threads)
        .finish_when(HasDiscoveries::AnyFailures)
        .timeout(Duration::from_secs(60 * minutes_max))
        .spawn_bfs()
        .join();
    let (states, depth) = (checker.unique_state_count(), checker.max_depth());
    let seconds = begun.elapsed().as_secs_f64();
    println!("figure: flow model, {states} states, depth {depth}, {seconds:.1} s");
    checker.assert_properties();
    let reached = &reached.lock().unwrap().names;
    let missed: Vec<_> = REACHED.iter().filter(|one| !reached.contains(**one)).collect();
    assert!(missed.is_empty(), "not reached: {missed:?} of {reached:?}");
    assert!(checker.is_done(), "the model is not explored to its end");
    assert!(states <= STATES_MAX, "{states} states");
}

#[test]
fn every_sequence_of_the_small_model_keeps_the_invariants() {
    explore(2, 5);
}

#[test]
#[ignore = "long: a million states"]
fn every_sequence_of_the_larger_model_keeps_the_invariants() {
    explore(3, 30);
}
