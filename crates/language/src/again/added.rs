//! What is said of rows that were shown beside what was kept of them: more of the same list, and fields of
//! the only one.

use super::{operation, unclear};
use crate::{
    reading::Situation,
    revision,
    slots::{Said, intent},
    wonder,
};
use wiiiv_domain::{SlotError, SlotName, Slots};

/// `취소된 주문도 보여줘` behind orders of which only some were shown: those and these.
pub(crate) fn added(
    situation: &Situation,
    said: &Said<'_, '_>,
    mut slots: Slots,
) -> Result<Slots, SlotError> {
    let same = |name| slots.get(name).is_some() && slots.get(name) == situation.ran.get(name);
    let known = situation.ran.get(SlotName::SELECT).filter(|known| known.contains("select("));
    let adds = operation(situation).is_some()
        && same(SlotName::DOMAIN)
        && same(SlotName::OPERATION)
        && said.tokens.iter().filter(|t| wonder::leads(t)).count() <= 1;
    let Some(known) = known.filter(|_| adds && said.selection().also) else { return Ok(slots) };
    match revision::revised(known, said.selection()) {
        Some(revised) => slots.set(SlotName::SELECT, revised)?,
        None => unclear(situation, intent(said.part()), &mut slots)?,
    }
    Ok(slots)
}

/// `just the status` of the one row that was shown: fields alone can be taken out of it.
pub(super) fn of_one(said: &Said<'_, '_>, mut slots: Slots) -> Result<Slots, SlotError> {
    let selection = said.selection();
    let rows = !selection.conditions.is_empty() || !selection.stages.is_empty();
    let fields = selection.fields.as_deref().filter(|_| !rows && !selection.is_written);
    match fields.filter(|_| selection.unread.is_none()) {
        Some(fields) => slots.set(SlotName::SELECT, fields)?,
        None => slots.set(SlotName::UNREAD, intent(said.part()))?,
    }
    Ok(slots)
}
