//! Where a replay of the session may begin: behind an event after which its flow has no task.

use wiiiv_domain::{EventBody, RefusedSpecs, Salt, SessionEvent, StateHash};
use wiiiv_flow::FlowState;
use wiiiv_store::{Boundary, ReplayStart};

/// Events behind the last such point before refused specs are written down anew: a session that is
/// refused often does not write all of them with each turn.
const KEEP_AFTER_EVENTS: u64 = 200;

/// The last one, as it is on record.
pub struct QuietPoint {
    from: u64,
    /// Number of the session's last event, as far as it is known.
    newest: u64,
    /// What a replay that begins there is given. `None`: what is on record does not fit.
    kept: Option<RefusedSpecs>,
    /// The journal tells of the flow's state: not after a replay that came to another one.
    is_told: bool,
}

impl QuietPoint {
    pub const fn new(from: u64, newest: u64, kept: Option<RefusedSpecs>) -> Self {
        Self { from, newest, kept, is_told: true }
    }

    /// The flow begins anew, and no input is journalled yet that tells of it. The next quiet point is
    /// written at once: what is on record leads to the difference again.
    pub fn differed(&mut self) {
        (self.is_told, self.kept) = (false, None);
    }

    pub const fn note(&mut self, body: &EventBody) {
        self.is_told |= matches!(body, EventBody::Input { .. });
    }

    /// Has a replay begin behind this boundary, where that may be.
    pub fn mark(&mut self, flow: &FlowState, boundary: Boundary) -> Boundary {
        if !self.is_told || !flow.is_quiet() {
            return boundary;
        }
        if self.kept.as_ref() == Some(flow.refused()) {
            return boundary.replay_from_here(None);
        }
        let is_early = self.newest.saturating_sub(self.from) < KEEP_AFTER_EVENTS;
        if is_early && self.kept.is_some() {
            return boundary;
        }
        self.kept = Some(flow.refused().clone());
        boundary.replay_from_here(self.kept.clone())
    }

    /// `last`: number of the boundary's last event.
    pub const fn written(&mut self, last: u64, quiet: bool) {
        self.newest = last;
        if quiet {
            self.from = last + 1;
        }
    }
}

/// The state that a replay begins with. `None`: the journal tells of another one, so that a replay has to
/// begin with the first event. `events`: those before it, from the number `first` on.
pub fn begun(
    salt: Salt,
    start: &ReplayStart,
    (first, events): (u64, &[(u64, SessionEvent)]),
) -> Option<FlowState> {
    let flow = FlowState::quiet(salt, start.refused.clone()?);
    let mut before = events.iter().rev().filter(|(seq, _)| *seq < start.from);
    let told = before.find_map(|(_, event)| state_after(&event.body));
    let due = told.or_else(|| (first == 1).then(|| FlowState::new(salt).hash()))?;
    (flow.hash() == due).then_some(flow)
}

const fn state_after(body: &EventBody) -> Option<StateHash> {
    match body {
        EventBody::Input { state, .. } => Some(*state),
        EventBody::TurnAccepted { .. }
        | EventBody::Replied { .. }
        | EventBody::Asked { .. }
        | EventBody::Previewed { .. }
        | EventBody::StepStarted { .. }
        | EventBody::StepFinished { .. }
        | EventBody::RiskCleared { .. }
        | EventBody::ApprovalRevoked { .. }
        | EventBody::TurnEnded { .. } => None,
    }
}
