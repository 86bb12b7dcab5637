//! Reads a request again with the system that the user named when asked, such as `skymall`.

use wiiiv_context::PromptParts;
use wiiiv_domain::{SlotError, SlotName, Slots, TaskType};
use wiiiv_language::{Lexicon, Reading, Situation, read};

/// As `language` keeps it.
const INTENT_CHARS_MAX: usize = 200;

/// The reading, with the operation and the rows that the request before it speaks of.
pub(super) fn completed(lexicon: &Lexicon, parts: &PromptParts, reading: Reading) -> Reading {
    let is_asked = |name: &SlotName| name.as_str() == SlotName::DOMAIN;
    let task = parts.task.as_ref().filter(|task| task.missing.iter().any(is_asked));
    // A condition that stands behind the end of what is kept is still to be asked; one that was not
    // read without its system is settled only by a selection.
    let asked = task.and_then(|task| task.slots.get(SlotName::INTENT));
    let asked = asked.filter(|asked| asked.chars().count() < INTENT_CHARS_MAX);
    let named = reading.slots.get(SlotName::DOMAIN);
    let settled = reading.slots.get(SlotName::OPERATION).is_some();
    let calls = reading.task_type == Some(TaskType::ApiWorkflow);
    let (Some(asked), Some(system), true) = (asked, named, calls && !settled) else {
        return reading;
    };
    let whole = if asked.is_ascii() {
        format!("{asked} from {system}")
    } else {
        format!("{system} {asked}")
    };
    let fresh = Situation { systems: parts.systems.clone(), ..Situation::default() };
    let whole = read(lexicon, &whole, &fresh);
    let same = whole.task_type == reading.task_type && whole.later.is_empty();
    if !same || whole.slots.get(SlotName::DOMAIN) != Some(system) {
        return reading;
    }
    match joined(&reading.slots, &whole.slots) {
        Ok(slots) => {
            let confidence = whole.confidence.min(reading.confidence);
            Reading { slots, confidence, ..reading }
        }
        Err(_) => reading,
    }
}

/// The answer, and of the request what is done there and to which rows: nothing else of it is taken
/// as said again.
fn joined(answer: &Slots, request: &Slots) -> Result<Slots, SlotError> {
    let mut slots = answer.clone();
    for name in [SlotName::OPERATION, SlotName::ARGUMENTS, SlotName::SELECT, SlotName::UNREAD] {
        if let Some(value) = request.get(name).filter(|_| answer.get(name).is_none()) {
            slots.set(name, value)?;
        }
    }
    slots.set(SlotName::INTENT, "")?;
    Ok(slots)
}
