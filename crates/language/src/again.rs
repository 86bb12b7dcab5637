//! What an earlier answer is narrowed to, where nothing else is asked for: `just the first 3`,
//! `가격 낮은순으로 정렬해줘`. The same is asked once more, so that what is kept of it is what was shown.

mod added;
mod onward;

use crate::{
    chosen, comparison,
    concept::Concept,
    found::Found,
    implied, instead,
    lexicon::Sign,
    part::Part,
    query::{Aggregate, Query, Slice},
    ranking,
    reading::{Job, Situation},
    rows::Rows,
    said::{Said, intent},
    select::Selection,
    shown,
    token::{Token, TokenKind},
};
pub(crate) use added::added;
use added::{of_one, unclear};
use wiiiv_domain::{SlotError, SlotName, Slots, TaskType};

/// As sure as a rule that holds on what was said before.
const CONFIDENCE: f32 = 0.85;
/// Says that another is meant than before, or nothing at all.
const INSTEAD: [Concept; 14] = [
    Concept::Change,
    Concept::Correct,
    Concept::NotThis,
    Concept::Unlike,
    Concept::Vague,
    Concept::Pronoun,
    Concept::That,
    Concept::And,
    Concept::Then,
    Concept::Read,
    Concept::Get,
    Concept::Listing,
    Concept::Every,
    Concept::Thing,
];
/// Does something else than to show rows.
const OTHERS: [Concept; 12] = [
    Concept::Save,
    Concept::Write,
    Concept::Delete,
    Concept::Add,
    Concept::Send,
    Concept::Edit,
    Concept::Create,
    Concept::Run,
    Concept::Alter,
    Concept::Search,
    Concept::Greet,
    Concept::Remember,
];
/// Longer texts are no part of an answer.
const ONLY_WORDS_MAX: usize = 5;
pub(crate) fn narrowed(situation: &Situation, said: &Said<'_, '_>) -> Option<Found> {
    let operation = shown::operation(situation).filter(|operation| implied::reads(operation))?;
    if !is_open(said) {
        return None;
    }
    let rows = Rows::with(said.lexicon, operation.fields.iter());
    let said = said.with_rows(&rows);
    let slots = slots(situation, &said).ok()??;
    let job = Job { task_type: TaskType::ApiWorkflow, slots, text: said.part().to_owned() };
    Some(Found { job, confidence: CONFIDENCE })
}

/// Nothing else is named, and nothing else is to be done.
fn is_open(said: &Said<'_, '_>) -> bool {
    let other = |at: usize, token: &Token<'_>| {
        let name = matches!(token.kind, TokenKind::System | TokenKind::Operation);
        let acts = token.has_any(&OTHERS);
        token.is_entity() || name || acts && !is_state(said, at)
    };
    let open = !said.tokens.iter().enumerate().any(|(at, token)| other(at, token));
    open && !said.signs.has(Sign::Method)
}

/// `환불된거`, `반품된 것`: what has become of them, be it what no field knows of.
fn is_state(said: &Said<'_, '_>, at: usize) -> bool {
    let Some(token) = said.tokens.get(at).filter(|t| t.is_word()) else { return false };
    let next = said.tokens.get(at + 1).is_some_and(|next| next.has(Concept::Thing));
    let cut = said.lexicon.parts.split(Part::Past, token.text);
    let thing = |tail: &str| comparison::is_thing(said.lexicon, tail);
    cut.is_some_and(|(act, tail)| !act.is_empty() && (thing(tail) || tail.is_empty() && next))
}

