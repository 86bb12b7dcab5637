//! The built-in model: the deterministic reading of `language`, as a proposal.

use wiiiv_context::{PromptParts, TaskFacts};
use wiiiv_domain::{Action, Envelope, Proposal, Slots, Spec, TaskSwitch, TaskType};
use wiiiv_language::{Lexicon, Messages, OfflineText, ReadSignal, Reading, Situation, read};

/// Less sure than this, it asks.
const CONFIDENCE_MIN: f32 = 0.4;

pub(crate) fn propose(lexicon: &Lexicon, messages: &Messages, parts: &PromptParts) -> Proposal {
    let talk = |text| talk(messages.offline(parts.language, text));
    if parts.facts.is_some() {
        return talk(OfflineText::Done);
    }
    let reading = read(lexicon, &parts.message, &situation(parts));
    match reading.task_type {
        None if reading.negated => talk(OfflineText::LeftAlone),
        None => talk(OfflineText::Help),
        Some(TaskType::Conversation) => talk(OfflineText::Greeting),
        Some(TaskType::Information) => talk(OfflineText::NoKnowledge),
        Some(task) => work(task, reading, parts.task.as_ref()),
    }
}

fn situation(parts: &PromptParts) -> Situation {
    Situation {
        awaiting_answer: parts.task.as_ref().is_some_and(|task| !task.missing.is_empty()),
        active: parts.task.as_ref().map(|task| (task.task_type, task.missing.clone())),
        earlier_run: parts.earlier_run,
        systems: parts.systems.clone(),
    }
}

fn talk(message: &str) -> Proposal {
    Proposal {
        action: Action::Reply,
        task_type: TaskType::Conversation,
        message: message.to_owned(),
        slots: Slots::default(),
        task_switch: TaskSwitch::Stay,
        envelope: Envelope::default(),
    }
}

/// Acts where nothing is missing; what to ask for is code's to say.
fn work(task: TaskType, reading: Reading, active: Option<&TaskFacts>) -> Proposal {
    let stays = active.filter(|active| goes_on(active, task, &reading));
    let known = stays.map_or_else(Slots::default, |active| active.slots.clone());
    let whole =
        known.merged(&reading.slots).is_ok_and(|slots| Spec::missing(task, &slots).is_empty());
    let sure = reading.confidence >= CONFIDENCE_MIN;
    Proposal {
        action: if whole && sure { Action::Execute } else { Action::Ask },
        task_type: task,
        message: String::new(),
        slots: reading.slots,
        task_switch: if stays.is_some() { TaskSwitch::Stay } else { TaskSwitch::New },
        envelope: Envelope::default(),
    }
}

/// An answer or a change; a request that is whole by itself is another task.
fn goes_on(active: &TaskFacts, task: TaskType, reading: &Reading) -> bool {
    let changes = reading.signal == ReadSignal::Modify || !active.missing.is_empty();
    let whole = Spec::missing(task, &reading.slots).is_empty();
    active.task_type == task && (changes || !whole)
}
