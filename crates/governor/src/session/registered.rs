//! Completes a proposal that names a registered system, before the flow sees it.

use crate::session::{Session, SessionFault};
use wiiiv_domain::{Envelope, LaterJob, ProjectPolicy, Proposal, SlotName, Slots, TaskSwitch};

impl Session {
    /// INVARIANT: code, not a model, decides the system. A proposal names one in `domain`; its
    /// registration supplies address and operation.
    pub async fn in_order(
        &self,
        mut proposal: Proposal,
        by_user: bool,
    ) -> Result<Proposal, SessionFault> {
        proposal.slots.set(SlotName::SYSTEM, "")?;
        let policy = self.policy().await?;
        let whole = self.with_known(&proposal, by_user);
        let rules = policy.project_policy();
        self.keep_source(&mut proposal.slots, by_user)?;
        self.pin_sources(&mut proposal.later).await?;
        for job in &mut proposal.later {
            self.settle(job, rules)?;
        }
        let found = wiiiv_hlx::registered(&whole, &self.work.systems.list, rules);
        let Some(found) = found else { return Ok(proposal) };
        // A continued task keeps its system. A proposal without a free slot stays as it is.
        let names_it = proposal.slots.get(SlotName::DOMAIN).is_some();
        if names_it && proposal.slots.set(SlotName::SYSTEM, found.names).is_err() {
            return Ok(proposal);
        }
        proposal.envelope.hosts.extend(found.hosts);
        proposal.envelope.effects.extend(found.effects);
        Ok(proposal)
    }

    /// The same for a further job, which has only its own slots.
    fn settle(&self, job: &mut LaterJob, rules: &ProjectPolicy) -> Result<(), SessionFault> {
        job.slots.set(SlotName::SYSTEM, "")?;
        job.envelope = Envelope::default();
        let Some(found) = wiiiv_hlx::registered(&job.slots, &self.work.systems.list, rules) else {
            return Ok(());
        };
        if job.slots.set(SlotName::SYSTEM, found.names).is_ok() {
            job.envelope.hosts.extend(found.hosts);
            job.envelope.effects.extend(found.effects);
        }
        Ok(())
    }

    /// Pins the earlier result of a further job to the one that the user saw.
    async fn pin_sources(&self, later: &mut [LaterJob]) -> Result<(), SessionFault> {
        let refers = |job: &LaterJob| job.slots.get(SlotName::SOURCE_RUN).is_some();
        if !later.iter().any(refers) {
            return Ok(());
        }
        let earlier = self.journal.records.earlier_runs().await?;
        for job in later {
            let Some(names) = job.slots.get(SlotName::SOURCE_RUN) else { continue };
            let pinned = wiiiv_hlx::pinned(names, &earlier);
            job.slots.set(SlotName::SOURCE_RUN, &pinned)?;
        }
        Ok(())
    }

    /// A queued job keeps its pinned result, unless a user's message changes it.
    fn keep_source(&self, slots: &mut Slots, by_user: bool) -> Result<(), SessionFault> {
        let pinned =
            self.flow.active().is_some_and(|task| task.batch.is_some() && task.rounds == 0);
        if !by_user && pinned {
            slots.set(SlotName::SOURCE_RUN, "")?;
        }
        Ok(())
    }

    /// The task's slots with the proposal's. Only a user's message can begin another task.
    fn with_known(&self, proposal: &Proposal, by_user: bool) -> Slots {
        let begins = by_user && proposal.task_switch == TaskSwitch::New;
        let active = self.flow.active().filter(|task| task.task_type == proposal.task_type);
        let merged = active.filter(|_| !begins).map(|task| task.slots.merged(&proposal.slots));
        merged.and_then(Result::ok).unwrap_or_else(|| proposal.slots.clone())
    }
}