/// Nothing else is said but to see them.
fn is_of_state(said: &Said<'_, '_>) -> bool {
    let state = |at: usize| is_state(said, at);
    let light = |(at, token): (usize, &Token<'_>)| state(at) || shown::says_nothing(token);
    (0..said.tokens.len()).any(state) && said.tokens.iter().enumerate().all(light)
}

/// What was kept of them, as far as it goes on to be meant.
fn kept(said: &Said<'_, '_>, selection: &Selection, known: &str) -> Option<Query> {
    let mut query = Query::read(known)?;
    // `다 보여줘`: no number of them is meant any more.
    if matches!(query.slice, Some(Slice::Rows(0, _))) && said.signs.says(Concept::Every) {
        query.slice = None;
    }
    // `평균 가격은?` behind how many there are: another figure, or another order, of the same rows.
    let other = selection.query.ranks() || !selection.query.fields.is_empty();
    if other && query.aggregate == Some(Aggregate::Count) {
        query.aggregate = None;
    }
    Some(query)
}

fn slots(situation: &Situation, said: &Said<'_, '_>) -> Result<Option<Slots>, SlotError> {
    let chosen = chosen::chosen(said);
    let mut slots = Slots::default();
    for name in [SlotName::DOMAIN, SlotName::OPERATION, SlotName::ARGUMENTS] {
        slots.set(name, situation.ran.get(name).unwrap_or_default())?;
    }
    slots.set(SlotName::INTENT, intent(said.part()))?;
    let selection = said.selection();
    if situation.ran.get(SlotName::ARGUMENTS).is_some() && !selection.is_empty() {
        return of_one(said, slots).map(Some);
    }
    // `5개인 것만` says how many each has.
    let counts = selection.conditions.is_empty();
    if let Some(taken) = few(situation, said).filter(|_| counts) {
        slots.set(SlotName::SELECT, taken)?;
        return Ok(Some(slots));
    }
    let one = situation.ran.get(SlotName::ARGUMENTS).is_some();
    if let Some(onward) = onward::onward(situation.ran.get(SlotName::SELECT), one, said) {
        match onward {
            Some(expr) => slots.set(SlotName::SELECT, expr)?,
            None => unclear(situation, intent(said.part()), &mut slots)?,
        }
        return Ok(Some(slots));
    }
    // `취소된 것도 같이`
    let light = |t: &Token<'_>| shown::says_nothing(t) || selection.also && t.has(Concept::Too);
    let told = |at: usize| selection.said.contains(&at) || said.tokens.get(at).is_some_and(light);
    let whole = (0..said.tokens.len()).all(told);
    let unread = match (chosen.unread, chosen.expr) {
        (Some(words), _) if points(said) || is_only(said) => Some(words.to_owned()),
        (_, None) if is_of_state(said) => Some(intent(said.part())),
        (None, Some(_)) if !whole && points(said) => Some(intent(said.part())),
        (None, Some(expr)) if whole => {
            let known = situation.ran.get(SlotName::SELECT);
            let revised = match known.filter(|_| selection.written.is_none()) {
                Some(known) => kept(said, selection, known)
                    .and_then(|known| known.merged(&selection.query, selection.also))
                    .map(|query| query.written()),
                None => Some(expr),
            };
            slots.set(SlotName::SELECT, revised.clone().unwrap_or_default())?;
            revised.is_none().then(|| intent(said.part()))
        }
        _ => return Ok(None),
    };
    if let Some(words) = unread {
        unclear(situation, words, &mut slots)?;
    }
    Ok(Some(slots))
}

/// `3개만`, `just 3 of them`: as they were shown; `top 3` only where they were put in an order.
fn few(situation: &Situation, said: &Said<'_, '_>) -> Option<String> {
    let known = situation.ran.get(SlotName::SELECT);
    let read = known.map_or_else(|| Some(Query::default()), Query::read);
    let ordered = read.as_ref().is_some_and(|known| known.order.is_some());
    let taken = Query::first(counted(said, ordered)?);
    Some(read?.merged(&taken, false)?.written())
}

/// The only number, where nothing else is said of rows.
fn counted(said: &Said<'_, '_>, ordered: bool) -> Option<u64> {
    let in_one = |token: &Token<'_>| ranking::counted_in_one(said.lexicon, token);
    let count = |token: &Token<'_>| {
        let digits =
            token.text.parse::<u64>().ok().filter(|count| (1..=onward::TAKEN_MAX).contains(count));
        digits.or_else(|| in_one(token).map(|(count, _)| count))
    };
    let words = || said.tokens.iter().enumerate().filter(|(_, t)| t.kind != TokenKind::Mark);
    let (at, rows) = words().find_map(|(at, token)| Some((at, count(token)?)))?;
    let pieces = |t: &Token<'_>| t.attached && t.has(Concept::Pieces);
    let only = |t: &Token<'_>| {
        let particle = said.lexicon.only.iter().any(|only| t.attached && t.text == only);
        particle || t.has(Concept::Only)
    };
    let top = |t: &Token<'_>| ordered && (t.has(Concept::Most) || t.has(Concept::First));
    let light = |t: &Token<'_>| !measures(t) && (top(t) || only(t) || shown::says_nothing(t));
    let rest = || words().filter(|(other, _)| *other != at).map(|(_, token)| token);
    let behind = said.tokens.get(at + 1).filter(|next| next.attached && next.is_word());
    // `3개인 거` says how many each has, be there a field of that or not.
    let is = |t: &Token<'_>| said.lexicon.parts.split(Part::Copula, t.text).is_some();
    let own = behind.is_none_or(|next| !is(next) && (pieces(next) || only(next)));
    let limits = said.tokens.get(at).is_some_and(|token| in_one(token).is_some())
        || rest().any(|t| only(t) || top(t) || pieces(t));
    // `3개 더 보여줘`: others than those that were shown.
    let more = rest().any(|t| t.is(Part::More | Part::Next) || t.has(Concept::Too));
    (own && limits && !more && rest().all(|t| pieces(t) || light(t))).then_some(rows)
}

