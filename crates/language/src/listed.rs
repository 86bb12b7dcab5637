//! The list of a system that is meant where none of its operations is named: the one whose rows hold
//! what is said of them (`skymall 전자제품 보여줘`, `average price of books in skymall`).

use crate::{
    comparison::Condition,
    concept::Concept,
    lexicon::Lexicon,
    ranking,
    rows::{self, Rows},
    select,
    token::{Token, TokenKind},
    tokenizer,
};
use std::collections::BTreeSet;
use wiiiv_domain::{HttpMethod, Operation, System};

/// One thing alone may be said of anything: `책 읽어줘`.
const TOLD_MIN: usize = 2;

/// The only one, by its place among the operations, where each word of its own is read: what is not
/// may as well say what is to be listed (`식품 인기 있는 거`).
pub(crate) fn only(lexicon: &Lexicon, system: &System, tokens: &[Token<'_>]) -> Option<usize> {
    let meant = meant(lexicon, system, tokens);
    let [nth] = meant.as_slice() else { return None };
    let rows = Rows::with(lexicon, system.operations.get(*nth)?.fields.iter());
    let said = select::select(lexicon, &rows, tokens).said;
    let korean = |token: &Token<'_>| token.is_korean();
    let unread = |at: usize| is_unread(tokens, &said, at);
    let own = |at: usize| tokens.get(at).is_some_and(korean) && unread(at);
    (!(0..tokens.len()).any(own)).then_some(*nth)
}

/// A word of its own that says nothing of the rows.
fn is_unread(tokens: &[Token<'_>], said: &BTreeSet<usize>, at: usize) -> bool {
    let Some(token) = tokens.get(at).filter(|t| t.is_word() && t.is_nameless()) else {
        return false;
    };
    let ends = token.is_ending();
    let particle = token.is_particle();
    token.text.starts_with(char::is_alphabetic) && !said.contains(&at) && !ends && !particle
}

/// The same where no system is named: of the only one with lists whose rows hold all that is said, and
/// which of them, where one holds the most (`책 이름만`, `비싼순 3개`).
pub(crate) fn anywhere(
    lexicon: &Lexicon,
    systems: &[System],
    tokens: &[Token<'_>],
) -> Option<(usize, Option<usize>)> {
    if !is_open(tokens) {
        return None;
    }
    let all = systems.iter().enumerate().flat_map(|(at, system)| {
        let operations = system.operations.iter().enumerate();
        operations.map(move |(nth, operation)| ((at, nth), operation))
    });
    let all = all.filter(|(_, operation)| is_list(operation));
    let hits = all.filter_map(|(at, operation)| Some((at, holds(lexicon, operation, tokens)?)));
    let hits: Vec<((usize, usize), usize)> = hits.collect();
    let most = hits.iter().map(|(_, count)| *count).max()?;
    let mut best = hits.iter().filter(|(_, count)| *count == most).map(|(at, _)| *at);
    let (system, nth) = best.next()?;
    let others: Vec<(usize, usize)> = best.collect();
    let here = others.iter().all(|(other, _)| *other == system);
    here.then(|| (system, Some(nth).filter(|_| others.is_empty())))
}

/// How many tokens say something of its rows, where at least two things are said and nothing else is.
fn holds(lexicon: &Lexicon, operation: &Operation, tokens: &[Token<'_>]) -> Option<usize> {
    let rows = Rows::with(lexicon, operation.fields.iter());
    let selection = select::select(lexicon, &rows, tokens);
    let said = &selection.said;
    let number = |at: usize| {
        let digits = |t: &Token<'_>| t.is_numeral();
        !said.contains(&at) && tokens.get(at).is_some_and(digits)
    };
    let lost = |at: usize| number(at) || is_unread(tokens, said, at);
    let kept = usize::from(!selection.query.fields.is_empty());
    let told = selection.conditions.len() + selection.query.stage_count() + kept;
    let clear = selection.unread.is_none() && selection.written.is_none() && !rows.is_unknown();
    // `책 목록 보여줘`
    let listing = tokens.iter().any(|token| token.has(Concept::Listing));
    // `price가 100 미만인 것만`: of the rows that were spoken of.
    let only = |t: &Token<'_>| lexicon.ends_in_only(t.text);
    let measures = !tokens.iter().any(only)
        && selection.conditions.iter().any(|c| is_measured(lexicon, &rows, tokens, c));
    let enough = told >= TOLD_MIN || told > 0 && (listing || measures);
    let whole = clear && enough && !(0..tokens.len()).any(lost);
    whole.then_some(said.len())
}

/// `lead time under 4 days`, `납기 3일 이하`: by the name of its field.
fn is_measured(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>], held: &Condition) -> bool {
    let own = |at: usize| {
        let (one, next) = (tokens.get(at), tokens.get(at + 1));
        let two = one.zip(next).and_then(|(one, next)| rows.of_two(one, next));
        one.and_then(|t| rows.registered(lexicon, t)).or(two) == held.filter.field()
    };
    held.filter.measures() && held.said.clone().any(own)
}

fn is_list(operation: &Operation) -> bool {
    operation.method == HttpMethod::Get && !operation.path.contains('{')
}

/// Those that it may be, where it is clear of several; `show me everything under 20000`.
#[must_use]
pub fn lists<'s>(lexicon: &Lexicon, system: &'s System, text: &str) -> Vec<&'s Operation> {
    let tokens = tokenizer::tokens(lexicon, text);
    let meant = meant(lexicon, system, &tokens).into_iter();
    meant.filter_map(|nth| system.operations.get(nth)).collect()
}

/// Whose rows hold the most of what is said; none where no field of any is spoken of.
fn meant(lexicon: &Lexicon, system: &System, tokens: &[Token<'_>]) -> Vec<usize> {
    if !is_open(tokens) {
        return Vec::new();
    }
    let lists = system.operations.iter().enumerate().filter(|(_, o)| is_list(o));
    let held: Vec<(usize, usize)> =
        lists.filter_map(|(nth, o)| Some((nth, held(lexicon, o, tokens)?))).collect();
    let most = held.iter().map(|(_, count)| *count).max();
    let best = held.into_iter().filter(|(_, count)| Some(*count) == most).map(|(nth, _)| nth);
    let best: Vec<usize> = best.collect();
    // `skymall에서 제일 비싼 거`: what has a price, and no sum that it comes to.
    let priced = |nth: &usize| {
        let fields = system.operations.get(*nth).map_or(&[][..], |o| o.fields.as_slice());
        fields.iter().any(|field| field.name.ends_with(rows::PRICE))
    };
    let dear = tokens.iter().any(ranking::is_dear);
    let priced: Vec<usize> = best.iter().copied().filter(priced).filter(|_| dear).collect();
    if priced.is_empty() { best } else { priced }
}

/// How many tokens say which of its rows are meant, or in which order, by a field of theirs.
fn held(lexicon: &Lexicon, operation: &Operation, tokens: &[Token<'_>]) -> Option<usize> {
    let rows = Rows::with(lexicon, operation.fields.iter());
    let selection = select::select(lexicon, &rows, tokens);
    let clear = selection.unread.is_none() && selection.written.is_none() && !rows.is_unknown();
    let holds = clear && (selection.query.ranks_by_field() || !selection.conditions.is_empty());
    holds.then_some(selection.said.len())
}

/// Something is to be seen or kept, and nothing to be changed or sent.
fn is_open(tokens: &[Token<'_>]) -> bool {
    let keeps = [Concept::Save, Concept::Write];
    let changes = |token: &Token<'_>| {
        token.verb().is_some_and(|verb| verb.changes() && !keeps.contains(&verb))
    };
    let given = |token: &Token<'_>| token.is_entity() && token.kind != TokenKind::Path;
    !tokens.iter().any(|token| changes(token) || given(token))
}
