//! Ten thousand inputs of a hostile model and a careless crowd: nothing grows without bound.

use crate::{
    invariants::under_law,
    law::Law,
    moves::any_move,
    session::{Session, proposal},
};
use proptest::{prelude::*, strategy::ValueTree as _, test_runner::TestRunner};
use wiiiv_domain::{
    Action, Consensus, Proposal, SLOT_CHARS_MAX, SLOTS_MAX, Slots, TaskSwitch, TaskType,
};

const INPUTS: usize = 10_000;

#[test]
fn ten_thousand_inputs_stay_bounded() {
    let mut runner = TestRunner::deterministic();
    let (mut session, mut law) = (Session::new(), Law::default());
    session.limits.refused_max = 16;
    for _ in 0..INPUTS {
        let one = any_move().new_tree(&mut runner).unwrap().current();
        let input = one.input(&mut session);
        session.inputs.clear();
        under_law(&mut session, &mut law, input);
    }
    assert!(law.runs > 0);
}

/// Every slot name is new and every value as long as it may be.
#[test]
fn slots_do_not_pile_up() {
    let mut session = Session::new();
    session.say().model(proposal(Action::Ask, TaskType::FileWrite, &[]));
    for round in 0..200 {
        let mut slots = Slots::default();
        for at in 0..SLOTS_MAX {
            let name = format!("s{round}_{at}");
            slots.set(&name, "x".repeat(if at == 0 { SLOT_CHARS_MAX } else { 8 })).unwrap();
        }
        let action = Action::Execute;
        let proposal = Proposal { slots, ..proposal(action, TaskType::FileWrite, &[]) };
        session.say().model(proposal);
        assert!(session.state.active().unwrap().slots.iter().count() <= SLOTS_MAX);
    }
}

/// A NO for ever new specs: at the bound nothing more is deliberated, and talk goes on.
#[test]
fn refusals_are_bounded() {
    let mut session = Session::new();
    let mut deliberated = 0;
    for round in 0..400 {
        let content = round.to_string();
        let pairs = [("targetPath", "a.md"), ("content", content.as_str())];
        session.say().model(proposal(Action::Execute, TaskType::FileWrite, &pairs));
        if session.state.name().is_in_flight() {
            deliberated += 1;
            session.dacs(Consensus::No);
        } else {
            assert_eq!(session.line(), "LISTENING [reply denied, close denied]");
        }
    }
    assert_eq!(deliberated, session.limits.refused_max);
}

/// A new task with every message: eight wait, the ninth is refused.
#[test]
fn tasks_are_bounded() {
    let mut session = Session::new();
    for _ in 0..50 {
        let ask = proposal(Action::Ask, TaskType::FileWrite, &[]);
        session.say().model(Proposal { task_switch: TaskSwitch::New, ..ask });
    }
    assert_eq!(session.suspended().len(), session.limits.suspended_max);
    assert_eq!(session.line(), "INTERVIEWING [reply too_many_tasks]");
}
