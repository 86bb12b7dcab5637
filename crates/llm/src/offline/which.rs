//! `skymall`, said to the question which system is meant: what was asked for is read again with it.

use wiiiv_context::PromptParts;
use wiiiv_domain::{SlotError, SlotName, Slots, TaskType};
use wiiiv_language::{Lexicon, Reading, Situation, read};

/// The reading, with the operation and the rows that the request before it speaks of.
pub(super) fn completed(lexicon: &Lexicon, parts: &PromptParts, reading: Reading) -> Reading {
    let is_asked = |name: &SlotName| name.as_str() == SlotName::DOMAIN;
    let task = parts.task.as_ref().filter(|task| task.missing.iter().any(is_asked));
    let asked = task.and_then(|task| task.slots.get(SlotName::INTENT));
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
    let own = reading.slots.iter().filter(|(name, _)| name.as_str() != SlotName::INTENT);
    match joined(whole.slots, own, asked) {
        Ok(slots) => {
            let confidence = whole.confidence.min(reading.confidence);
            Reading { slots, confidence, ..reading }
        }
        Err(_) => reading,
    }
}

/// What the answer adds of its own, its words aside.
fn joined<'s>(
    mut slots: Slots,
    own: impl Iterator<Item = (&'s SlotName, &'s str)>,
    asked: &str,
) -> Result<Slots, SlotError> {
    for (name, value) in own {
        slots.set(name.as_str(), value)?;
    }
    slots.set(SlotName::INTENT, asked)?;
    Ok(slots)
}
