//! Any plan, any outcomes, any interleaving, a cancel or a crash at any moment.

use super::simulator::{Outside, Script, Simulation, Then, node};
use proptest::prelude::*;
use std::collections::BTreeSet;
use wiiiv_domain::{Node, RunOutcome};

/// A step's dependencies are a mask over those before it; the plan's order is shuffled after.
fn plan() -> impl Strategy<Value = (Vec<Node>, Vec<Script>)> {
    let then = prop_oneof![
        6 => Just(Then::Succeeds),
        1 => Just(Then::Breaks),
        1 => Just(Then::LeavesDoubt),
        1 => Just(Then::IsSkipped)
    ];
    let script = (0..4_u32, then).prop_map(|(failures, then)| Script { failures, then });
    let step = (any::<u16>(), any::<bool>(), script);
    prop::collection::vec(step, 0..9).prop_flat_map(|steps| {
        let named: Vec<_> = steps
            .into_iter()
            .enumerate()
            .map(|(at, (mask, idempotent, script))| {
                let before: Vec<_> =
                    (0..at).filter(|n| mask >> n & 1 == 1).map(|n| format!("s{n}")).collect();
                let before: Vec<_> = before.iter().map(String::as_str).collect();
                (node(&format!("s{at}"), &before, idempotent), script)
            })
            .collect();
        Just(named).prop_shuffle().prop_map(|steps| steps.into_iter().unzip())
    })
}

/// Its own condition or one before it does not hold.
fn is_cut_off(node: &Node, nodes: &[Node], scripts: &[Script]) -> bool {
    let script = |at: &Node| nodes.iter().zip(scripts).find(|(n, _)| n.id == at.id).map(|(_, s)| s);
    let on = |id: &wiiiv_domain::StepId| nodes.iter().find(|n| n.id == *id).expect("a step");
    script(node).is_some_and(|script| script.then == Then::IsSkipped)
        || node.depends_on.iter().any(|id| is_cut_off(on(id), nodes, scripts))
}

fn choices() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(any::<usize>(), 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Order, single starts, the bound and the end are asserted by the simulation itself.
    #[test]
    fn it_ends_and_keeps_its_promises((nodes, scripts) in plan(), choices in choices()) {
        let all_well = scripts.iter().zip(&nodes).all(|(script, node)| {
            let tries = if node.idempotent { 2 } else { 0 };
            is_cut_off(node, &nodes, &scripts)
                || (script.then == Then::Succeeds && script.failures <= tries)
        });
        let mut run = Simulation::of(Outside::new(nodes, scripts));
        let outcome = run.finish(&choices);
        prop_assert_eq!(outcome == RunOutcome::Succeeded, all_well);
    }

    /// After a cancel nothing starts (asserted by the simulation), and the run still ends.
    #[test]
    fn a_cancel_stops_it((nodes, scripts) in plan(), choices in choices(), at in 0..40_usize) {
        let mut run = Simulation::of(Outside::new(nodes, scripts));
        for n in 0..at {
            run.happen(choices[n % choices.len()]);
        }
        let ended = run.ended.clone();
        run.cancel();
        let outcome = run.finish(&choices);
        match ended {
            Some(before) => prop_assert_eq!(outcome, before),
            None => prop_assert_ne!(outcome, RunOutcome::Failed { code: "PLAN_STUCK".to_owned() }),
        }
    }

    /// A crash at any prefix of the record: going on from it comes to the same end as never
    /// having crashed, or a step that is not idempotent waits in doubt.
    #[test]
    fn a_restored_run_equals_the_uninterrupted_one(
        (nodes, scripts) in plan(), choices in choices(), at in 0..60_usize,
    ) {
        let cut_off = nodes.iter().filter(|node| is_cut_off(node, &nodes, &scripts));
        let left_out: BTreeSet<_> = cut_off.map(|node| node.id.clone()).collect();
        let world = Outside::new(nodes, scripts);
        let whole = Simulation::of(world.clone()).finish(&choices);
        let mut run = Simulation::of(world);
        for n in 0..at {
            run.happen(choices[n % choices.len()]);
        }
        // A skip that came on record is kept; one that was lost with the crash is found again.
        let mut forgetful = run.world.clone();
        forgetful.skipped.clear();
        for world in [run.world, forgetful] {
            let mut resumed = Simulation::of(world);
            let outcome = resumed.finish(&choices);
            let same = match (&outcome, &whole) {
                // Which of several faults comes first depends on the interleaving alone.
                (RunOutcome::Failed { .. }, RunOutcome::Failed { .. } | RunOutcome::Indeterminate)
                | (RunOutcome::Indeterminate, _) => true,
                (resumed, whole) => resumed == whole,
            };
            prop_assert!(same, "{:?} after a crash, {:?} without", outcome, whole);
            if outcome == RunOutcome::Succeeded {
                prop_assert_eq!(&resumed.world.skipped, &left_out);
            }
        }
    }
}
