//! The built-in model: turns the deterministic result of `language` into a proposal.

mod about;
mod operations;
pub(crate) mod proposal;
mod which;

use crate::offline::proposal::{Offline, talk};
use operations::Unsettled;
use wiiiv_context::{PromptParts, TaskFacts};
use wiiiv_domain::{
    Action, Envelope, LaterJob, Proposal, SlotName, Slots, Sources, Spec, TaskSwitch, TaskType,
};
use wiiiv_language::{
    JOBS_LATER_MAX, Job, Lexicon, Lost, ReadSignal, Reading, Situation, numbers, read, wants,
};
use wiiiv_messages::{Messages, OfflineText, Topic};

/// Less sure than this, it asks.
const CONFIDENCE_MIN: f32 = 0.4;

pub(crate) fn propose(known: &Offline<'_>, parts: &PromptParts) -> Proposal {
    let Offline { lexicon, topics, messages } = *known;
    let talk = |text| talk(messages.offline(parts.language, text));
    if parts.facts.is_some() {
        // Code tells what a run came to, and this model has nothing to add.
        return self::talk("");
    }
    let (reading, unsettled) = heard(lexicon, parts);
    if let Some(asked) = stuck(messages, parts, &reading) {
        return asked;
    }
    let topic = topics.of(&parts.message);
    // `thanks! can you print it too?`
    let wanted = topic == Some(Topic::Thanks) && wants(lexicon, &parts.message);
    let topic = topic.filter(|topic| !wanted && is_meant(*topic, parts, &reading));
    if let Some(topic) = topic {
        return about::answered(known, parts, (topic, &reading));
    }
    match reading.task_type {
        None if reading.negated => talk(OfflineText::LeftAlone),
        None => match (reading.lost, unsettled) {
            (Some(lost), _) => {
                let room = JOBS_LATER_MAX + 1;
                self::talk(&messages.offline_lost(parts.language, lost.as_str(), room))
            }
            (None, Some(unsettled)) => {
                let asked = unsettled.question(lexicon, messages, parts.language);
                ask(TaskType::ApiWorkflow, &asked)
            }
            (None, None) if waits(parts) => talk(OfflineText::Unchanged),
            (None, None) => talk(OfflineText::Help),
        },
        Some(TaskType::Conversation) if wanted => talk(OfflineText::Help),
        Some(TaskType::Conversation) => talk(OfflineText::Greeting),
        Some(TaskType::Information) => talk(OfflineText::NoKnowledge),
        Some(task) => work(known, parts, task, reading),
    }
}

/// Beside work that is asked for, a topic is none; but a task that was put aside is gone back to
/// also where the words that name it would begin another like it.
fn is_meant(topic: Topic, parts: &PromptParts, reading: &Reading) -> bool {
    let asks_nothing = reading.task_type.is_none_or(TaskType::is_talk) && !reading.negated;
    let refers = reading.slots.get(SlotName::SOURCE_RUN).is_some();
    match topic {
        Topic::Back => !refers && about::aside(parts, reading).is_some() || asks_nothing,
        Topic::FirstRequest | Topic::LastRequest => asks_nothing || !is_whole(reading),
        // `list my files` names none that could be read.
        Topic::Files | Topic::ShowSaved | Topic::Why | Topic::Again => {
            asks_nothing || !is_whole(reading)
        }
        Topic::Waiting
        | Topic::Approval
        | Topic::Identity
        | Topic::Abilities
        | Topic::Systems
        | Topic::Memory
        | Topic::Deeds => asks_nothing,
        // `고마워 일곱시에 알람 맞춰줘`
        Topic::Thanks => asks_nothing && reading.lost != Some(Lost::Undone),
        Topic::Fields => asks_nothing && !about::fields(parts).is_empty(),
    }
}

/// Work of which nothing is missing: a message beside it that says nothing may have meant to change it.
fn waits(parts: &PromptParts) -> bool {
    parts.task.as_ref().is_some_and(|task| task.missing.is_empty())
}

fn is_whole(reading: &Reading) -> bool {
    reading.task_type.is_some_and(|task| Spec::missing(task, &reading.slots).is_empty())
}

/// The message; where an operation was asked for and it names no system, as an answer to that.
fn heard<'p>(lexicon: &Lexicon, parts: &'p PromptParts) -> (Reading, Option<Unsettled<'p>>) {
    let open = situation(parts);
    let reading = which::completed(lexicon, parts, read(lexicon, &parts.message, &open));
    let names_none = reading.slots.get(SlotName::DOMAIN).is_none();
    let active = parts.task.as_ref().filter(|_| names_none);
    let asked = active
        .and_then(|task| Some((task, Unsettled::of(&parts.systems, task.task_type, &task.slots)?)));
    let Some((task, unsettled)) = asked else { return (reading, None) };
    let mut missing = task.missing.clone();
    missing.extend(SlotName::parse(SlotName::OPERATION));
    let answering = Situation {
        awaiting_answer: true,
        active: Some((task.task_type, missing)),
        systems: unsettled.systems.iter().copied().cloned().collect(),
        ..open
    };
    (read(lexicon, &parts.message, &answering), Some(unsettled))
}

fn situation(parts: &PromptParts) -> Situation {
    Situation {
        awaiting_answer: parts.task.is_some(),
        active: parts.task.as_ref().map(|task| (task.task_type, task.missing.clone())),
        known: parts.task.as_ref().map(|task| task.slots.clone()).unwrap_or_default(),
        // What leaves one of them out never comes here: it is a signal.
        waiting: Vec::new(),
        // Nor does what cancels them.
        aside: Vec::new(),
        earlier_run: parts.earlier_run,
        ran: parts.ran.clone(),
        systems: parts.systems.clone(),
    }
}

