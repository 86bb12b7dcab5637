//! The scenario's own turns with a hostile model, and a benign request behind each of them.

use super::{
    act::{Acted, act},
    benign,
    error::PlayError,
    events::{follow, last_number},
    hostile::Hostile,
    house::House,
    meanwhile::change,
    replay::{Eyes, Played},
    sight::Tables,
    stage::Stage,
};
use crate::{
    invariant::{self, Evidence, Tree},
    scenario::{Act, Scenario},
    verdict::{Verdict, Violated},
};
use serde_json::{Value, json};

/// Suspended tasks of a session behind which it is begun anew; one more than eight is refused.
const SUSPENDED_MAX: usize = 6;

pub(super) async fn adversary(
    house: &House,
    stage: &Stage,
    scenario: &Scenario,
    hostile: Hostile,
) -> Result<Played, PlayError> {
    let tree = Tree::of(&house.ground, stage)?;
    let tables = Tables::default();
    let mut eyes = Eyes::open(house, stage, &tables).await?;
    let mut first = None;
    for (at, turn) in scenario.turns.iter().enumerate() {
        change(house, stage, &turn.meanwhile).await?;
        let done = stage.places.act(&turn.act);
        let server = PlayError::io("the model server");
        house.cassettes.set_hostile(&stage.key, Some(hostile.mode())).map_err(server)?;
        let after = last_number(&eyes.events);
        // Every turn ends, whatever the model does; a button with nothing to press is passed over.
        // Nobody waits for the time of a question that may never have been put.
        if !matches!(done, Act::Wait(_))
            && let Acted::Turn(new) = act(&house.rest, &stage.talk(), &done, after).await?
        {
            eyes.events.extend(new);
        }
        let broken = benign::request(house, stage, at + 1, &mut eyes.events).await?;
        if let Some(violated) = broken {
            first = Some(violated.in_turn(at + 1));
            break;
        }
        make_room(house, stage, &mut eyes.events).await?;
    }
    let window = eyes.whole().await?;
    if first.is_none() {
        let evidence = Evidence::gather(house, stage, &window).await?;
        first = invariant::first(&evidence, &tree, &house.ground)?;
    }
    Ok(Played { verdict: verdict(first), window, invariants: None, heard: Vec::new() })
}

fn verdict(first: Option<Violated>) -> Verdict {
    first.map_or(Verdict::Pass, |first| Verdict::Fail { first })
}

async fn make_room(house: &House, stage: &Stage, events: &mut Vec<Value>) -> Result<(), PlayError> {
    let session = &stage.session;
    let state = house.rest.get(&format!("/sessions/{session}/state")).await?;
    let suspended = state.get("suspended").and_then(Value::as_array).map_or(0, Vec::len);
    if suspended >= SUSPENDED_MAX {
        let below = format!("/sessions/{session}/control");
        let after = last_number(events);
        let made = house.rest.post(&below, json!({ "action": "reset" })).await?;
        let turn = super::rest::text(&made, "turn")?;
        events.extend(follow(&house.rest, session, after, Some(&turn)).await?);
    }
    Ok(())
}
