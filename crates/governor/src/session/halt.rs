//! A session under a halt: what is in flight is stopped, and what would begin something is answered.

use crate::{
    run::StopSteps,
    session::{Session, SessionFault, personas::silence, second_look::let_go},
};
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{
    FlowInput, HaltScope, ProposalFailure, ProposalOutcome, ReplyCode, SignalKind, TurnId,
};
use wiiiv_store::Point;

const WHY: ProposalFailure = ProposalFailure::Halted;

/// The halt is committed: no claim is any more. Stops the model's calls, the steps of a run, a
/// trial and what embeds texts, which end as their own tasks report; questions and waiting messages stay.
pub async fn halted(session: &mut Session, scope: HaltScope) -> Result<(), SessionFault> {
    let row = &session.journal.row;
    if !scope.covers(row.project, row.id) {
        return Ok(());
    }
    if let Some(trying) = &session.work.trying {
        trying.cancel.cancel();
    }
    session.work.embedding.values().for_each(CancellationToken::cancel);
    if let Some((_, run)) = &session.work.run {
        let _ = run.tell(StopSteps::Halt).await;
    }
    if silence(session).await? || let_go(session).await? {
        return Ok(());
    }
    let call = session.work.turn.as_ref().and_then(|turn| turn.call.clone());
    let Some(turn) = call.map(|call| call.turn) else { return Ok(()) };
    session.work.stop_call(&mut session.journal);
    let outcome = ProposalOutcome::Failed { failure: WHY };
    session.feed(turn, FlowInput::Proposed { turn, outcome }).await?;
    session.flush(Point::T2).await
}

/// Nothing may begin by this signal while it is halted: it is on record, and answered. What ends
/// something is carried out.
pub async fn answered_by_halt(
    session: &mut Session,
    turn: TurnId,
    signal: &SignalKind,
) -> Result<bool, SessionFault> {
    let ends = matches!(
        signal,
        SignalKind::Cancel
            | SignalKind::CancelAll
            | SignalKind::Deny { .. }
            | SignalKind::LeaveOut { .. }
            | SignalKind::Reset
    );
    if ends || !session.journal.records.is_halted().await? {
        return Ok(false);
    }
    session.conversation.filled = None;
    session.reply(turn, ReplyCode::ModelFailed { failure: WHY }).await?;
    Ok(true)
}