/// `10개 이하만` and `3만원만` say no number of rows.
fn measures(token: &Token<'_>) -> bool {
    let measures = token.has(Concept::Currency) || token.has(Concept::Field);
    measures || token.concepts.iter().any(|concept| concept.operator().is_some())
}

/// `only the ones ..`, `그중에서 ..`: rows that were shown are spoken of.
pub(crate) fn points(said: &Said<'_, '_>) -> bool {
    let points =
        |t: &Token<'_>| t.has(Concept::Among) || t.has(Concept::Pronoun) || t.is(Part::Ones);
    said.tokens.iter().any(points)
}

/// `국산만 보여줘`: a part of what was shown is all that is wanted.
fn is_only(said: &Said<'_, '_>) -> bool {
    let ends = |t: &Token<'_>| {
        let only = said.lexicon.ends_in_only(t.text);
        t.is_word() && t.is_korean() && only
    };
    let looks = |t: &Token<'_>| {
        let light = [Concept::Read, Concept::Get, Concept::Pick, Concept::Tell, Concept::Vague];
        t.kind == TokenKind::Mark || t.has_any(&light)
    };
    let at = said.tokens.iter().position(ends);
    let words = said.tokens.iter().filter(|t| t.is_word() && !t.attached).count();
    let rest = at.and_then(|at| said.tokens.get(at + 1..));
    words <= ONLY_WORDS_MAX && rest.is_some_and(|rest| rest.iter().all(looks))
}

/// What only that system has, where nothing else is asked for.
pub(crate) fn instead(situation: &Situation, said: &Said<'_, '_>) -> Option<Found> {
    let idle = situation.active.is_none();
    let (_, system) = instead::system(situation).filter(|_| idle)?;
    let id = said.named.operation()?;
    let operation = system.operation(&id).filter(|operation| implied::reads(operation))?;
    let light = |t: &Token<'_>| {
        let aside = matches!(t.kind, TokenKind::Operation | TokenKind::Mark | TokenKind::Dropped);
        aside || t.attached || t.has_any(&INSTEAD)
    };
    if !said.tokens.iter().all(light) || !instead::is_correction(said.tokens) {
        return None;
    }
    let mut slots = Slots::default();
    slots.set(SlotName::INTENT, intent(said.part())).ok()?;
    slots.set(SlotName::DOMAIN, system.name.as_str()).ok()?;
    slots.set(SlotName::OPERATION, operation.id.as_str()).ok()?;
    slots.set(SlotName::ARGUMENTS, said.named.arguments.as_deref().unwrap_or_default()).ok()?;
    let job = Job { task_type: TaskType::ApiWorkflow, slots, text: said.part().to_owned() };
    Some(Found { job, confidence: CONFIDENCE })
}
