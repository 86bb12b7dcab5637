//! The eight invariants over generated sequences of inputs.

use crate::{
    law::{Law, Seen},
    moves::{Move, any_move, model_move},
    session::{Session, talk},
};
use proptest::{prelude::*, strategy::ValueTree as _, test_runner::TestRunner};
use std::collections::BTreeSet;
use wiiiv_domain::{FlowEffect, FlowInput, FlowLimits, TaskTypes};
use wiiiv_flow::StateName;

pub fn under_law(session: &mut Session, law: &mut Law, input: FlowInput) {
    let before = session.state.clone();
    session.give(input.clone());
    let (limits, effects, after) = (&session.limits, &session.effects, &session.state);
    law.check(&Seen { limits, before: &before, input: &input, effects, after });
}

/// Small enough that generated sequences reach every limit.
const TIGHT: FlowLimits = FlowLimits {
    suspended_max: 2,
    rounds_max: 3,
    drawings_max: 2,
    refused_max: 4,
    drawable: TaskTypes::ALL,
};

fn walk(session: &mut Session, moves: &[Move]) -> Law {
    let mut law = Law::default();
    for one in moves {
        let input = one.input(session);
        under_law(session, &mut law, input);
    }
    law
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn hold_whatever_comes(moves in prop::collection::vec(any_move(), 1..120)) {
        walk(&mut Session::new(), &moves);
    }

    #[test]
    fn hold_at_the_limits(moves in prop::collection::vec(any_move(), 1..120)) {
        let mut session = Session::new();
        session.limits = TIGHT;
        walk(&mut session, &moves);
    }

    /// Whatever a model says to every message, nothing is authorized or run.
    #[test]
    fn a_model_alone_runs_nothing(answers in prop::collection::vec(model_move(), 1..80)) {
        let mut session = Session::new();
        let mut law = Law::default();
        for answer in answers {
            let message = session.signal(wiiiv_domain::SignalKind::Say);
            under_law(&mut session, &mut law, message);
            let answer = answer.input(&mut session);
            under_law(&mut session, &mut law, answer);
            let acts = |e: &FlowEffect| {
                matches!(e, FlowEffect::Authorize { .. } | FlowEffect::Run { .. })
            };
            prop_assert!(!session.effects.iter().any(acts));
        }
        prop_assert_eq!(law.runs, 0);
    }

    /// After any hostile sequence a cancel and a benign request are served.
    #[test]
    fn a_session_recovers(moves in prop::collection::vec(any_move(), 1..60)) {
        let mut session = Session::new();
        walk(&mut session, &moves);
        session.signalled(wiiiv_domain::SignalKind::Reset).say().model(talk());
        prop_assert_eq!(session.line(), "LISTENING [reply model]");
    }
}

/// A property that never got anywhere would hold for nothing: the walks reach every state and run.
#[test]
fn the_walks_reach_every_state() {
    let mut runner = TestRunner::deterministic();
    let (mut reached, mut runs) = (BTreeSet::new(), 0);
    for _ in 0..200 {
        let moves = prop::collection::vec(any_move(), 120);
        let moves = moves.new_tree(&mut runner).unwrap().current();
        let mut session = Session::new();
        let mut law = Law::default();
        for one in &moves {
            let input = one.input(&mut session);
            under_law(&mut session, &mut law, input);
            reached.insert(session.state.name());
        }
        runs += law.runs;
    }
    assert_eq!(reached.into_iter().collect::<Vec<_>>(), StateName::ALL);
    assert!(runs > 200, "only {runs} runs");
}
