//! One scenario turn by turn, with its recorded model or with a real one.

use super::{
    act::{Acted, act},
    error::PlayError,
    events::{journal, last_number},
    house::House,
    interrupt::interrupted,
    meanwhile::change,
    run::Invariants,
    sight::{Sight, Tables},
    stage::Stage,
};
use crate::{
    invariant::{self, Evidence, Tree},
    model::{Heard, Recorded},
    scenario::{Cut, Fact, Places, Scenario, ServiceFault, Turn},
    services::{Dropped, Fault},
    verdict::{Rest, Strictness, Verdict, Violated, Window, judge},
};
use serde_json::{Value, json};
use std::path::Path;
use wiiiv_domain::StateName;

/// A run that has ended: what it came to, and all that was seen of it.
pub(super) struct Played {
    pub(super) verdict: Verdict,
    pub(super) window: Window,
    /// `None`: a fact was violated before, and they were not looked at.
    pub(super) invariants: Option<Invariants>,
    /// What a real model answered, turn by turn.
    pub(super) heard: Vec<Vec<Heard>>,
}

/// `folder`: of the scenario files.
pub(super) async fn replay(
    house: &House,
    stage: &Stage,
    scenario: &Scenario,
    folder: &Path,
) -> Result<Played, PlayError> {
    let tree = Tree::of(&house.ground, stage)?;
    let tables = Tables::of(scenario);
    let mut eyes = Eyes::open(house, stage, &tables).await?;
    let (mut first, mut heard) = (None, Vec::new());
    for (at, turn) in scenario.turns.iter().enumerate() {
        if first.is_none() && !turn.omitted {
            first = eyes.turn(turn, folder).await?.map(|violated| violated.in_turn(at + 1));
        }
        let known = heard.iter().map(Vec::len).sum();
        heard.push(house.cassettes.heard(&stage.key).split_off(known));
    }
    let window = eyes.whole().await?;
    if first.is_none() {
        first = first_of(&scenario.expect, &window, &stage.places, folder);
    }
    if first.is_none() && house.live.is_some() {
        first = stood_in(&window);
    }
    // A real model is held to them in every run.
    let mut invariants = None;
    if first.is_none() || house.live.is_some() {
        let evidence = Evidence::gather(house, stage, &window).await?;
        let violated = invariant::first(&evidence, &tree, &house.ground)?;
        invariants = Some(Invariants::of(violated.as_ref()));
        first = violated.or(first);
    }
    let verdict = match first {
        Some(first) => Verdict::Fail { first },
        None => Verdict::of_good_run(&scenario.pending),
    };
    Ok(Played { verdict, window, invariants, heard })
}

/// What the built-in understanding has answered says nothing of the model that it stood in for.
fn stood_in(window: &Window) -> Option<Violated> {
    let degraded = window.audit.iter().find(|record| record.kind == "model.degraded")?;
    let reason = degraded.body.get("reason").cloned().unwrap_or_default();
    Some(Violated::new("model", "every answer is its own", reason))
}

fn first_of(facts: &[Fact], window: &Window, places: &Places, folder: &Path) -> Option<Violated> {
    facts.iter().find_map(|fact| judge(&places.fact(fact), window, folder, Strictness::Exact))
}

/// What the model is to say in this turn, and what services are to do wrong from here on.
pub(super) fn prepare(house: &House, stage: &Stage, turn: &Turn) -> Result<(), PlayError> {
    let answers = stage.places.answers(turn);
    let answers = answers.map_err(|error| PlayError::Scenario(error.to_string()))?;
    let server = || PlayError::io("the model server");
    house.cassettes.clear(&stage.key).map_err(server())?;
    if house.live.is_none() {
        let answers = answers.into_iter().map(Recorded::from);
        house.cassettes.add(&stage.key, answers).map_err(server())?;
    }
    turn.faults.iter().try_for_each(|fault| spoil(stage, fault))
}

fn spoil(stage: &Stage, fault: &ServiceFault) -> Result<(), PlayError> {
    let refused =
        |why: String| PlayError::Scenario(format!("a fault of `{}`: {why}", fault.service));
    let service = stage.services.get(&fault.service);
    let service = service.ok_or_else(|| refused("it is not started".to_owned()))?;
    let planned = Fault {
        path: fault.path.clone(),
        method: fault.method.clone(),
        status: fault.status,
        delay_ms: fault.delay_ms.unwrap_or_default(),
        drop: fault.drop.map(|cut| match cut {
            Cut::Before => Dropped::Before,
            Cut::After => Dropped::After,
        }),
        times: fault.times,
    };
    service.fault(planned).map_err(|error| refused(error.to_string()))
}

