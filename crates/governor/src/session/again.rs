//! A plan drawn again after a run that ended before anything began: its approval still counts.

use crate::{
    clock, reply,
    session::{Session, SessionFault, Stepped},
    step_result::StepResult,
};
use wiiiv_domain::{
    ApprovalBy, ApprovalId, BlueprintDigest, BlueprintId, Effect, EventBody, ExecutionId,
    FlowInput, StepOutcome, TurnId,
};
use wiiiv_store::{ApprovalError, DrawnAgain, ReleasedApproval};

impl Session {
    /// The question or, where the last request is tried again and exactly this was shown and approved
    /// then, that approval in its place.
    pub async fn put(
        &mut self,
        turn: TurnId,
        (blueprint, digest): (BlueprintId, BlueprintDigest),
        by: ApprovalBy,
    ) -> Result<Vec<FlowInput>, SessionFault> {
        let tries_again = self.work.turn.as_ref().is_some_and(|turn| turn.tries_again);
        if tries_again && let Some(released) = self.released((blueprint, digest), by).await? {
            return self.take_up(turn, (blueprint, digest), &released).await;
        }
        self.ask_person(turn, blueprint, digest, by).await?;
        Ok(Vec::new())
    }

    async fn released(
        &mut self,
        (blueprint, digest): (BlueprintId, BlueprintDigest),
        by: ApprovalBy,
    ) -> Result<Option<ReleasedApproval>, SessionFault> {
        let of = (self.journal.row.project, self.journal.row.id);
        let found = self.runtime.deps.store.released_approval(of, digest, clock::now()).await?;
        let own = |found: &ReleasedApproval| {
            found.given.body().approver() == found.given.body().requester()
        };
        let found = found.filter(|found| match by {
            ApprovalBy::Requester => true,
            // One's own counts no more where policy asks somebody else by now.
            ApprovalBy::AnotherPerson => !own(found),
        });
        let Some(found) = found else { return Ok(None) };
        let plan = self.plan(blueprint, digest).await?;
        let (_, shown) = reply::preview(self, &plan, digest, None).await?;
        Ok((found.preview.as_ref() == Some(&shown)).then_some(found))
    }

    /// E: the approval for this drawing, with the input that follows from it.
    async fn take_up(
        &mut self,
        turn: TurnId,
        (blueprint, digest): (BlueprintId, BlueprintDigest),
        released: &ReleasedApproval,
    ) -> Result<Vec<FlowInput>, SessionFault> {
        let approval = clock::fresh::<ApprovalId>();
        let plan = self.plan(blueprint, digest).await?;
        let (text, _) = reply::preview(self, &plan, digest, None).await?;
        let words = self.journal.row.salt.digest_of(&text);
        self.tell(turn, EventBody::Previewed { approval, blueprint, digest, text });
        // It asks nothing.
        self.conversation.hide(digest);
        let Stepped { event, next, effects } = self.stepped(FlowInput::Approved { digest });
        self.journal.event(turn, event);
        match self.journal.take_up(released, DrawnAgain { approval, blueprint, words }).await {
            Ok(()) => {}
            Err(ApprovalError::Store(error)) => return Err(error.into()),
            // It was used in between, and the boundary is lost: the journal has what was written.
            Err(gone) => return Err(SessionFault::other(gone.to_string())),
        }
        if let Some(kept) = self.work.plans.get_mut(&digest) {
            kept.approval = Some(approval);
        }
        self.flow = next;
        let mut inputs = Vec::new();
        for effect in effects {
            inputs.extend(Box::pin(self.perform(turn, effect)).await?);
        }
        Ok(inputs)
    }

    /// The approval of this run is given back with its end: no step that acts was begun.
    pub fn gives_back(&self, execution: ExecutionId, results: &[StepResult]) -> bool {
        let ran = self.work.ran.filter(|(ran, _)| *ran == execution);
        let plan = ran.and_then(|(_, digest)| self.work.plans.get(&digest));
        plan.filter(|plan| plan.approval.is_some()).is_some_and(|plan| {
            results.iter().all(|row| {
                let node = plan.blueprint.node(&row.step);
                let reads = node.is_some_and(|node| node.effect == Effect::Read);
                reads || row.outcome.as_ref().is_some_and(StepOutcome::is_not_started)
            })
        })
    }
}
