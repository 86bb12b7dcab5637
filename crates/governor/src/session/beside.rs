//! A decision while a turn is in progress. It waits for nobody: it has a turn of its own, which is over with the commit
//! that records it, and what follows of it follows in the turn in progress.

use crate::{
    clock,
    message::DecideError,
    session::{Session, SessionFault, Turn, pending_boundary::PendingBoundary},
    telemetry,
};
use wiiiv_domain::{ApprovalId, BlueprintDigest, FlowInput, Lang, Timestamp, TurnId};
use wiiiv_gate::Principal;
use wiiiv_store::{ApprovalState, Authority, Point, StoreError};

/// The turn that a decision is said in.
pub struct DecisionTurn {
    pub id: TurnId,
    beside: Option<Beside>,
    before: Before,
}

/// The turn in progress, with whoever began it, and the decision's own.
struct Beside {
    current: TurnId,
    by: Option<Authority>,
    own: Turn,
}

/// What is changed in memory ahead of the commit, as it was.
struct Before {
    language: Lang,
    shown: Option<BlueprintDigest>,
    /// When the score was written last.
    risk_at: Option<Timestamp>,
}

impl DecisionTurn {
    /// The turn in progress.
    pub fn current(&self) -> Option<TurnId> {
        self.beside.as_ref().map(|beside| beside.current)
    }
}

/// What the turn in progress has not written is written first, as a boundary that is refused is dropped. Whoever has
/// lost their right already is told so before.
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

/// The yes is there, and another one would set nothing going: the turn in progress comes to it, or one that follows.
/// Of two the first counts. One behind which nothing could be decided may be said again.
pub async fn is_given(
    session: &Session,
    (id, digest): (ApprovalId, BlueprintDigest),
) -> Result<bool, SessionFault> {
    if session.work.turn.is_none() && sets_going(session, digest) {
        return Ok(false);
    }
    let row = session.runtime.deps.store.approval(id).await?;
    Ok(row.is_some_and(|row| row.state == ApprovalState::Approved))
}

/// Something follows from a yes to it.
fn sets_going(session: &Session, digest: BlueprintDigest) -> bool {
    !session.stepped(FlowInput::Approved { digest }).effects.is_empty()
}

/// `language`: its author's, where that is the conversation's. A turn in progress keeps the one that it was begun in.
pub fn begin(session: &mut Session, language: Option<Lang>) -> DecisionTurn {
    let before = Before {
        language: session.conversation.language,
        shown: session.conversation.shown(),
        risk_at: session.journal.risk.at,
    };
    let Some(current) = session.work.turn.as_ref().map(|turn| turn.id) else {
        session.conversation.language = language.unwrap_or(before.language);
        let id = session.work.fresh_turn(&mut session.journal);
        return DecisionTurn { id, beside: None, before };
    };
    let own = Turn::new(clock::fresh(), &session.journal.row);
    let by = session.journal.by.clone();
    DecisionTurn { id: own.id, beside: Some(Beside { current, by, own }), before }
}

fn is_beside(session: &Session, turn: TurnId) -> bool {
    session.work.turn.as_ref().is_some_and(|current| current.id != turn)
}

/// In the boundary that records the decision. INVARIANT: no crash leaves a turn open beside another one.
pub fn note_over(session: &mut Session, turn: TurnId, outcome: &'static str) {
    if is_beside(session, turn) {
        session.journal.note_ended(turn, outcome);
    }
}

/// Why a decision was not recorded whose author lost the right between the look and the commit: the session is not
/// theirs, and goes on. Anything else is a fault.
pub fn right_gone(error: StoreError) -> Result<DecideError, SessionFault> {
    if matches!(error, StoreError::AuthorityGone) {
        return Ok(DecideError::RightGone);
    }
    Err(error.into())
}

/// Nothing of it is on record, nor will be: the session is as if nobody had asked, and the turn in progress is its
/// beginner's again.
pub fn forget(session: &mut Session, DecisionTurn { id, beside, before }: DecisionTurn) {
    session.journal.pending = PendingBoundary::default();
    session.journal.by = beside.and_then(|beside| beside.by);
    session.journal.risk.at = before.risk_at;
    session.work.turn.take_if(|current| current.id == id);
    session.conversation.language = before.language;
    if let Some(digest) = before.shown {
        session.conversation.show(digest);
    }
}

/// The turn in progress is its beginner's again, and what followed in it is written.
pub async fn end(
    session: &mut Session,
    turn: DecisionTurn,
    outcome: &'static str,
) -> Result<(), SessionFault> {
    let Some(Beside { by, own, .. }) = turn.beside else { return Ok(()) };
    session.journal.by = by;
    session.flush(Point::T2).await?;
    telemetry::turn_ended(&own.span, own.begun, outcome);
    Ok(())
}
