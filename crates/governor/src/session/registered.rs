//! A proposal that names a registered system, put in order before the flow sees it: what is
//! journalled is what code made of it.

use crate::session::{
    draw,
    state::{Down, Session},
};
use wiiiv_domain::{Envelope, LaterJob, ProjectPolicy, Proposal, SlotName, Slots, TaskSwitch};

impl Session {
    /// INVARIANT: which system is meant is never a model's to say. It names one in `domain`, as a
    /// person would; code finds the registration and adds its place and what its operation does.
    pub async fn in_order(&self, mut proposal: Proposal, by_user: bool) -> Result<Proposal, Down> {
        let unset = proposal.slots.set(SlotName::SYSTEM, "");
        unset.map_err(|error| Down(error.to_string()))?;
        let policy = self.room.policies.current(self.row.project).await;
        let policy = policy.map_err(|e| Down(e.to_string()))?;
        let whole = self.with_known(&proposal, by_user);
        let rules = policy.project_policy();
        self.keep_source(&mut proposal.slots, by_user)?;
        self.pin_sources(&mut proposal.later).await?;
        for job in &mut proposal.later {
            self.settle(job, rules)?;
        }
        let found = wiiiv_hlx::registered(&whole, &self.systems, rules);
        let Some(found) = found else { return Ok(proposal) };
        // Where the task goes on, what it knows of the system stays with it. Without room for one
        // more slot the proposal goes on as one of a place that nobody knows.
        let names_it = proposal.slots.get(SlotName::DOMAIN).is_some();
        if names_it && proposal.slots.set(SlotName::SYSTEM, found.names).is_err() {
            return Ok(proposal);
        }
        proposal.envelope.hosts.extend(found.hosts);
        proposal.envelope.effects.extend(found.effects);
        Ok(proposal)
    }

    /// The same for a further job of the message, which begins with nothing but its own slots.
    fn settle(&self, job: &mut LaterJob, rules: &ProjectPolicy) -> Result<(), Down> {
        let unset = job.slots.set(SlotName::SYSTEM, "");
        unset.map_err(|error| Down(error.to_string()))?;
        job.envelope = Envelope::default();
        let Some(found) = wiiiv_hlx::registered(&job.slots, &self.systems, rules) else {
            return Ok(());
        };
        if job.slots.set(SlotName::SYSTEM, found.names).is_ok() {
            job.envelope.hosts.extend(found.hosts);
            job.envelope.effects.extend(found.effects);
        }
        Ok(())
    }

    /// An earlier result that a further job refers to is the one that its user had seen: not the one
    /// of a job before it, nor an older one because that job failed.
    async fn pin_sources(&self, later: &mut [LaterJob]) -> Result<(), Down> {
        let refers = |job: &LaterJob| job.slots.get(SlotName::SOURCE_RUN).is_some();
        if !later.iter().any(refers) {
            return Ok(());
        }
        let earlier = draw::earlier(self).await?;
        for job in later {
            let Some(names) = job.slots.get(SlotName::SOURCE_RUN) else { continue };
            let pinned = wiiiv_hlx::pinned(names, &earlier);
            let set = job.slots.set(SlotName::SOURCE_RUN, &pinned);
            set.map_err(|error| Down(error.to_string()))?;
        }
        Ok(())
    }

    /// Where no user spoke, one of several jobs goes on from the result that it was asked for with.
    fn keep_source(&self, slots: &mut Slots, by_user: bool) -> Result<(), Down> {
        let pinned =
            self.flow.active().is_some_and(|task| task.batch.is_some() && task.rounds == 0);
        if by_user || !pinned {
            return Ok(());
        }
        slots.set(SlotName::SOURCE_RUN, "").map_err(|error| Down(error.to_string()))
    }

    /// The slots that its task will have. Only to a user's message can it begin another one.
    fn with_known(&self, proposal: &Proposal, by_user: bool) -> Slots {
        let begins = by_user && proposal.task_switch == TaskSwitch::New;
        let active = self.flow.active().filter(|task| task.task_type == proposal.task_type);
        let merged = active.filter(|_| !begins).map(|task| task.slots.merged(&proposal.slots));
        merged.and_then(Result::ok).unwrap_or_else(|| proposal.slots.clone())
    }
}
