//! The whole table of places and input classes, below and at the limits, as a snapshot.

use crate::{
    law::{Law, Seen},
    session::{Session, brief},
    table_classes::{inputs, places},
};
use expect_test::expect_file;
use std::{collections::BTreeSet, fmt::Write as _};
use wiiiv_domain::{ContentDigest, FlowInput, FlowLimits, TaskTypes};
use wiiiv_flow::{StateName, step};

/// Every bound is reached with what the places have behind them.
const REACHED: FlowLimits = FlowLimits {
    suspended_max: 1,
    rounds_max: 1,
    drawings_max: 1,
    refused_max: 1,
    drawable: TaskTypes::ALL,
};

#[test]
fn every_place_answers_every_class() {
    let mut text = String::new();
    let (mut rows, mut names, mut classes) = (0, BTreeSet::new(), BTreeSet::new());
    for (place, session) in places() {
        names.insert(session.state.name());
        let below = cells(&session, &FlowLimits::default());
        let at = cells(&session, &REACHED);
        rows += below.len() + at.len();
        classes.extend(below.iter().map(|(class, _)| class.clone()));
        let differs = at.into_iter().zip(&below).filter(|(at, below)| at != *below);
        let differing: Vec<_> = differs.map(|(at, _)| at).collect();
        writeln!(text, "\n{place}\n{}", grouped(&below)).unwrap();
        if !differing.is_empty() {
            let differing = grouped(&differing);
            writeln!(text, "{place}, otherwise at the limits\n{differing}").unwrap();
        }
    }
    assert_eq!(names.into_iter().collect::<Vec<_>>(), StateName::ALL);
    let header = format!(
        "{} places x {} input classes x 2 limits = {rows} transitions\n",
        places().len(),
        classes.len(),
    );
    expect_file!["../table.txt"].assert_eq(&(header + &text));
}

/// A journal names the state behind each of its inputs by its hash: whoever changes what is in one leaves every
/// conversation of before behind. A line for each place, over what every class of input makes of it.
#[test]
fn every_state_keeps_its_hash() {
    let mut text = String::new();
    for (place, session) in places() {
        let before = session.state.hash();
        let [below, at] = [FlowLimits::default(), REACHED].map(|limits| behind(&session, &limits));
        writeln!(text, "{place}: {before}\n  below {below}\n  at the limits {at}").unwrap();
    }
    expect_file!["../hashes.txt"].assert_eq(&text);
}

/// Of the states behind every class.
fn behind(session: &Session, limits: &FlowLimits) -> ContentDigest {
    let mut naming = session.clone();
    let after = inputs(&mut naming).into_iter().map(|(class, input)| {
        let (after, _) = step(limits, &session.state, input);
        format!("{class} {}\n", after.hash())
    });
    ContentDigest::of_bytes(after.collect::<String>().as_bytes())
}

/// Every class with `state [effects]`, in the order of the classes.
fn cells(session: &Session, limits: &FlowLimits) -> Vec<(String, String)> {
    let mut naming = session.clone();
    let inputs = inputs(&mut naming);
    inputs.into_iter().map(|(class, input)| (class, cell(session, limits, input))).collect()
}

fn cell(session: &Session, limits: &FlowLimits, input: FlowInput) -> String {
    let (after, effects) = step(limits, &session.state, input.clone());
    let mut law = law_of(session);
    let seen =
        Seen { limits, before: &session.state, input: &input, effects: &effects, after: &after };
    law.check(&seen);
    if after == session.state {
        return format!("stays {}", brief(&effects));
    }
    format!("-> {} {}", after.name(), brief(&effects))
}

/// The witness of everything that led here.
fn law_of(session: &Session) -> Law {
    let (mut law, mut again) = (Law::default(), Session::new());
    for input in &session.inputs {
        let before = again.state.clone();
        again.give(input.clone());
        let (effects, after) = (&again.effects, &again.state);
        law.check(&Seen { limits: &again.limits, before: &before, input, effects, after });
    }
    law
}

/// One line an outcome, with the classes that lead to it.
fn grouped(cells: &[(String, String)]) -> String {
    let mut outcomes: Vec<&String> = Vec::new();
    for (_, outcome) in cells {
        if !outcomes.contains(&outcome) {
            outcomes.push(outcome);
        }
    }
    let mut text = String::new();
    for outcome in outcomes {
        let of = cells.iter().filter(|(_, o)| o == outcome);
        let classes: Vec<&str> = of.map(|(class, _)| class.as_str()).collect();
        writeln!(text, "  {outcome}  <{}>\n      {}", classes.len(), classes.join("; ")).unwrap();
    }
    text
}
