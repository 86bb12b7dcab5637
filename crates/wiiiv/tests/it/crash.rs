//! Ended at every commit of a turn, and at moments of no meaning: what was promised still holds.

mod beside;
mod case;
mod cleared;
mod commands;
mod counted;
mod delegated;
mod edited;
mod expired;
mod granted;
mod halted;
mod holds;
mod kills;
mod overrides;
mod promoted;
mod quorum;
mod released;

use crate::audit_feed::in_flight;
use beside::Cut;
use case::{Case, Task, Then, Word};
use futures::StreamExt as _;
use std::collections::BTreeSet;
use wiiiv_store::Point;

/// Cases at once; each is one server after the other.
const SIDE_BY_SIDE: usize = 2;

/// What is cut has to be at least so many points.
const CUTS_MIN: usize = 20;

/// A POST that its service does not declare idempotent. Commits of its turns, in order: T0 accepted,
/// T1 asked; E the turn of the yes with the person's event and the approval, T1 decided; S1 the step,
/// S2 its end; T2. The first E is the policy that lets the shop be called. A yes is on record as a whole
/// or not at all: of an event without its approval, which T0 could leave, there is no case any more.
const ORDER: [Case; 15] = [
    Case::at("T0:before:1", Then::Unheard),
    Case::at("T0:after:1", Then::Told).healed(1),
    Case::at("T1:before:1", Then::Told).healed(1),
    Case::at("T1:after:1", Then::Pending).ends(1),
    Case::at("E:before:2", Then::Pending).ends(1),
    Case::at("E:after:2", Then::Finished).ends(1),
    Case::at("T1:before:2", Then::Finished).ends(1),
    Case::at("T1:after:2", Then::Finished).ends(1),
    Case::at("S1:before:1", Then::Finished).ends(1),
    Case::at("S1:after:1", Then::InDoubt(Word::DidNotHappen)),
    Case::at("S1:after:1", Then::InDoubt(Word::Abandon)),
    Case::at("S2:before:1", Then::InDoubt(Word::Happened)).sent(1).ends(1),
    Case::at("S2:after:1", Then::Finished).sent(1).ends(1).healed(1),
    Case::at("T2:before:1", Then::Finished).sent(1).ends(1).healed(1),
    Case::at("T2:after:1", Then::Finished).sent(1).ends(1),
];

/// A GET whose answer is filtered and saved: three steps, each of which may be done twice. The end of
/// one is in the S1 of the next; S2 has the end of the last alone. A step of which the end was not
/// written is repeated (`S1:before:2`), and one of which it was is not (`S1:after:2`).
const REPORT: [Case; 13] = [
    Case::at("E:before:2", Then::Pending).ends(1),
    Case::at("E:after:2", Then::Finished).ends(1),
    Case::at("T1:before:2", Then::Finished).ends(1),
    Case::at("T1:after:2", Then::Finished).ends(1),
    Case::at("S1:before:1", Then::Finished).ends(1),
    Case::at("S1:after:1", Then::Finished).ends(1),
    Case::at("S1:before:2", Then::Finished).sent(1).ends(2),
    Case::at("S1:after:2", Then::Finished).sent(1).ends(1),
    Case::at("S1:before:3", Then::Finished).sent(1).ends(1),
    Case::at("S1:after:3", Then::Finished).sent(1).ends(1),
    Case::at("S2:before:1", Then::Finished).sent(1).ends(1),
    Case::at("S2:after:1", Then::Finished).sent(1).ends(1).healed(1),
    Case::at("T2:before:1", Then::Finished).sent(1).ends(1).healed(1),
];

