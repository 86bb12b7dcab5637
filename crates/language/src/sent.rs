//! What a new row is sent, where a part of it was not understood: `홍삼 세트 2개 주문해줘` says how many,
//! and calls by a name what has a number there. What was read is kept, and the rest is asked for.

use crate::{
    filled,
    found::Found,
    instead,
    reading::Situation,
    rows::{self, Rows},
    said::{Said, intent},
    token::Token,
};
use wiiiv_domain::{Operation, SlotError, SlotName, Slots, TaskType};

/// What was read of it, and the words that were not; nothing where all was read, or nothing was said.
pub(crate) fn begun(slots: &mut Slots, said: &Said<'_, '_>) -> Result<(), SlotError> {
    let Some((values, lost)) = filled::partly(said.lexicon, said.rows, said.tokens) else {
        return Ok(());
    };
    // `상품 101번 2개 선물포장해서`: where no number is open, no name stands for one.
    let open = said.named.numbers().any(|field| !values.contains_key(field));
    let Some(words) = words(said, &lost).filter(|_| open) else { return Ok(()) };
    slots.set(SlotName::BODY, filled::written(&values))?;
    slots.set(SlotName::UNREAD, intent(words))
}

/// From the first of them to the last; none where only something else than a name is not understood.
fn words<'t>(said: &Said<'_, 't>, lost: &[usize]) -> Option<&'t str> {
    let name = |at: &usize| {
        said.tokens.get(*at).is_some_and(|t| t.is_word() && t.text.starts_with(char::is_alphabetic))
    };
    let names = !lost.is_empty() && lost.iter().all(name);
    let (first, last) = (lost.first().filter(|_| names)?, lost.last()?);
    said.text.get(said.tokens.get(*first)?.start..said.tokens.get(*last)?.end)
}

/// A new row waits for the numbers of those that it belongs to: `order 3 tumblers`.
pub(crate) fn waiting(situation: &Situation) -> Option<&Operation> {
    let known = &situation.known;
    let (task, _) = situation.active.as_ref()?;
    let asked = *task == TaskType::ApiWorkflow && situation.asks_for(SlotName::BODY);
    known.get(SlotName::BODY).and(known.get(SlotName::UNREAD)).filter(|_| asked)?;
    rows::operation(&situation.systems, known).filter(|operation| filled::makes(operation))
}

/// What answers the question for it, by the names of the fields: `상품번호 118, 회원번호 2`, `make that 5`.
/// Which of the rows that it belongs to was called by a name, nobody knows: the numbers of all of them are
/// asked for. Nothing else of it is changed meanwhile.
pub(crate) fn completed(situation: &Situation, said: &Said<'_, '_>) -> Option<Slots> {
    let operation = waiting(situation)?;
    let words = situation.known.get(SlotName::UNREAD)?;
    let rows = Rows::with(said.lexicon, operation.fields.iter());
    // `tumblers are product 109`: the name that was asked about.
    let named = |t: &Token<'_>| words.split_whitespace().any(|w| w.eq_ignore_ascii_case(t.text));
    let tokens: Vec<Token<'_>> = said.tokens.iter().filter(|t| !named(t)).cloned().collect();
    let new = filled::values(said.lexicon, &rows, &tokens);
    let new = new.or_else(|| filled::alone(said.lexicon, &rows, &tokens))?;
    let mut all = filled::read(situation.known.get(SlotName::BODY)?)?;
    all.extend(new);
    let whole = filled::numbers(operation).all(|field| all.contains_key(field));
    let mut slots = Slots::default();
    slots.set(SlotName::BODY, filled::written(&all)).ok()?;
    slots.set(SlotName::UNREAD, if whole { "" } else { words }).ok()?;
    Some(slots)
}

/// What was said behind the question for it and is neither its answer nor another task.
pub(crate) fn is_beside(situation: &Situation, said: &Said<'_, '_>, found: Option<&Found>) -> bool {
    let calls = |found: &Found| found.job.task_type == TaskType::ApiWorkflow;
    let other = said.named.names_system || instead::is_another(situation, said.tokens);
    waiting(situation).is_some() && !other && found.is_none_or(calls)
}
