//! What was kept of an answer, where more is said of it: it is changed and never forgotten.

use crate::{
    again,
    concept::Concept,
    query::Query,
    reading::Situation,
    said::{Said, intent},
    select, tokenizer,
};
use wiiiv_domain::{SlotError, SlotName, Slots};

const TAKEN_BACK: [Concept; 3] = [Concept::NotThis, Concept::Correct, Concept::Unlike];

/// What is kept of an answer is changed and never forgotten: what another answer does not have, or
/// what cannot be told, is asked for.
pub(super) fn revise(
    situation: &Situation,
    said: &Said<'_, '_>,
    changed: &mut Slots,
) -> Result<(), SlotError> {
    if let Some(words) = situation.known.get(SlotName::UNREAD) {
        let known = situation.known.get(SlotName::SELECT).map(str::to_owned);
        let known = known.or_else(|| understood(situation, said));
        return still_unread((said, known.as_deref()), words, changed);
    }
    let Some(known) = situation.known.get(SlotName::SELECT) else { return Ok(()) };
    let differs = |name| {
        changed.get(name).is_some_and(|new| situation.known.get(name).is_some_and(|old| old != new))
    };
    let elsewhere = differs(SlotName::OPERATION) || differs(SlotName::URL);
    match changed.get(SlotName::SELECT) {
        Some(_) if elsewhere => Ok(()),
        None if elsewhere => changed.set(SlotName::UNREAD, known),
        None => Ok(()),
        Some(_) => {
            let selection = said.selection();
            let revised = selection.revising(known);
            if revised.is_none() {
                changed.set(SlotName::UNREAD, intent(said.part()))?;
            }
            changed.set(SlotName::SELECT, revised.unwrap_or_default())
        }
    }
}

/// An order, a choice of fields or what `only the ones over 5000` adds does not say which rows were meant,
/// and what else is not understood does not make the first words understood. What is, is kept.
fn still_unread(
    (said, known): (&Said<'_, '_>, Option<&str>),
    words: &str,
    changed: &mut Slots,
) -> Result<(), SlotError> {
    if let Some(more) = changed.get(SlotName::UNREAD).map(str::to_owned) {
        let both =
            if words.contains(&more) { words.to_owned() } else { format!("{words}, {more}") };
        return changed.set(SlotName::UNREAD, both);
    }
    if changed.get(SlotName::SELECT).is_none() {
        return Ok(());
    }
    let selection = said.selection();
    let narrows = selection.written.is_some() || !selection.conditions.is_empty();
    if !narrows || again::points(said) {
        changed.set(SlotName::UNREAD, words)?;
    }
    match known.map(|known| selection.revising(known)) {
        Some(Some(revised)) => changed.set(SlotName::SELECT, revised),
        // What becomes of what was understood before is asked about.
        Some(None) => {
            changed.set(SlotName::SELECT, "")?;
            changed.set(SlotName::UNREAD, format!("{words}, {}", intent(said.part())))
        }
        None => Ok(()),
    }
}

/// What was understood beside what was not: `orders over 100000, newest first`.
fn understood(situation: &Situation, said: &Said<'_, '_>) -> Option<String> {
    let intent = situation.known.get(SlotName::INTENT)?;
    let tokens = tokenizer::tokens(said.lexicon, intent);
    // What was taken back is not meant.
    if tokens.iter().any(|t| t.has_any(&TAKEN_BACK)) {
        return None;
    }
    let selection = select::select(said.lexicon, said.rows, &tokens);
    let new = Query { filter: selection.query.filter, ..Query::default() };
    (!new.filter.is_empty()).then(|| Query::default().merged(&new, false))?.map(|q| q.written())
}
