//! Plays a scenario turn by turn, with its recorded model or with a real one.

use super::{
    observer::{Observer, first_violation},
    run_report::Invariants,
    snapshot::Subjects,
};
use crate::{
    harness::{PlayError, ProjectSetup, Servers},
    invariant::{self, Tree},
    scenario::Scenario,
    verdict::{Verdict, Violated, Window, text_of},
};
use serde_json::{Value, json};
use std::path::Path;
use wiiiv_fakes::ProviderAnswer;

/// A played run: its verdict, and everything that was observed.
pub(super) struct Played {
    pub(super) verdict: Verdict,
    pub(super) window: Window,
    /// `None`: a fact was violated first, so they were not checked.
    pub(super) invariants: Option<Invariants>,
    /// The real model's answers by turn.
    pub(super) answers: Vec<Vec<ProviderAnswer>>,
}

/// `folder`: that of the scenario files.
pub(super) async fn replay(
    servers: &Servers,
    setup: &ProjectSetup,
    scenario: &Scenario,
    folder: &Path,
) -> Result<Played, PlayError> {
    let tree = Tree::of(&servers.home, setup)?;
    let subjects = Subjects::of(scenario);
    let mut observer = Observer::open(servers, setup, &subjects).await?;
    let (mut first, mut answers) = (None, Vec::new());
    for (at, turn) in scenario.turns.iter().enumerate() {
        if first.is_none() && !turn.omitted {
            first = observer.turn(turn, folder).await?.map(|violated| violated.in_turn(at + 1));
        }
        let known = answers.iter().map(Vec::len).sum();
        answers.push(servers.cassettes.passed_back(&setup.cassette).split_off(known));
    }
    let window = observer.whole_run().await?;
    if first.is_none() {
        first = first_violation(&scenario.expect, &window, &setup.addresses, folder);
    }
    if first.is_none() {
        first = match servers.live {
            Some(_) => degraded_answer(&window),
            None => unnamed_step(scenario, &window),
        };
    }
    // With a real model they are checked in every run.
    let mut invariants = None;
    if first.is_none() || servers.live.is_some() {
        let violated = invariant::first_violation(servers, setup, &window, &tree).await?;
        invariants = Some(Invariants::of(violated.as_ref()));
        first = violated.or(first);
    }
    let verdict = match first {
        Some(first) => Verdict::Fail { first },
        None => Verdict::of_good_run(&scenario.pending),
    };
    Ok(Played { verdict, window, invariants, answers })
}

/// A model is judged by a scenario where the rules allow the steps that it names: all that are drawn.
fn unnamed_step(scenario: &Scenario, window: &Window) -> Option<Violated> {
    let judges = !scenario.recorded_only && !scenario.task_types.is_empty();
    if !judges {
        return None;
    }
    let drawn = window.audit.iter().filter(|record| record.kind == "blueprint.drawn");
    let steps = drawn.filter_map(|record| record.body.get("steps").and_then(Value::as_array));
    let named = |step: &Value| {
        scenario.step_types.iter().any(|named| named.as_str() == text_of(step, "type"))
    };
    let stray = steps.flatten().find(|step| !named(step))?;
    Some(Violated::new("step_types", json!(scenario.step_types), text_of(stray, "type")))
}

/// An answer of the built-in understanding in place of the model proves nothing about the model.
fn degraded_answer(window: &Window) -> Option<Violated> {
    let degraded = window.audit.iter().find(|record| record.kind == "model.degraded")?;
    let reason = degraded.body.get("reason").cloned().unwrap_or_default();
    Some(Violated::new("model", "every answer is its own", reason))
}
