//! A proposal that names a registered system, put in order before the flow sees it: what is
//! journalled is what code made of it.

use crate::session::state::{Down, Session};
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

    /// The slots that its task will have. Only to a user's message can it begin another one.
    fn with_known(&self, proposal: &Proposal, by_user: bool) -> Slots {
        let begins = by_user && proposal.task_switch == TaskSwitch::New;
        let active = self.flow.active().filter(|task| task.task_type == proposal.task_type);
        let merged = active.filter(|_| !begins).map(|task| task.slots.merged(&proposal.slots));
        merged.and_then(Result::ok).unwrap_or_else(|| proposal.slots.clone())
    }
}
