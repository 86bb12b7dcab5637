//! What is said of rows that were shown beside what was kept of them: more of the same list, and fields of
//! the only one.

use crate::{
    query::{self, Query},
    reading::Situation,
    said::{Said, intent},
    shown,
};
use wiiiv_domain::{SlotError, SlotName, Slots};

/// `취소된 주문도 보여줘` behind orders of which only some were shown: those and these.
pub(crate) fn added(
    situation: &Situation,
    said: &Said<'_, '_>,
    mut slots: Slots,
) -> Result<Slots, SlotError> {
    let same = |name| slots.get(name).is_some() && slots.get(name) == situation.ran.get(name);
    let filters = |known: &&str| Query::read(known).is_none_or(|query| !query.filter.is_empty());
    let known = situation.ran.get(SlotName::SELECT).filter(filters);
    let adds = shown::operation(situation).is_some()
        && same(SlotName::DOMAIN)
        && same(SlotName::OPERATION)
        && said.tokens.iter().filter(|t| t.leads()).count() <= 1;
    let Some(known) = known.filter(|_| adds && said.selection().also) else { return Ok(slots) };
    match said.selection().revising(known) {
        Some(revised) => slots.set(SlotName::SELECT, revised)?,
        None => unclear(situation, intent(said.part()), &mut slots)?,
    }
    Ok(slots)
}

/// `just the status` of the one row that was shown: fields alone can be taken out of it.
pub(super) fn of_one(said: &Said<'_, '_>, mut slots: Slots) -> Result<Slots, SlotError> {
    let selection = said.selection();
    let fields = &selection.query.fields;
    let rows = !selection.conditions.is_empty() || selection.query.ranks();
    let alone = !rows && selection.written.is_none() && !fields.is_empty();
    match Some(fields).filter(|_| alone && selection.unread.is_none()) {
        Some(fields) => slots.set(SlotName::SELECT, query::object(fields))?,
        None => slots.set(SlotName::UNREAD, intent(said.part()))?,
    }
    Ok(slots)
}

/// What was kept of the rows before stays beside what is asked about.
pub(super) fn unclear(
    situation: &Situation,
    words: String,
    slots: &mut Slots,
) -> Result<(), SlotError> {
    let known = situation.ran.get(SlotName::SELECT).unwrap_or_default();
    slots.set(SlotName::SELECT, known)?;
    slots.set(SlotName::UNREAD, words)
}
