//! What a registered system lists, where it is to be written to a file, is data and no text:
//! `write the total of all orders to a.txt`, `save the cancelled ones to c.json`.

use crate::{
    again,
    concept::Concept,
    found::Found,
    part::Part,
    reading::{Job, Situation},
    rows::Rows,
    said::{Said, intent},
    select, slots,
    token::{Token, TokenKind},
};
use std::ops::Range;
use wiiiv_domain::{SlotName, Slots, TaskType};

/// As sure as what is narrowed of an earlier answer.
const CONFIDENCE: f32 = 0.85;
/// The value of `sourceRun` that means the session's last run.
const LAST_RUN: &str = "last";
/// Ends what is named, and says more of it.
const ENDS: [Concept; 8] = [
    Concept::Where,
    Concept::Holding,
    Concept::Relative,
    Concept::Within,
    Concept::Dest,
    Concept::Sort,
    Concept::Save,
    Concept::Write,
];

/// The same as data, where it is no text.
pub(crate) fn kept(situation: &Situation, said: &Said<'_, '_>) -> Option<Found> {
    let own = |t: &Token<'_>| {
        let given = matches!(t.kind, TokenKind::Quoted | TokenKind::Code | TokenKind::Json);
        given || t.dictated
    };
    let read = slots::slots(TaskType::FileWrite, said);
    let path = read.get(SlotName::TARGET_PATH)?;
    if said.tokens.iter().any(own) || read.get(SlotName::SOURCE_RUN).is_some() {
        return None;
    }
    let content = read.get(SlotName::CONTENT);
    if let Some(found) = of_last(situation, said, Some(path)) {
        return Some(found);
    }
    let content = tokens_of(said, content?)?;
    if !(is_listed(said, content.clone()) || is_condition(said, content)) {
        return None;
    }
    let called = said.named.operation().is_some();
    let task = if called { TaskType::ApiWorkflow } else { TaskType::FileWrite };
    let mut slots = if called { slots::slots(task, said) } else { read.clone() };
    if !called {
        slots.set(SlotName::CONTENT, "").ok()?;
    }
    Some(found(task, slots, said))
}

fn found(task_type: TaskType, slots: Slots, said: &Said<'_, '_>) -> Found {
    let job = Job { task_type, slots, text: said.part().to_owned() };
    Found { job, confidence: CONFIDENCE }
}

/// `제일 비싼 거 5개만 저장해줘`, `save the food ones`: of the rows that were shown, and the file is asked for.
/// What `3개만` or `나머지도` says of them is asked once more, to be saved.
pub(crate) fn saved(situation: &Situation, said: &Said<'_, '_>) -> Option<Found> {
    let given = |t: &Token<'_>| t.is_entity() || t.dictated;
    let saves = |t: &Token<'_>| t.verb() == Some(Concept::Save);
    if !said.tokens.iter().any(saves) || said.tokens.iter().any(given) {
        return None;
    }
    if let Some(found) = of_last(situation, said, None) {
        return Some(found);
    }
    let rest: Vec<Token<'_>> = said.tokens.iter().filter(|t| !saves(t)).cloned().collect();
    let mut found = again::narrowed(situation, &said.with_tokens(&rest))?;
    found.job.slots.set(SlotName::SAVE, "true").ok()?;
    Some(found)
}

