//! Which values of a proposal did not come from the user's words. Found by code from what the model
//! was shown; nothing is read for it that the prompt has not read already.

use crate::session::{Conversation, Session, SessionFault, earlier, memory::Memories};
use wiiiv_domain::{
    ExecutionId, Proposal, SlotName, Slots, SourceKind, Sources, StepOutcome, TaskSwitch,
    ValueSource, ValueSources, Why,
};
use wiiiv_hlx::{UserWords, is_said};

/// Sources of what a prompt holds, beside the user's words and our own: outputs of the run that it
/// reports, values that came from earlier ones, and a memory that others wrote in, also one that only earlier
/// answers of the conversation rest on.
pub async fn shown(
    session: &Session,
    why: &Why,
    memories: &Memories,
) -> Result<ValueSources, SessionFault> {
    let mut shown = session.conversation.read.clone();
    shown.extend(memories.source());
    let flow = &session.flow;
    for task in flow.active().into_iter().chain(flow.suspended()).chain(flow.queued()) {
        shown.extend([&task.sources.all()]);
    }
    if session.work.has_run {
        shown.extend([&earlier::sources(&session.journal.records).await?]);
    }
    match why {
        Why::Facts { execution } => shown.extend([&of_run(session, *execution).await?]),
        Why::Message | Why::Revision { .. } | Why::Undrawable { .. } | Why::Recall { .. } => {}
    }
    Ok(shown)
}

/// Of all that the steps of a run read, also of one that failed.
async fn of_run(session: &Session, execution: ExecutionId) -> Result<ValueSources, SessionFault> {
    let work = &session.work;
    let ran = work.ran.filter(|(ran, _)| *ran == execution);
    if let Some(plan) = ran.and_then(|(_, digest)| work.plans.get(&digest)) {
        let plan = &plan.blueprint;
        let steps = plan.nodes.iter().map(|node| plan.sources_of(execution, &node.id));
        return Ok(steps.fold(ValueSources::default(), |mut all, one| {
            all.extend([&one]);
            all
        }));
    }
    // A run that was taken up again: which step read what is on record, its plan is not at hand.
    let results = work.step_results(&session.journal, execution).await?;
    let foreign = results.iter().filter(
        |row| matches!(&row.outcome, Some(StepOutcome::Success { output }) if output.foreign),
    );
    let source = |step| ValueSource::Step { execution, step, kind: SourceKind::Output };
    Ok(foreign.map(|row| source(row.step.clone())).collect())
}

/// The user's messages that prompts still hold, of older turns as much as they show.
pub fn words(conversation: &Conversation) -> UserWords {
    UserWords::new(conversation.user_words())
}

/// INVARIANT: replaces whatever the proposal says of its own sources. A value that stands in the user's
/// words has none; one that the task has already keeps its own; any other has all that the model was
/// shown.
pub fn mark(session: &Session, proposal: &mut Proposal, read: &ValueSources, by_user: bool) {
    // Where nothing was read nothing is compared.
    let words = if read.is_empty() { UserWords::default() } else { words(&session.conversation) };
    let systems = &session.work.systems.list;
    let said = |name: &SlotName, value: &str| {
        read.is_empty() || is_said(name.as_str(), value, &words, systems)
    };
    let begins = by_user && proposal.task_switch == TaskSwitch::New;
    let active = session.flow.active();
    let known = active.filter(|task| !begins && task.task_type == proposal.task_type);
    let of = |name: &SlotName, value: &str| {
        let same = known.as_ref().filter(|task| task.slots.get(name.as_str()) == Some(value));
        match same {
            Some(task) => task.sources.get(name.as_str()).cloned().unwrap_or_default(),
            None if said(name, value) => ValueSources::default(),
            None => read.clone(),
        }
    };
    proposal.sources = of_slots(&proposal.slots, of);
    for job in &mut proposal.later {
        let of = |name: &SlotName, value: &str| {
            if said(name, value) { ValueSources::default() } else { read.clone() }
        };
        job.sources = of_slots(&job.slots, of);
    }
}

fn of_slots(slots: &Slots, of: impl Fn(&SlotName, &str) -> ValueSources) -> Sources {
    let mut sources = Sources::default();
    for (name, value) in slots.iter() {
        sources.set(name.clone(), of(name, value));
    }
    sources
}