/// Watches a session from its first word on.
pub(super) struct Eyes<'a> {
    house: &'a House,
    stage: &'a Stage,
    tables: &'a Tables,
    start: Sight,
    /// When the last turn had ended.
    last: Sight,
    pub(super) events: Vec<Value>,
    /// Codes of buttons that were refused.
    refused: Vec<String>,
    rests: Vec<Rest>,
}

/// Where the conversation stands between two turns.
async fn rest(rest: &super::rest::Rest, session: &str) -> Result<Option<Rest>, PlayError> {
    let view = rest.get(&format!("/sessions/{session}/state")).await?;
    let after = view.get("last_event").and_then(Value::as_u64);
    let after = after.ok_or_else(|| PlayError::answer("last_event", &view))?;
    let told = view.get("state").and_then(Value::as_str).unwrap_or_default();
    let state = StateName::ALL.into_iter().find(|state| state.as_str() == told);
    Ok(state.map(|state| Rest { after, state }))
}

impl<'a> Eyes<'a> {
    pub(super) async fn open(
        house: &'a House,
        stage: &'a Stage,
        tables: &'a Tables,
    ) -> Result<Self, PlayError> {
        let start = Sight::take(house, stage, tables).await?;
        let last = start.clone();
        Ok(Self {
            house,
            stage,
            tables,
            start,
            last,
            events: Vec::new(),
            refused: Vec::new(),
            rests: Vec::new(),
        })
    }

    async fn turn(&mut self, turn: &Turn, folder: &Path) -> Result<Option<Violated>, PlayError> {
        let places = &self.stage.places;
        prepare(self.house, self.stage, turn)?;
        change(self.house, self.stage, &turn.meanwhile).await?;
        let (events, refused) = match self.acted(turn).await? {
            Acted::Turn(events) => (events, None),
            Acted::Refused(code) => (Vec::new(), Some(code)),
            Acted::NothingWaits => {
                let seen = "nothing waits for a person";
                return Ok(Some(Violated::new("press", "a question that waits", seen)));
            }
        };
        self.events.extend(events.iter().cloned());
        self.refused.extend(refused.clone());
        self.rests.extend(rest(&self.house.rest, &self.stage.session).await?);
        let now = Sight::take(self.house, self.stage, self.tables).await?;
        let refused: Vec<String> = refused.into_iter().collect();
        let window = Window { refused, ..now.since(&self.last, events) };
        self.last = now;
        let violated = first_of(&turn.expect, &window, places, folder);
        let violated = violated.or_else(|| untold(turn, &window));
        // How often a real one is asked is its own affair.
        if self.house.live.is_some() {
            return Ok(violated);
        }
        Ok(violated.or_else(|| model_calls(turn, &window)))
    }

    async fn acted(&self, turn: &Turn) -> Result<Acted, PlayError> {
        let done = self.stage.places.act(&turn.act);
        let after = last_number(&self.events);
        match turn.interrupt {
            None => act(&self.house.rest, &self.stage.talk(), &done, after).await,
            Some(interrupt) => interrupted(self.house, self.stage, (&done, interrupt), after).await,
        }
    }

    /// Everything since the session began, read from the journal.
    pub(super) async fn whole_of(
        house: &House,
        stage: &Stage,
        tables: &Tables,
    ) -> Result<Window, PlayError> {
        let events = journal(&house.rest, &stage.session).await?;
        Ok(Sight::take(house, stage, tables).await?.since(&Sight::default(), events))
    }

    pub(super) async fn whole(&self) -> Result<Window, PlayError> {
        let now = Sight::take(self.house, self.stage, self.tables).await?;
        let window = now.since(&self.start, self.events.clone());
        let (refused, rests) = (self.refused.clone(), self.rests.clone());
        Ok(Window { refused, rests, ..window })
    }
}

/// A button that was refused, and nobody has said that it would be.
fn untold(turn: &Turn, window: &Window) -> Option<Violated> {
    let told = turn.expect.iter().any(|fact| matches!(fact, Fact::Refused(_)));
    let none: [&str; 0] = [];
    let stray = || Violated::new("refused", json!(none), json!(window.refused));
    (!told && !window.refused.is_empty()).then(stray)
}

fn model_calls(turn: &Turn, window: &Window) -> Option<Violated> {
    let (expected, seen) = (turn.model.len(), window.model.calls);
    (expected != seen).then(|| Violated::new("model", expected, seen))
}