/// `save the cancelled ones to c.json`, `취소된 것만 저장해줘`: of the rows that were shown.
fn of_last(situation: &Situation, said: &Said<'_, '_>, path: Option<&str>) -> Option<Found> {
    let rows = Rows::ran(said.lexicon, situation);
    let idle = situation.earlier_run && situation.active.is_none() && !said.named.names_system;
    if !idle || rows.is_unknown() {
        return None;
    }
    let ones = |t: &Token<'_>| t.is(Part::Ones);
    let things = |t: &Token<'_>| t.has(Concept::Thing) || ones(t);
    let label = |t: &Token<'_>| t.kind == TokenKind::Operation;
    let only = |t: &Token<'_>| {
        let ends = said.lexicon.ends_in_only(t.text);
        t.has(Concept::Thing) && t.is_korean() && ends
    };
    let ones = said.tokens.iter().any(|t| t.is_word() && (ones(t) || only(t)));
    let selection = select::select(said.lexicon, &rows, said.tokens);
    let chosen = !selection.conditions.is_empty() || selection.query.ranks();
    let chosen = chosen && selection.unread.is_none();
    let light = [Concept::Vague, Concept::Save, Concept::Write, Concept::Dest, Concept::Within];
    let light = |t: &Token<'_>| {
        let aside = !t.is_word() || t.attached || t.has(Concept::Only) || t.has(Concept::Every);
        aside || things(t) || t.has_any(&light)
    };
    let told = |at: usize| selection.said.contains(&at) || said.tokens.get(at).is_some_and(light);
    let whole = chosen && (0..said.tokens.len()).all(told);
    if said.tokens.iter().any(label) || !(ones || whole) {
        return None;
    }
    let mut slots = Slots::default();
    slots.set(SlotName::TARGET_PATH, path.unwrap_or_default()).ok()?;
    slots.set(SlotName::SOURCE_RUN, LAST_RUN).ok()?;
    let expr = selection.expr().filter(|_| whole);
    match expr {
        Some(expr) => slots.set(SlotName::SELECT, expr).ok()?,
        None => slots.set(SlotName::UNREAD, intent(said.part())).ok()?,
    }
    Some(found(TaskType::FileWrite, slots, said))
}

/// Where the text stands.
fn tokens_of(said: &Said<'_, '_>, content: &str) -> Option<Range<usize>> {
    let start = said.tokens.first()?.start;
    let start = start + said.text.get(start..)?.find(content)?;
    let within = |t: &Token<'_>| t.start >= start && t.end <= start + content.len();
    let first = said.tokens.iter().position(within)?;
    let last = said.tokens.iter().rposition(within)?;
    Some(first..last + 1)
}

/// `the orders of user 1`, `all VIP names`: a noun of what is registered, and no word of a sentence.
fn is_listed(said: &Said<'_, '_>, content: Range<usize>) -> bool {
    let head = noun(said, content.clone());
    let next = said.tokens.get(head.end).filter(|_| head.end < content.end);
    let of = next.is_some_and(|t| t.is(Part::Of | Part::From));
    let whole = noun(said, (head.end + usize::from(of))..content.end);
    names(said, head) || of && names(said, whole)
}

/// Up to what says more of it.
fn noun(said: &Said<'_, '_>, within: Range<usize>) -> Range<usize> {
    let ends = |at: usize| {
        said.tokens.get(at).is_none_or(|t| {
            let more = t.has_any(&ENDS);
            let of = t.is(Part::Of | Part::From);
            more || of || t.kind == TokenKind::Mark || t.is_path()
        })
    };
    let end = within.clone().find(|at| ends(*at)).unwrap_or(within.end);
    within.start..end
}

/// It is what a list or its fields are called by, and every word of it says which: not `재고 확인하기`,
/// `order pizza`.
fn names(said: &Said<'_, '_>, noun: Range<usize>) -> bool {
    let light = |t: &Token<'_>| {
        let light = [Concept::Vague, Concept::Every, Concept::Only, Concept::Listing];
        t.has_any(&light)
    };
    let listed = |at: usize| {
        let label = said.tokens.get(at).is_some_and(|t| t.kind == TokenKind::Operation);
        label || said.named.labelled.contains(&at)
    };
    let selection = said.selection();
    let known = |at: usize| {
        said.tokens.get(at).is_some_and(|t| {
            let field = || said.rows.registered(said.lexicon, t).is_some();
            let particle = t.is_particle();
            light(t) || t.kind == TokenKind::System || particle || field()
        })
    };
    let told = |at: usize| listed(at) || selection.said.contains(&at) || known(at);
    noun.clone().any(listed) && noun.clone().all(told)
}

/// `products whose name contains Set, save ..`: what a field holds.
fn is_condition(said: &Said<'_, '_>, content: Range<usize>) -> bool {
    let field = |at: usize| {
        said.tokens.get(at).is_some_and(|t| said.rows.registered(said.lexicon, t).is_some())
    };
    let opens = |at: usize| said.tokens.get(at).is_some_and(|t| t.has(Concept::Saying));
    let before = content.start.checked_sub(2).is_some_and(|at| field(at) && opens(at + 1));
    let mut ahead = 0..content.start;
    before && ahead.any(|at| said.tokens.get(at).is_some_and(|t| t.kind == TokenKind::Operation))
}
