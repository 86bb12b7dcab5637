//! What a new row is sent, where a part of it was not understood: `홍삼 세트 2개 주문해줘` says how many,
//! and calls by a name what has a number there. What was read is kept, and the rest is asked for.

use crate::{
    filled,
    lexicon::Lexicon,
    reading::Situation,
    rows::{self, Rows},
    slots::{Said, intent},
    token::Token,
};
use wiiiv_domain::{HttpMethod, Operation, SlotError, SlotName, Slots, TaskType};

/// It puts a new row where it has fields.
pub(crate) fn makes(operation: &Operation) -> bool {
    let plain = !operation.reads && !operation.path.contains('{');
    plain && operation.method == HttpMethod::Post && !operation.fields.is_empty()
}

/// The fields that are the number of a row of another list.
pub fn numbers(operation: &Operation) -> impl Iterator<Item = &str> {
    let names = operation.fields.iter().map(|field| field.name.as_str());
    names.filter(|name| name.ends_with(rows::KEY))
}

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

/// What answers the question for it, by the names of the fields: `상품번호 118, 회원번호 2`. Which of the
/// rows that it belongs to was called by a name, nobody knows: the numbers of all of them are asked for.
pub(crate) fn completed(situation: &Situation, said: &Said<'_, '_>) -> Option<Slots> {
    let known = &situation.known;
    let (task, _) = situation.active.as_ref()?;
    let asked = *task == TaskType::ApiWorkflow && situation.asks_for(SlotName::BODY);
    let body = known.get(SlotName::BODY).filter(|_| asked)?;
    known.get(SlotName::UNREAD)?;
    let operation = rows::operation(&situation.systems, known).filter(|o| makes(o))?;
    let rows = Rows::with(said.lexicon, operation.fields.iter());
    let new = filled::values(said.lexicon, &rows, said.tokens)?;
    let mut all = filled::read(body)?;
    all.extend(new);
    let numbers = numbers(operation).all(|field| all.contains_key(field));
    let mut slots = Slots::default();
    slots.set(SlotName::BODY, filled::written(&all)).ok()?;
    if !numbers {
        slots.set(SlotName::UNREAD, known.get(SlotName::UNREAD).unwrap_or_default()).ok()?;
    }
    Some(slots)
}

/// `order 3 tumblers`: how many of what is called by a name.
pub(crate) fn is_of_things(lexicon: &Lexicon, operation: &Operation, tokens: &[Token<'_>]) -> bool {
    let rows = Rows::with(lexicon, operation.fields.iter());
    makes(operation) && filled::of_things(lexicon, &rows, tokens)
}
