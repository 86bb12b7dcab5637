//! The reviews of a turn, from the journal alone.

use std::collections::BTreeMap;
use wiiiv_domain::{
    Consensus, EventBody, FlowEffect, FlowInput, FlowLimits, NotDrawn, RefusedSpecs, SessionEvent,
    Spec, SpecDigest, StateHash, Timestamp, TurnId,
};
use wiiiv_flow::FlowState;
use wiiiv_store::{SessionRow, Store, StoreError};

/// Events before a turn that are read again for its specs, and events of the turn that are told.
const EVENTS_MAX: u64 = 2_000;
const PAGE_EVENTS: u64 = 1_000;

/// One look at one spec, and what it came to.
#[derive(Debug, Clone)]
pub struct Reviewed {
    /// Number of its event.
    pub seq: u64,
    pub at: Timestamp,
    pub digest: SpecDigest,
    /// `None` where this build replays the journal differently.
    pub spec: Option<Spec>,
    pub end: ReviewEnd,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReviewEnd {
    /// It counted.
    Verdict {
        consensus: Consensus,
        concerns: Vec<String>,
    },
    Shadowed {
        consensus: Consensus,
    },
    NotDrawable {
        reasons: Vec<NotDrawn>,
    },
}

/// `None`: the session has no such turn.
pub async fn of_turn(
    store: &Store,
    limits: &FlowLimits,
    session: &SessionRow,
    turn: TurnId,
) -> Result<Option<Vec<Reviewed>>, StoreError> {
    let start = store.replay_start(session.id).await?;
    let replayed = start.from;
    let begins = store.turn_begins(session.id, turn).await?.unwrap_or(replayed);
    // The flow state is known where a replay begins; before that, it converges with the journal.
    let fresh = if begins >= replayed { replayed } else { 1 };
    let mut from = fresh.max(begins.saturating_sub(EVENTS_MAX));
    let end = begins.saturating_add(EVENTS_MAX);
    let refused = start.refused.filter(|_| fresh == replayed).unwrap_or_default();
    let mut reading = Reading::new(session, turn, refused);
    while from < end {
        let page = store.journal_page(session.id, from, PAGE_EVENTS.min(end - from)).await?;
        let is_last = page.is_empty();
        for (seq, event) in page {
            from = seq.saturating_add(1);
            if reading.take(limits, seq, event) {
                return Ok(Some(reading.found));
            }
        }
        if is_last {
            break;
        }
    }
    Ok(reading.is_known.then_some(reading.found))
}

struct Reading {
    turn: TurnId,
    fresh: FlowState,
    flow: FlowState,
    specs: BTreeMap<SpecDigest, Spec>,
    is_known: bool,
    found: Vec<Reviewed>,
}

impl Reading {
    fn new(session: &SessionRow, turn: TurnId, refused: RefusedSpecs) -> Self {
        let fresh = FlowState::new(session.salt);
        let flow = FlowState::quiet(session.salt, refused);
        Self { turn, fresh, flow, specs: BTreeMap::new(), is_known: false, found: Vec::new() }
    }

    /// Whether the turn has ended.
    fn take(&mut self, limits: &FlowLimits, seq: u64, event: SessionEvent) -> bool {
        let is_over = self.note(seq, &event);
        if let EventBody::Input { input, state, .. } = event.body {
            self.step(limits, *input, &state);
        }
        is_over
    }

    /// A restored session may have begun from a fresh flow state.
    fn step(&mut self, limits: &FlowLimits, input: FlowInput, due: &StateHash) {
        let mut stepped = wiiiv_flow::step(limits, &self.flow, input.clone());
        if stepped.0.hash() != *due {
            stepped = wiiiv_flow::step(limits, &self.fresh, input);
        }
        let (next, effects) = stepped;
        if next.hash() != *due {
            self.flow = self.fresh.clone();
            return;
        }
        self.flow = next;
        for effect in effects {
            if let FlowEffect::Deliberate { spec, .. } = effect
                && let Ok(digest) = spec.digest()
            {
                self.specs.insert(digest, spec);
            }
        }
    }

    fn note(&mut self, seq: u64, event: &SessionEvent) -> bool {
        if event.turn != self.turn {
            return false;
        }
        self.is_known = true;
        if let EventBody::Input { input, .. } = &event.body
            && let Some((digest, end)) = ended(input)
        {
            let spec = self.specs.get(&digest).cloned();
            self.found.push(Reviewed { seq, at: event.at, digest, spec, end });
        }
        matches!(event.body, EventBody::TurnEnded { .. })
    }
}

fn ended(input: &FlowInput) -> Option<(SpecDigest, ReviewEnd)> {
    match input {
        FlowInput::Verdict { spec, consensus, concerns, .. } => {
            let (consensus, concerns) = (*consensus, concerns.clone());
            Some((*spec, ReviewEnd::Verdict { consensus, concerns }))
        }
        FlowInput::Shadowed { spec, consensus } => {
            Some((*spec, ReviewEnd::Shadowed { consensus: *consensus }))
        }
        FlowInput::NotDrawable { spec, reasons } => {
            Some((*spec, ReviewEnd::NotDrawable { reasons: reasons.clone() }))
        }
        FlowInput::Signal(_)
        | FlowInput::Proposed { .. }
        | FlowInput::Drawn { .. }
        | FlowInput::Approved { .. }
        | FlowInput::Refused { .. }
        | FlowInput::Expired { .. }
        | FlowInput::Edited { .. }
        | FlowInput::Ruling { .. }
        | FlowInput::Regrounded { .. }
        | FlowInput::Finished { .. } => None,
    }
}
