//! What answers the question for an operation in other words: it says more of what was asked, which is
//! read once more with it. Behind `skymall 목록 보여줘`, `전자제품` says of which list, and `3개만` how many.

use crate::{
    character::is_hangul,
    concept::Concept,
    lexicon::Sign,
    listed::lists,
    part::Part,
    ranking,
    reading::{Reading, Situation},
    said::Said,
    token::{Token, TokenKind},
};
use std::sync::Arc;
use wiiiv_domain::{SlotError, SlotName, Slots, System, TaskType};

/// An intent is cut there: what stands behind it is not known any more.
const INTENT_CHARS_MAX: usize = 200;
/// Longer texts are no answer.
const WORDS_MAX: usize = 12;

/// `None` where no operation was asked for, or something else is said.
pub(crate) fn completed(
    situation: &Situation,
    said: &Said<'_, '_>,
    read: Option<TaskType>,
) -> Option<Slots> {
    let calls = |task: &TaskType| *task == TaskType::ApiWorkflow;
    let (task, _) = situation.active.as_ref()?;
    let asked = calls(task) && situation.asks_for(SlotName::OPERATION);
    let order = said.named.operation().is_none() && is_order(said);
    let own = order || read.is_none_or(|read| calls(&read)) && is_answer(said);
    let intent = situation.known.get(SlotName::INTENT).filter(|_| asked && own)?;
    let system = system(situation)?;
    let whole = together(intent, said.part(), system);
    if whole.chars().count() >= INTENT_CHARS_MAX {
        return None;
    }
    let fresh = Situation { systems: Arc::from([system.clone()]), ..Situation::default() };
    let read = (said.reread)(said.lexicon, &whole, &fresh);
    let known = situation.known.get(SlotName::UNREAD);
    if is_settled(said, system, &read) {
        // `매운 식품 보여줘`: a word beside the value kept the list from being clear, and still is unread.
        let held = lists(said.lexicon, system, intent).len() == 1;
        let doubted = Some(intent).filter(|_| held && known.is_none());
        return settled(&read, known, doubted).ok();
    }
    narrows(said).then(|| open(&whole, said.part(), known).ok())?
}

/// `그럼 제일 싼건?`: nothing is said but an order, be it asked for.
fn is_order(said: &Said<'_, '_>) -> bool {
    let light = [
        Concept::Then,
        Concept::And,
        Concept::Vague,
        Concept::Thing,
        Concept::Question,
        Concept::Read,
        Concept::Get,
        Concept::Tell,
    ];
    let own = |t: &Token<'_>| t.is_word() && ranking::is_order(said.lexicon, t);
    let light = |t: &Token<'_>| t.kind == TokenKind::Mark || t.is(Part::One) || t.has_any(&light);
    said.tokens.iter().any(own) && said.tokens.iter().all(|t| own(t) || light(t))
}

/// The only system that the call is of.
fn system(situation: &Situation) -> Option<&System> {
    let name = situation.known.get(SlotName::DOMAIN)?;
    situation.systems.iter().find(|system| system.is_called(name))
}

/// English says last of what; Korean right behind the system: `skymall에서 [상품] 3개만 보여줘`.
fn together(intent: &str, more: &str, system: &System) -> String {
    if !intent.chars().any(is_hangul) {
        return format!("{intent} {more}");
    }
    let names = || system.aliases.iter().map(String::as_str).chain([system.name.as_str()]);
    let named = |word: &str| {
        let word = word.to_lowercase();
        names().any(|name| word.starts_with(&name.to_lowercase()))
    };
    let mut words: Vec<&str> = intent.split_whitespace().collect();
    match words.iter().copied().position(named) {
        Some(at) => words.insert(at + 1, more),
        None => words.splice(..0, [system.name.as_str(), more]).for_each(drop),
    }
    words.join(" ")
}

/// Names nothing else, and neither asks nor orders anything but to see it.
fn is_answer(said: &Said<'_, '_>) -> bool {
    let looks = [Concept::Read, Concept::Get, Concept::Pick, Concept::Tell, Concept::Sort];
    let other = |token: &Token<'_>| {
        let verb = token.verb().filter(|verb| !verb.is_weak_verb());
        let acts = verb.is_some_and(|verb| !looks.contains(&verb));
        token.is_entity() || token.kind == TokenKind::System || acts
    };
    let words = said.tokens.iter().filter(|token| token.is_word()).count();
    let asks = said.signs.has(Sign::Asks) || said.tokens.last().is_some_and(|t| t.is_mark("?"));
    words <= WORDS_MAX && !asks && !said.tokens.iter().any(other)
}

/// The whole says what is to be done in that system, and the answer does not say another thing.
fn is_settled(said: &Said<'_, '_>, system: &System, read: &Reading) -> bool {
    let slot = |name| read.slots.get(name);
    let here = slot(SlotName::DOMAIN) == Some(system.name.as_str());
    let operation = slot(SlotName::OPERATION);
    let own = said.named.operation();
    let same = own.is_none_or(|own| operation == Some(own.as_str()));
    let whole = read.later.is_empty() && read.left.is_empty() && read.lost.is_none();
    let calls = read.task_type == Some(TaskType::ApiWorkflow);
    calls && here && same && whole && operation.is_some()
}

/// What was not understood before is understood where the whole is.
fn settled(read: &Reading, known: Option<&str>, doubted: Option<&str>) -> Result<Slots, SlotError> {
    let mut slots = Slots::default();
    let names = [
        SlotName::OPERATION,
        SlotName::ARGUMENTS,
        SlotName::SELECT,
        SlotName::UNREAD,
        SlotName::SAVE,
        SlotName::BODY,
    ];
    for name in names {
        slots.set(name, read.slots.get(name).unwrap_or_default())?;
    }
    if let Some(words) = doubted {
        slots.set(SlotName::SELECT, "")?;
        slots.set(SlotName::UNREAD, words)?;
    }
    // Of nothing that was asked about, nothing is kept silently.
    if let Some(known) = known.filter(|_| slots.get(SlotName::SELECT).is_none()) {
        let more = slots.get(SlotName::UNREAD).unwrap_or(known).to_owned();
        slots.set(SlotName::UNREAD, more)?;
    }
    Ok(slots)
}

/// What is to be done is asked once more, and what was said now is not forgotten.
fn open(whole: &str, more: &str, known: Option<&str>) -> Result<Slots, SlotError> {
    let words = known.map_or_else(|| more.to_owned(), |known| format!("{known}, {more}"));
    let mut slots = Slots::default();
    slots.set(SlotName::INTENT, whole)?;
    slots.set(SlotName::UNREAD, words)?;
    Ok(slots)
}

/// An order of rows, how many, or a bound.
fn narrows(said: &Said<'_, '_>) -> bool {
    let bounds = |token: &Token<'_>| token.concepts.iter().any(|c| c.operator().is_some());
    let digits = |token: &Token<'_>| token.is_numeral();
    let some = [Concept::Pieces, Concept::Only, Concept::First, Concept::Most];
    let some = said.signs.says_any(&some);
    let only = |token: &Token<'_>| {
        said.lexicon.only.iter().any(|only| token.is_word() && token.text.ends_with(only.as_str()))
    };
    ranking::is_of_many(said.tokens)
        || said.tokens.iter().any(bounds)
        || said.tokens.iter().any(digits) && (some || said.tokens.iter().any(only))
}
