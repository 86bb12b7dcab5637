//! A plan drawn again after a run that ended before anything began: its approval still counts.

use crate::{
    clock, reply,
    session::{Session, SessionFault, Stepped, Work, question},
    step_result::StepResult,
};
use wiiiv_domain::{
    ApprovalBy, ApprovalId, BlueprintDigest, BlueprintId, Effect, EventBody, ExecutionId,
    FlowInput, StepOutcome, TurnId,
};
use wiiiv_store::{ApprovalError, DrawnAgain, ReleasedApproval};

/// The question or, where the last request is tried again and exactly this was shown and approved
/// then, that approval in its place.
pub async fn put(
    session: &mut Session,
    turn: TurnId,
    (blueprint, digest): (BlueprintId, BlueprintDigest),
    by: ApprovalBy,
) -> Result<Vec<FlowInput>, SessionFault> {
    let tries_again = session.work.turn.as_ref().is_some_and(|turn| turn.tries_again);
    if tries_again && let Some(released) = released(session, (blueprint, digest), by).await? {
        return take_up(session, turn, (blueprint, digest), &released).await;
    }
    question::ask_person(session, turn, blueprint, digest, by).await?;
    Ok(Vec::new())
}

async fn released(
    session: &mut Session,
    (blueprint, digest): (BlueprintId, BlueprintDigest),
    by: ApprovalBy,
) -> Result<Option<ReleasedApproval>, SessionFault> {
    let of = (session.journal.row.project, session.journal.row.id);
    let found = session.runtime.deps.store.released_approval(of, digest, clock::now()).await?;
    let own =
        |found: &ReleasedApproval| found.given.body().approver() == found.given.body().requester();
    let found = found.filter(|found| match by {
        ApprovalBy::Requester => true,
        // One's own counts no more where policy asks somebody else by now.
        ApprovalBy::AnotherPerson => !own(found),
    });
    let Some(found) = found else { return Ok(None) };
    let plan = session.work.plan(&session.journal.records, blueprint, digest).await?;
    let policy = session.journal.records.policy().await?;
    // One person said it: where policy asks several by now, they are asked. So is whoever has to stand in
    // for what somebody else wrote.
    let edited = !plan.spec_snapshot.spec.edits.is_empty();
    if edited || question::approvers(session, &plan, &policy).await? > 1 {
        return Ok(None);
    }
    let (_, shown) = reply::preview(session, &plan, digest, None).await?;
    Ok((found.preview.as_ref() == Some(&shown)).then_some(found))
}

/// E: the approval for this drawing, with the input that follows from it.
async fn take_up(
    session: &mut Session,
    turn: TurnId,
    (blueprint, digest): (BlueprintId, BlueprintDigest),
    released: &ReleasedApproval,
) -> Result<Vec<FlowInput>, SessionFault> {
    let approval = clock::fresh::<ApprovalId>();
    let plan = session.work.plan(&session.journal.records, blueprint, digest).await?;
    let (text, _) = reply::preview(session, &plan, digest, None).await?;
    let words = session.journal.row.salt.digest_of(&text);
    session.tell(turn, EventBody::Previewed { approval, blueprint, digest, text });
    // It asks nothing.
    session.conversation.hide(digest);
    let Stepped { event, next, effects } = session.stepped(FlowInput::Approved { digest });
    session.journal.event(turn, event);
    match session.journal.take_up(released, DrawnAgain { approval, blueprint, words }).await {
        Ok(()) => {}
        Err(ApprovalError::Store(error)) => return Err(error.into()),
        // It was used in between, and the boundary is lost: the journal has what was written.
        Err(gone) => return Err(SessionFault::other(gone.to_string())),
    }
    session.work.set_approval(digest, Some(approval));
    session.flow = next;
    session.perform_all(turn, effects).await
}

impl Work {
    /// The approval of this run is given back with its end: no step that acts was begun.
    pub fn gives_back(&self, execution: ExecutionId, results: &[StepResult]) -> bool {
        let ran = self.ran.filter(|(ran, _)| *ran == execution);
        let plan = ran.and_then(|(_, digest)| self.plans.get(&digest));
        plan.filter(|plan| plan.approval.is_some()).is_some_and(|plan| {
            results.iter().all(|row| {
                let node = plan.blueprint.node(&row.step);
                let reads = node.is_some_and(|node| node.effect == Effect::Read);
                reads || row.outcome.as_ref().is_some_and(StepOutcome::is_not_started)
            })
        })
    }
}
