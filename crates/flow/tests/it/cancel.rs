//! The user's cancel, over every state that generated sequences reach, and what comes too late.

use crate::{
    invariants::under_law,
    law::Law,
    moves::any_move,
    session::{Pick, Session, brief, write_a},
};
use expect_test::expect;
use proptest::{prelude::*, strategy::ValueTree as _, test_runner::TestRunner};
use std::collections::BTreeMap;
use wiiiv_domain::{Asks, Consensus, FlowInput, ProposalOutcome, RunOutcome, SignalKind};
use wiiiv_flow::StateName;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Cancelled at every point of every walk; what was in flight then answers in vain.
    #[test]
    fn is_honoured_everywhere(moves in prop::collection::vec(any_move(), 1..50)) {
        let mut session = Session::new();
        for one in moves {
            let input = one.input(&mut session);
            session.give(input);
            let mut cancelled = session.clone();
            let mut law = Law::default();
            let cancel = cancelled.signal(SignalKind::Cancel);
            under_law(&mut cancelled, &mut law, cancel);
            let quiet = cancelled.state.clone();
            for late in late_answers(&mut cancelled) {
                cancelled.give(late);
                prop_assert_eq!(&cancelled.state, &quiet);
                prop_assert_eq!(&cancelled.effects, &vec![]);
            }
        }
    }
}

fn late_answers(s: &mut Session) -> Vec<FlowInput> {
    let now = Pick::Current;
    let outcome = ProposalOutcome::Proposal { proposal: write_a() };
    vec![
        FlowInput::Proposed { turn: s.turn(now), outcome },
        s.verdict(Consensus::Yes),
        s.drawn(s.spec(now), Asks::Nothing),
        s.allow(s.digest(now)),
        FlowInput::Finished { execution: s.execution(now), outcome: RunOutcome::Succeeded },
    ]
}

/// While a model call, a deliberation, a drawing, a commit and a step are in flight.
#[test]
fn is_honoured_in_flight() {
    let mut session = Session::new();
    let mut lines = Vec::new();
    let stages: [fn(&mut Session) -> &mut Session; 6] = [
        Session::say,
        |s| s.model(write_a()),
        |s| s.dacs(Consensus::Yes),
        |s| s.draw(Asks::Nothing),
        Session::allowed,
        |s| s.finished(RunOutcome::Succeeded),
    ];
    for stage in stages {
        stage(&mut session);
        let mut cancelled = session.clone();
        cancelled.signalled(SignalKind::Cancel);
        assert_eq!(cancelled.state.name(), StateName::Listening);
        lines.push(format!("{} {}", session.state.name(), brief(&cancelled.effects)));
    }
    expect![[r#"
        PROPOSING [cancel_work, reply cancelled]
        DELIBERATING [cancel_work, close cancelled, reply cancelled]
        DRAWING [cancel_work, close cancelled, reply cancelled]
        AUTHORIZING [cancel_work, close cancelled, reply cancelled]
        RUNNING [cancel_work, close cancelled, reply cancelled]
        PROPOSING [cancel_work, close cancelled, reply cancelled]"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn the_walks_cancel_in_every_state() {
    let mut runner = TestRunner::deterministic();
    let mut cancelled = BTreeMap::new();
    for _ in 0..100 {
        let moves = prop::collection::vec(any_move(), 80).new_tree(&mut runner).unwrap().current();
        let mut session = Session::new();
        for one in &moves {
            let input = one.input(&mut session);
            session.give(input);
            *cancelled.entry(session.state.name()).or_insert(0_u32) += 1;
        }
    }
    assert_eq!(cancelled.into_keys().collect::<Vec<_>>(), StateName::ALL);
}
