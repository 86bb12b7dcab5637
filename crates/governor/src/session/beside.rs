//! A decision while a turn is in progress. It waits for nobody: it has a turn of its own, which is over with the commit
//! that records it, and what follows of it follows in the turn in progress.

use crate::{
    clock,
    message::DecideError,
    session::{Session, SessionFault, Turn},
    telemetry,
};
use wiiiv_domain::{ApprovalId, TurnId};
use wiiiv_gate::Principal;
use wiiiv_store::{ApprovalState, Authority, Point};

/// The turn that a decision is said in.
pub struct DecisionTurn {
    pub id: TurnId,
    beside: Option<Beside>,
}

/// The turn in progress, with whoever began it, and the decision's own.
struct Beside {
    current: TurnId,
    by: Option<Authority>,
    own: Turn,
}

impl DecisionTurn {
    /// The turn in progress.
    pub fn current(&self) -> Option<TurnId> {
        self.beside.as_ref().map(|beside| beside.current)
    }
}

/// What the turn in progress has not written is written first, as a boundary that is refused is dropped. Whoever lost
/// their right is told so before: a commit that finds it would end that turn with the session.
pub async fn prepare(
    session: &mut Session,
    who: &Principal,
) -> Result<Result<(), DecideError>, SessionFault> {
    if session.work.turn.is_none() {
        return Ok(Ok(()));
    }
    if !session.runtime.deps.store.still_stands(who, clock::now()).await? {
        return Ok(Err(DecideError::RightGone));
    }
    session.flush(Point::T2).await?;
    Ok(Ok(()))
}

/// The yes is there, and the turn in progress comes to it: of two the first counts.
pub async fn is_given(session: &Session, id: ApprovalId) -> Result<bool, SessionFault> {
    if session.work.turn.is_none() {
        return Ok(false);
    }
    let row = session.runtime.deps.store.approval(id).await?;
    Ok(row.is_some_and(|row| row.state == ApprovalState::Approved))
}

pub fn begin(session: &mut Session) -> DecisionTurn {
    let Some(current) = session.work.turn.as_ref().map(|turn| turn.id) else {
        return DecisionTurn { id: session.work.fresh_turn(&mut session.journal), beside: None };
    };
    let own = Turn::new(clock::fresh(), &session.journal.row);
    let by = session.journal.by.clone();
    DecisionTurn { id: own.id, beside: Some(Beside { current, by, own }) }
}

/// In the boundary that records the decision. INVARIANT: no crash leaves a turn open beside another one.
pub fn note_over(session: &mut Session, turn: TurnId, outcome: &'static str) {
    if session.work.turn.as_ref().is_some_and(|current| current.id != turn) {
        session.journal.note_ended(turn, outcome);
    }
}

/// Nothing of it is on record.
pub fn forget(session: &mut Session, turn: TurnId) {
    session.work.turn.take_if(|current| current.id == turn);
}

/// The turn in progress is its beginner's again, and what followed in it is written.
pub async fn end(
    session: &mut Session,
    turn: DecisionTurn,
    outcome: &'static str,
) -> Result<(), SessionFault> {
    let Some(Beside { by, own, .. }) = turn.beside else { return Ok(()) };
    session.journal.by = by;
    // It was refused before anything was recorded.
    if session.journal.pending.begins_a_turn() {
        session.journal.note_ended(own.id, outcome);
    }
    session.flush(Point::T2).await?;
    telemetry::turn_ended(&own.span, own.begun, outcome);
    Ok(())
}