/// The order of above, and its answer saved. Its end goes with the start of the second step: before
/// that is written nobody can say whether it was placed, and behind it nobody is asked.
const SAVED_ORDER: [Case; 6] = [
    Case::at("S1:after:1", Then::InDoubt(Word::DidNotHappen)),
    Case::at("S1:before:2", Then::InDoubt(Word::DidNotHappen)).sent(1).ends(1),
    Case::at("S1:before:2", Then::InDoubt(Word::Abandon)).sent(1).ends(1),
    Case::at("S1:after:2", Then::Finished).sent(1).ends(1),
    Case::at("S2:before:1", Then::Finished).sent(1).ends(1),
    Case::at("S2:after:1", Then::Finished).sent(1).ends(1).healed(1),
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_is_placed_once_wherever_it_was_cut() {
    all(Task::Order, &ORDER).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_whose_answer_is_saved_is_placed_once_wherever_it_was_cut() {
    all(Task::SavedOrder, &SAVED_ORDER).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_is_finished_wherever_it_was_cut() {
    all(Task::Report, &REPORT).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_counted_call_held_is_given_back_wherever_it_was_cut() {
    for (fault, healed) in counted::FAULTS {
        counted::cut(fault, healed).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_yes_is_given_back_and_used_again_wherever_it_was_cut() {
    let run = |fault: &'static str| async move {
        tokio::spawn(released::cut(fault)).await.map_err(|_| fault)
    };
    let ran = futures::stream::iter(released::FAULTS).map(run).buffer_unordered(SIDE_BY_SIDE);
    let failed: Vec<&str> = ran.filter_map(async |ended| ended.err()).collect().await;
    assert!(failed.is_empty(), "not as promised after {failed:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_halted_is_halted_wherever_it_was_cut() {
    for fault in halted::FAULTS {
        halted::cut(fault).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_quorum_that_is_half_full_stays_so_wherever_it_was_cut() {
    let run = |fault: (&'static str, u64)| async move {
        tokio::spawn(quorum::cut(fault)).await.map_err(|_| fault.0)
    };
    let ran = futures::stream::iter(quorum::FAULTS).map(run).buffer_unordered(SIDE_BY_SIDE);
    let failed: Vec<&str> = ran.filter_map(async |ended| ended.err()).collect().await;
    assert!(failed.is_empty(), "not as promised after {failed:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_edit_stands_as_a_whole_wherever_it_was_cut() {
    let run = |fault: (&'static str, bool)| async move {
        tokio::spawn(edited::cut(fault)).await.map_err(|_| fault.0)
    };
    let ran = futures::stream::iter(edited::FAULTS).map(run).buffer_unordered(SIDE_BY_SIDE);
    let failed: Vec<&str> = ran.filter_map(async |ended| ended.err()).collect().await;
    assert!(failed.is_empty(), "not as promised after {failed:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_yes_beside_a_turn_stands_with_the_commit_that_records_it() {
    for cut in beside::SHORT {
        cut.run().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "long: seventeen decisions beside a turn, each of which ends a server"]
async fn a_decision_beside_a_turn_stands_as_a_whole_wherever_it_was_cut() {
    let run = |cut: Cut| async move { tokio::spawn(cut.run()).await.map_err(|_| cut) };
    let ran = futures::stream::iter(beside::LONG).map(run).buffer_unordered(SIDE_BY_SIDE);
    let failed: Vec<Cut> = ran.filter_map(async |ended| ended.err()).collect().await;
    assert!(failed.is_empty(), "not as promised after {failed:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_grant_is_used_once_wherever_its_run_was_cut() {
    let run = |fault: &'static str| async move {
        tokio::spawn(granted::cut(fault)).await.map_err(|_| fault)
    };
    let ran = futures::stream::iter(granted::FAULTS).map(run).buffer_unordered(SIDE_BY_SIDE);
    let failed: Vec<&str> = ran.filter_map(async |ended| ended.err()).collect().await;
    assert!(failed.is_empty(), "not as promised after {failed:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hold_is_cleared_as_a_whole_wherever_it_was_cut() {
    for fault in cleared::FAULTS {
        cleared::cut(fault).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_is_on_record_as_a_whole_wherever_it_was_cut() {
    for fault in commands::FAULTS {
        commands::cut(fault).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stage_is_changed_with_what_it_rests_on_wherever_it_was_cut() {
    promoted::cut_all().await;
}

/// The two sides of every kind of commit: a kind that is new has to be cut somewhere. Of an export that is killed
/// on its way the one boundary is where it notes how far it came.
#[test]
fn every_kind_of_commit_is_cut_on_both_sides() {
    let faults = faults();
    let (mut cut, mut sides, mut commits) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (flow, fault) in &faults {
        let [point, side, nth] = fault.split(':').collect::<Vec<_>>()[..] else {
            panic!("{fault}")
        };
        cut.insert(format!("{point}:{side}"));
        sides.insert((flow, fault));
        commits.insert((flow, point, nth));
    }
    let exports = in_flight::CUTS.len();
    let (covered, all) = (sides.len() + exports, 2 * commits.len() + exports);
    let cuts = faults.len() + exports;
    println!("figure: boundaries covered {covered} of {all}, by {cuts} cuts");
    assert!(cuts >= CUTS_MIN, "{cuts} cuts");
    let kinds = Point::ALL.iter();
    let all = kinds.flat_map(|point| ["before", "after"].map(|side| format!("{point}:{side}")));
    let missing: Vec<String> = all.filter(|side| !cut.contains(side)).collect();
    assert!(missing.is_empty(), "never cut at {missing:?}");
}

/// Of every test here, each with the flow that is cut.
fn faults() -> Vec<(&'static str, &'static str)> {
    let flows = [
        ("order", of_cases(&ORDER)),
        ("saved order", of_cases(&SAVED_ORDER)),
        ("report", of_cases(&REPORT)),
        ("counted call", named(&counted::FAULTS)),
        ("released yes", released::FAULTS.to_vec()),
        ("halt", halted::FAULTS.to_vec()),
        ("quorum", named(&quorum::FAULTS)),
        ("edit", named(&edited::FAULTS)),
        ("grant", granted::FAULTS.to_vec()),
        ("delegation", named(&delegated::FAULTS)),
        ("hold", named(&cleared::FAULTS)),
        ("override", named(&overrides::FAULTS)),
        ("override's time", named(&expired::FAULTS)),
        ("commands", commands::FAULTS.to_vec()),
    ];
    let flows = flows.into_iter();
    let all = flows.flat_map(|(flow, faults)| faults.into_iter().map(move |fault| (flow, fault)));
    let beside = beside::SHORT.into_iter().chain(beside::LONG);
    all.chain(promoted::FAULTS.map(|(verb, fault, ..)| (verb, fault)))
        .chain(beside.map(|cut| (cut.flow(), cut.fault)))
        .collect()
}

fn of_cases(cases: &[Case]) -> Vec<&'static str> {
    cases.iter().map(|case| case.fault).collect()
}

fn named<T>(faults: &[(&'static str, T)]) -> Vec<&'static str> {
    faults.iter().map(|(fault, _)| *fault).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_override_ends_by_its_time_once_wherever_it_was_cut() {
    for fault in expired::FAULTS {
        expired::cut(fault).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_override_begins_and_ends_once_wherever_it_was_cut() {
    for fault in overrides::FAULTS {
        overrides::cut(fault).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_right_that_is_lent_stands_whole_wherever_it_was_cut() {
    let run = |fault: (&'static str, bool)| async move {
        tokio::spawn(delegated::cut(fault)).await.map_err(|_| fault.0)
    };
    let ran = futures::stream::iter(delegated::FAULTS).map(run).buffer_unordered(SIDE_BY_SIDE);
    let failed: Vec<&str> = ran.filter_map(async |ended| ended.err()).collect().await;
    assert!(failed.is_empty(), "not as promised after {failed:?}");
}

/// Every case is run, also behind one that fails.
async fn all(task: Task, cases: &[Case]) {
    let run =
        |case: Case| async move { tokio::spawn(case.run(task)).await.map_err(|_| case.fault) };
    let ran = futures::stream::iter(cases.to_vec()).map(run).buffer_unordered(SIDE_BY_SIDE);
    let failed: Vec<&str> = ran.filter_map(async |ended| ended.err()).collect().await;
    assert!(failed.is_empty(), "not as promised after {failed:?}");
}
