//! Takes a yes back: one that others have to join, one that a run rests on, which is stopped as by a halt, and one
//! that a run gave back. The flow hears of a run's end alone.

use crate::{
    audit, clock,
    message::{DecideError, Decided},
    own_yes::yes_of,
    run::StopSteps,
    session::{Session, SessionFault, task_position},
};
use wiiiv_domain::{DelegationId, EventBody};
use wiiiv_gate::{PendingQuestion, Principal};
use wiiiv_store::{ApprovalState, AuditEntry, Authority, Point, Write};

/// What became of it.
pub enum Revoked {
    /// Done or refused.
    Answered(Result<Decided, DecideError>),
    /// Everybody has said yes, and nothing has used it yet: a no takes it back, by the delegation that it was said by.
    ByNo(Option<DelegationId>),
}

pub async fn revoked(
    session: &mut Session,
    who: &Principal,
    asked: &PendingQuestion,
    reason: &str,
) -> Result<Revoked, SessionFault> {
    let (store, by) = (session.runtime.deps.store.clone(), who.user());
    let Some(row) = store.approval(asked.id).await? else {
        return Ok(Revoked::Answered(Err(DecideError::NotFound)));
    };
    let (yes, tally) = match yes_of(&store, by, &row).await? {
        Ok(found) => found,
        Err(refused) => return Ok(Revoked::Answered(Err(refused))),
    };
    let is_unused = row.state == ApprovalState::Approved;
    if is_unused && task_position::asks_about(&session.flow, (asked.blueprint, asked.digest)) {
        // In whose right it was said has it.
        let lent = yes.on_behalf_of.filter(|_| yes.approver == by);
        return Ok(Revoked::ByNo(lent.map(|lent| lent.delegation)));
    }
    let (id, run, turn) = (asked.id, row.consumed_by, clock::fresh());
    let hmac = store.hmac(asked.project, reason.as_bytes()).await?;
    let told = audit::revoked(asked, by, run, (yes.approver, hmac.as_str()));
    let (write, told) = match is_unused {
        // A run in which nothing began had given it back: it could still be used for the same plan. Also where it
        // was said for somebody, whose right may be over by now: taking it back is the person's own act.
        true => (
            Write::RejectApproval { id, by, on_behalf_of: None },
            AuditEntry { kind: "approval.rejected".to_owned(), ..told },
        ),
        false => {
            let of = if run.is_some() { by } else { yes.approver };
            (Write::RevokeApproval { id, by: of, run }, told)
        }
    };
    session.journal.write(write);
    session.journal.audit(told);
    let reason = reason.to_owned();
    let body = EventBody::ApprovalRevoked { approval: id, by, execution: run, reason };
    session.journal.event(turn, body);
    // Whose act it is still has the right at the commit; then the turn is its beginner's again.
    let turns = session.journal.by.replace(Authority::of(who));
    let written = session.flush(Point::E).await;
    session.journal.by = turns;
    if let Err(fault) = written {
        // Nothing is on record. The turn in progress is not theirs.
        if fault.is_right_gone() {
            return Ok(Revoked::Answered(Err(DecideError::RightGone)));
        }
        // The run ended, or the question was closed, between the look and the commit.
        let state = fault.not_pending().ok_or(fault)?.as_str().to_owned();
        return Ok(Revoked::Answered(Err(DecideError::NothingToRevoke { state })));
    }
    let waits = row.state == ApprovalState::Pending;
    // No run gives it back any more. Another drawing of the plan may have a question of its own.
    if !waits && session.work.approval(asked.digest) == Some(id) {
        session.work.set_approval(asked.digest, None);
    }
    if let Some((running, actor)) = &session.work.run
        && run == Some(*running)
    {
        let _ = actor.tell(StopSteps::Revoke).await;
    }
    let state = if is_unused { ApprovalState::Rejected } else { row.state };
    let (state, tally) = (state.as_str(), Some(tally));
    let on_behalf_of = yes.on_behalf_of.filter(|_| !is_unused && yes.approver == by);
    let beside = session.work.turn.as_ref().map(|turn| turn.id);
    let done = Decided { turn, approval: id, state, tally, on_behalf_of, beside };
    Ok(Revoked::Answered(Ok(done)))
}
