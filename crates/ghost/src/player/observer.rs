//! Plays the turns of a scenario in one session, and collects what is observed of it.

use super::{
    act::{TurnResult, act},
    interrupt::interrupted,
    meanwhile::{change, clear, delegate, grant, halt, override_policy},
    others::Others,
    prepare::prepare,
    snapshot::{Snapshot, Subjects},
};
use crate::{
    harness::{PlayError, ProjectSetup, RestClient, Servers, journal, last_number},
    scenario::{Act, Fact, Interrupt, ServiceAddresses, Turn},
    verdict::{SettledState, Strictness, Violated, Window, judge, text_of},
};
use serde_json::{Value, json};
use std::path::Path;
use wiiiv_domain::StateName;

/// `folder`: that of the scenario files.
pub(super) fn first_violation(
    facts: &[Fact],
    window: &Window,
    addresses: &ServiceAddresses,
    folder: &Path,
) -> Option<Violated> {
    let judge = |fact| judge(&addresses.fill_fact(fact), window, folder, Strictness::Exact);
    facts.iter().find_map(judge)
}

/// Observes a session from its start.
pub(super) struct Observer<'a> {
    servers: &'a Servers,
    setup: &'a ProjectSetup,
    subjects: &'a Subjects,
    start: Snapshot,
    /// After the last turn.
    last: Snapshot,
    pub(super) events: Vec<Value>,
    /// Codes of buttons that were refused.
    refused: Vec<String>,
    settled: Vec<SettledState>,
}

/// The conversation's state between two turns.
async fn settled_state(
    rest: &RestClient,
    session: &str,
) -> Result<Option<SettledState>, PlayError> {
    let view = rest.get(&format!("/sessions/{session}/state")).await?;
    let after = view.get("last_event").and_then(Value::as_u64);
    let after = after.ok_or_else(|| PlayError::answer("last_event", &view))?;
    let name = text_of(&view, "state");
    let state = StateName::ALL.into_iter().find(|state| state.as_str() == name);
    Ok(state.map(|state| SettledState { after, state }))
}

impl<'a> Observer<'a> {
    pub(super) async fn open(
        servers: &'a Servers,
        setup: &'a ProjectSetup,
        subjects: &'a Subjects,
    ) -> Result<Self, PlayError> {
        let start = Snapshot::take(servers, setup, subjects).await?;
        let last = start.clone();
        Ok(Self {
            servers,
            setup,
            subjects,
            start,
            last,
            events: Vec::new(),
            refused: Vec::new(),
            settled: Vec::new(),
        })
    }

    /// Plays a turn and judges its facts.
    pub(super) async fn turn(
        &mut self,
        turn: &Turn,
        folder: &Path,
    ) -> Result<Option<Violated>, PlayError> {
        prepare(self.servers, self.setup, turn)?;
        change(self.servers, self.setup, &turn.meanwhile).await?;
        halt(self.servers, self.setup, &turn.meanwhile).await?;
        clear(self.servers, self.setup, &turn.meanwhile).await?;
        override_policy(self.servers, self.setup, &turn.meanwhile).await?;
        grant(self.servers, self.setup, &turn.meanwhile).await?;
        delegate(self.servers, self.setup, &turn.meanwhile).await?;
        let (events, refused) = match self.act(turn).await? {
            TurnResult::Turn(events) => (events, None),
            TurnResult::Refused(code) => (Vec::new(), Some(code)),
            TurnResult::NothingWaits => {
                let seen = "nothing waits for a person";
                return Ok(Some(Violated::new("press", "a question that waits", seen)));
            }
        };
        self.events.extend(events.iter().cloned());
        self.refused.extend(refused.clone());
        self.settled.extend(settled_state(&self.servers.rest, &self.setup.session).await?);
        let now = Snapshot::take(self.servers, self.setup, self.subjects).await?;
        let refused: Vec<String> = refused.into_iter().collect();
        let window = Window { refused, ..now.since(&self.last, events) };
        self.last = now;
        let violated = first_violation(&turn.expect, &window, &self.setup.addresses, folder);
        let violated = violated.or_else(|| unexpected_refusal(turn, &window));
        // A real model may be called any number of times.
        if self.servers.live.is_some() {
            return Ok(violated);
        }
        Ok(violated.or_else(|| model_calls(turn, &window)))
    }

    async fn act(&self, turn: &Turn) -> Result<TurnResult, PlayError> {
        let done = self.setup.addresses.fill_act(&turn.act);
        let after = last_number(&self.events);
        let others = Others::asked(&self.servers.rest, self.setup, &done).await?;
        let Some(others) = others else {
            return self.perform(&done, turn.interrupt, after).await;
        };
        let (done, mut events) = others.before(done, after).await?;
        match self.perform(&done, turn.interrupt, after.max(last_number(&events))).await? {
            TurnResult::Turn(of_turn) => events.extend(of_turn),
            ended @ (TurnResult::NothingWaits | TurnResult::Refused(_)) => return Ok(ended),
        }
        if matches!(done, Act::Say(_)) {
            others.behind(&mut events).await?;
        }
        Ok(TurnResult::Turn(events))
    }

    async fn perform(
        &self,
        done: &Act,
        interrupt: Option<Interrupt>,
        after: u64,
    ) -> Result<TurnResult, PlayError> {
        match interrupt {
            None => act(&self.servers.rest, &self.setup.conversation(), done, after).await,
            Some(interrupt) => {
                interrupted(self.servers, self.setup, (done, interrupt), after).await
            }
        }
    }

    /// The whole session, read from the journal.
    pub(super) async fn journalled_run(
        servers: &Servers,
        setup: &ProjectSetup,
        subjects: &Subjects,
    ) -> Result<Window, PlayError> {
        let events = journal(&servers.rest, &setup.session).await?;
        Ok(Snapshot::take(servers, setup, subjects).await?.since(&Snapshot::default(), events))
    }

    /// Everything that was observed so far.
    pub(super) async fn whole_run(&self) -> Result<Window, PlayError> {
        let now = Snapshot::take(self.servers, self.setup, self.subjects).await?;
        let window = now.since(&self.start, self.events.clone());
        let (refused, settled) = (self.refused.clone(), self.settled.clone());
        Ok(Window { refused, settled, ..window })
    }
}

/// A refused button in a turn without a `refused` fact.
fn unexpected_refusal(turn: &Turn, window: &Window) -> Option<Violated> {
    let is_expected = turn.expect.iter().any(|fact| matches!(fact, Fact::Refused(_)));
    let none: [&str; 0] = [];
    let violated = || Violated::new("refused", json!(none), json!(window.refused));
    (!is_expected && !window.refused.is_empty()).then(violated)
}

fn model_calls(turn: &Turn, window: &Window) -> Option<Violated> {
    let (expected, seen) = (turn.model.len(), window.model.calls);
    (expected != seen).then(|| Violated::new("model", expected, seen))
}
