//! Completes a proposal that names a registered system, before the flow sees it.

use crate::session::{SessionFault, records::Records};
use wiiiv_domain::{Envelope, LaterJob, Proposal, SlotName, Slots, System, TaskSwitch, TaskType};
use wiiiv_flow::{FlowState, TaskView};

/// INVARIANT: code, not a model, decides the system. A proposal names one in `domain`; its
/// registration supplies address and operation.
pub async fn in_order(
    flow: &FlowState,
    systems: &[System],
    records: &Records,
    proposal: &mut Proposal,
    by_user: bool,
) -> Result<(), SessionFault> {
    proposal.slots.set(SlotName::SYSTEM, "")?;
    let policy = records.policy().await?;
    let active = flow.active();
    let whole = with_known(active.as_ref(), proposal, by_user);
    // A queued job keeps its pinned result, unless a user's message changes it.
    if !by_user && active.is_some_and(|task| task.batch.is_some() && task.rounds == 0) {
        proposal.slots.set(SlotName::SOURCE_RUN, "")?;
    }
    pin_sources(records, &mut proposal.later).await?;
    let rules = policy.policy_for(TaskType::ApiWorkflow).project_policy();
    let found = |slots: &Slots| wiiiv_hlx::registered(slots, systems, rules);
    // A further job has only its own slots.
    for LaterJob { slots, envelope, .. } in &mut proposal.later {
        slots.set(SlotName::SYSTEM, "")?;
        *envelope = Envelope::default();
        if let Some(found) = found(slots)
            && slots.set(SlotName::SYSTEM, found.names).is_ok()
        {
            envelope.hosts.extend(found.hosts);
            envelope.effects.extend(found.effects);
        }
    }
    let Some(found) = found(&whole) else { return Ok(()) };
    // A continued task keeps its system. A proposal without a free slot stays as it is.
    let names_it = proposal.slots.get(SlotName::DOMAIN).is_some();
    if names_it && proposal.slots.set(SlotName::SYSTEM, found.names).is_err() {
        return Ok(());
    }
    proposal.envelope.hosts.extend(found.hosts);
    proposal.envelope.effects.extend(found.effects);
    Ok(())
}

/// Pins the earlier result of a further job to the one that the user saw.
async fn pin_sources(records: &Records, later: &mut [LaterJob]) -> Result<(), SessionFault> {
    let refers = |job: &LaterJob| job.slots.get(SlotName::SOURCE_RUN).is_some();
    if !later.iter().any(refers) {
        return Ok(());
    }
    let earlier = records.earlier_runs().await?;
    for job in later {
        let Some(names) = job.slots.get(SlotName::SOURCE_RUN) else { continue };
        let pinned = wiiiv_hlx::pinned(names, &earlier);
        job.slots.set(SlotName::SOURCE_RUN, &pinned)?;
    }
    Ok(())
}

/// The task's slots with the proposal's. Only a user's message can begin another task.
fn with_known(active: Option<&TaskView<'_>>, proposal: &Proposal, by_user: bool) -> Slots {
    let begins = by_user && proposal.task_switch == TaskSwitch::New;
    let active = active.filter(|task| task.task_type == proposal.task_type);
    let merged = active.filter(|_| !begins).map(|task| task.slots.merged(&proposal.slots));
    merged.and_then(Result::ok).unwrap_or_else(|| proposal.slots.clone())
}
