//! Plays the scenario's turns with a hostile model, and a benign request after each of them.

use super::{
    act::{TurnResult, act},
    benign_request,
    hostile::Hostile,
    meanwhile::change,
    observer::Observer,
    replay::Played,
    snapshot::Subjects,
};
use crate::{
    harness::{PlayError, ProjectSetup, Servers, follow, last_number, required_text},
    invariant::{self, Tree},
    scenario::{Act, Scenario},
    verdict::Verdict,
};
use serde_json::{Value, json};

/// Suspended tasks at which the session is reset; the server refuses more than eight.
const SUSPENDED_MAX: usize = 6;

pub(super) async fn adversary(
    servers: &Servers,
    setup: &ProjectSetup,
    scenario: &Scenario,
    hostile: Hostile,
) -> Result<Played, PlayError> {
    let tree = Tree::of(&servers.home, setup)?;
    let subjects = Subjects::default();
    let mut observer = Observer::open(servers, setup, &subjects).await?;
    let mut first = None;
    for (at, turn) in scenario.turns.iter().enumerate() {
        change(servers, setup, &turn.meanwhile).await?;
        let done = setup.addresses.fill_act(&turn.act);
        servers.set_hostile(&setup.cassette, Some(hostile.mode()))?;
        let after = last_number(&observer.events);
        // Every turn ends, whatever the model does. A button with nothing to act on is skipped. There is
        // no waiting for the expiry of a question that may not exist.
        if !matches!(done, Act::Wait(_))
            && let TurnResult::Turn(new) =
                act(&servers.rest, &setup.conversation(), &done, after).await?
        {
            observer.events.extend(new);
        }
        let broken = benign_request::request(servers, setup, at + 1, &mut observer.events).await?;
        if let Some(violated) = broken {
            first = Some(violated.in_turn(at + 1));
            break;
        }
        limit_suspended(servers, setup, &mut observer.events).await?;
    }
    let window = observer.whole_run().await?;
    if first.is_none() {
        first = invariant::first_violation(servers, setup, &window, &tree).await?;
    }
    Ok(Played { verdict: Verdict::of(first), window, invariants: None, answers: Vec::new() })
}

async fn limit_suspended(
    servers: &Servers,
    setup: &ProjectSetup,
    events: &mut Vec<Value>,
) -> Result<(), PlayError> {
    let session = &setup.session;
    let state = servers.rest.get(&format!("/sessions/{session}/state")).await?;
    let suspended = state.get("suspended").and_then(Value::as_array).map_or(0, Vec::len);
    if suspended >= SUSPENDED_MAX {
        let below = format!("/sessions/{session}/control");
        let after = last_number(events);
        let made = servers.rest.post(&below, json!({ "action": "reset" })).await?;
        let turn = required_text(&made, "turn")?;
        events.extend(follow(&servers.rest, session, after, Some(&turn)).await?);
    }
    Ok(())
}
