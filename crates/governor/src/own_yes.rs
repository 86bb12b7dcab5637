//! Which yes of a person may be taken back.

use crate::{clock, message::DecideError};
use wiiiv_domain::{ExecutionId, Tally, UserId};
use wiiiv_store::{ApprovalRow, ApprovalState, ExecutionState, QuorumYes, Store, StoreError};

/// This person's yes that may be taken back, and what would be left: while the question is open, or its run goes
/// on. It is one that they said, or that was said in their right. Of a run those count that its ruling counted. Whoever
/// asked for the plan has the cancel.
pub async fn yes_of(
    store: &Store,
    who: UserId,
    row: &ApprovalRow,
) -> Result<Result<(QuorumYes, Tally), DecideError>, StoreError> {
    let asked = &row.request;
    let is_open = match row.state {
        ApprovalState::Pending => clock::now() < asked.expires_at,
        ApprovalState::Approved => true,
        ApprovalState::Consumed => row.revoked.is_none() && goes_on(store, row.consumed_by).await?,
        ApprovalState::Rejected
        | ApprovalState::Expired
        | ApprovalState::Withdrawn
        | ApprovalState::Edited => false,
    };
    if !is_open {
        let state = row.state.as_str().to_owned();
        return Ok(Err(DecideError::NothingToRevoke { state }));
    }
    let waits = row.state == ApprovalState::Pending;
    let mut yeses = store.yeses_to(&[row]).await?.remove(&asked.id).unwrap_or_default();
    let said = |yes: &QuorumYes| yes.approver == who && (yes.counts || waits);
    let lent = |yes: &QuorumYes| yes.in_right_of() == who && (yes.counts || waits);
    let at = yeses.iter().position(said).or_else(|| yeses.iter().position(lent));
    let own = at.map(|at| yeses.remove(at));
    let tally = Tally { given: QuorumYes::counted(&yeses), approvers: asked.approvers };
    let own = own.filter(|_| who != asked.requester).ok_or(DecideError::NoYesOfYours);
    Ok(own.map(|yes| (yes, tally)))
}

/// Also a run with a step in doubt: its other steps wait for a person.
async fn goes_on(store: &Store, run: Option<ExecutionId>) -> Result<bool, StoreError> {
    let Some(run) = run else { return Ok(false) };
    let row = store.execution(run).await?;
    Ok(row.is_some_and(|row| match row.state {
        ExecutionState::Running | ExecutionState::Indeterminate => true,
        ExecutionState::Succeeded | ExecutionState::Failed | ExecutionState::Cancelled => false,
    }))
}