fn ask(task_type: TaskType, message: &str) -> Proposal {
    Proposal { action: Action::Ask, task_type, ..talk(message) }
}

/// A review or the drawing wants something changed, and the message changes nothing: proposed
/// again it would come back again.
fn stuck(messages: &Messages, parts: &PromptParts, reading: &Reading) -> Option<Proposal> {
    let active = parts.task.as_ref().filter(|_| !parts.revision.is_empty())?;
    let known = |(name, value): (&SlotName, &str)| {
        name.as_str() == SlotName::INTENT || active.slots.get(name.as_str()) == Some(value)
    };
    let same = reading.task_type == Some(active.task_type) && reading.slots.iter().all(known);
    let nothing = reading.task_type.is_none() && !reading.negated;
    let reasons = || messages.offline_reasons(parts.language, &parts.revision);
    (same || nothing).then(|| ask(active.task_type, &reasons()))
}

/// Acts where nothing is missing; what to ask for is code's to say.
fn work(known: &Offline<'_>, parts: &PromptParts, task: TaskType, reading: Reading) -> Proposal {
    let (room, messages) = (known, known.messages);
    let stays = parts.task.as_ref().filter(|active| goes_on(active, task, &reading));
    let known = stays.map_or_else(Slots::default, |active| active.slots.clone());
    let merged = known.merged(&reading.slots).ok();
    let whole = merged.as_ref().is_some_and(|slots| Spec::missing(task, slots).is_empty());
    let unsettled = merged.as_ref().and_then(|slots| Unsettled::of(&parts.systems, task, slots));
    let several = || reading.slots.get(SlotName::DOMAIN).is_some_and(|names| names.contains(','));
    let sure = reading.confidence >= CONFIDENCE_MIN;
    let unread = reading.slots.get(SlotName::UNREAD);
    let text = |text| messages.offline(parts.language, text).to_owned();
    let message = match (&unsettled, unread) {
        (Some(unsettled), _) => unsettled.question(room.lexicon, messages, parts.language),
        (None, Some(_)) if several() => text(OfflineText::Several),
        (None, Some(words)) => {
            let sent = merged.as_ref().and_then(|slots| asked_of(room, parts, slots, words));
            sent.unwrap_or_else(|| messages.offline_unread(parts.language, words))
        }
        (None, None) if whole && !sure && task == TaskType::ApiWorkflow => {
            text(OfflineText::Condition)
        }
        (None, None) => String::new(),
    };
    let left = reading.left.iter().map(|text| undone(text));
    let later = reading.later.into_iter().filter_map(later).chain(left).collect();
    Proposal {
        action: if whole && sure && unsettled.is_none() { Action::Execute } else { Action::Ask },
        task_type: task,
        slots: reading.slots,
        later,
        task_switch: if stays.is_some() { TaskSwitch::Stay } else { TaskSwitch::New },
        confidence: Some(percent(reading.confidence)),
        ..talk(&message)
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "0 to 100, as it was clamped to 0 to 1"
)]
fn percent(share: f32) -> u8 {
    (share.clamp(0.0, 1.0) * 100.0).round() as u8
}

/// Of what is sent, the numbers that are not known yet are asked for by the names of their fields.
fn asked_of(room: &Offline<'_>, parts: &PromptParts, slots: &Slots, words: &str) -> Option<String> {
    let body = slots.get(SlotName::BODY)?;
    let name = slots.get(SlotName::DOMAIN)?;
    let system = parts.systems.iter().find(|system| system.is_called(name))?;
    let operation = system.operation(slots.get(SlotName::OPERATION)?)?;
    let open = |name: &&str| !body.contains(&format!("\"{name}\""));
    let lang = parts.language;
    let field = |name: &str| operation.fields.iter().find(|field| field.name == name);
    let open = numbers(operation).filter(open).filter_map(field);
    let fields: Vec<String> = open.map(|field| about::named(field, lang)).collect();
    let called = operation.label(lang).unwrap_or(&operation.id);
    Some(room.messages.offline_sent(lang, words, called, &fields))
}

/// Another job of the same message; talk is none.
fn later(job: Job) -> Option<LaterJob> {
    let Job { task_type, slots, text: _ } = job;
    let (envelope, sources) = (Envelope::default(), Sources::default());
    (!task_type.is_talk()).then_some(LaterJob { task_type, slots, envelope, sources })
}

/// What no task can do is a job of none, by the user's own words: it is told to be left out.
fn undone(text: &str) -> LaterJob {
    let mut slots = Slots::default();
    // A text that is no value of a slot is told without it.
    let _ = slots.set(SlotName::INTENT, text);
    let (task_type, envelope) = (TaskType::Conversation, Envelope::default());
    LaterJob { task_type, slots, envelope, sources: Sources::default() }
}

/// An answer or a change; a request that is whole by itself is another task.
fn goes_on(active: &TaskFacts, task: TaskType, reading: &Reading) -> bool {
    let whole = Spec::missing(task, &reading.slots).is_empty();
    // Said again as a whole, without what was not understood, or another list than the one to be saved.
    let saved = active.slots.get(SlotName::SAVE).is_some();
    let again = |name: &SlotName| match name.as_str() {
        SlotName::SELECT | SlotName::BODY => whole,
        SlotName::TARGET_PATH => whole && saved,
        _ => false,
    };
    let asked = active.missing.iter().any(|name| !again(name));
    let changes = reading.signal == ReadSignal::Modify || asked;
    active.task_type == task && (changes || !whole)
}
