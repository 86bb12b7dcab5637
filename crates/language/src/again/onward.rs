//! What is said of rows that were just shown as a whole: `반대로`, `두 번째 거 자세히`, `나머지도`,
//! `show more`, `평균은?`. What cannot be told (`더 보여줘`, where all were shown) is asked about.

use crate::{
    concept::Concept,
    inverse, keyed,
    part::Part,
    query::{self, Query},
    ranking, rows,
    said::Said,
    shown,
    token::Token,
};
use std::ops::Range;

/// Rows that an answer is cut to.
pub(super) const TAKEN_MAX: u64 = 1_000;
/// Longer texts say more than that.
const WORDS_MAX: usize = 6;

/// What is to be shown, empty where all rows are; `Some(None)` where it cannot be told, and `None`
/// where something else is said.
pub(super) fn onward(
    known: Option<&str>,
    one: bool,
    said: &Said<'_, '_>,
) -> Option<Option<String>> {
    let words = said.tokens.iter().filter(|t| t.is_word() && !t.attached).count();
    if words > WORDS_MAX {
        return None;
    }
    let shown = shown(known);
    let told = |query: Option<Query>| Some(query.map(|query| query.jq().unwrap_or_default()));
    if is_all(said, &|t| t.has(Concept::Opposite)) {
        return told(shown.and_then(Query::opposite));
    }
    if let Some(nth) = place(said) {
        let detail = said.signs.says(Concept::Detail);
        return told(shown.and_then(|shown| shown.row(nth, detail)));
    }
    if is_all(said, &|t| t.has(Concept::Rest)) {
        let also = said.signs.says(Concept::Too) || said.tokens.iter().any(|t| t.ends(Part::Also));
        return told(shown.and_then(|shown| if also { shown.whole() } else { shown.rest() }));
    }
    if is_all(said, &|t| t.is(Part::More)) {
        return told(shown.and_then(Query::next));
    }
    if is_all(said, &|t| said.lexicon.everything.contains(&t.text.to_lowercase())) {
        return told(shown.and_then(Query::whole));
    }
    if let Some(rows) = more(said) {
        return told(shown.and_then(|shown| shown.following(rows)));
    }
    fields((known, one), said).or_else(|| figure(known, said))
}

/// What was kept of them; `None` where somebody wrote it otherwise.
fn shown(known: Option<&str>) -> Option<Query> {
    known.map_or_else(|| Some(Query::default()), Query::read)
}

/// `다음 3개`, `the next 5`: how many.
fn more(said: &Said<'_, '_>) -> Option<u64> {
    let digits = |t: &Token<'_>| keyed::is_digits(t).then(|| t.text.parse().ok()).flatten();
    let next = |t: &Token<'_>| t.is(Part::Next) || digits(t).is_some() || t.has(Concept::Pieces);
    let rows = said.tokens.iter().find_map(digits)?;
    let opens = said.tokens.iter().any(|t| t.is(Part::Next)) && is_all(said, &next);
    (opens && (1..=TAKEN_MAX).contains(&rows)).then_some(rows)
}

/// `이메일 알려줘`, `이름이랑 가격 보여줘`, `가격은?`: what is wanted of each of them, or of the one row that was
/// shown; `도` adds to what was shown.
fn fields((known, one): (Option<&str>, bool), said: &Said<'_, '_>) -> Option<Option<String>> {
    let looks = [Concept::Read, Concept::Get, Concept::Tell];
    let looks = said.signs.says_any(&looks);
    let asks = said.tokens.last().is_some_and(|last| last.is_mark("?"));
    let topic = said.tokens.iter().any(|t| t.ends(Part::Topic));
    let looks = looks || asks && topic || one && said.signs.says(Concept::Question);
    let field = |t: &Token<'_>| said.rows.registered(said.lexicon, t).is_some();
    if !looks || !said.selection().is_empty() || !is_all(said, &field) {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    let named = said.tokens.iter().filter_map(|t| said.rows.registered(said.lexicon, t));
    for name in named {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let also = said.tokens.iter().any(|t| t.ends(Part::Also) && (field(t) || t.attached));
    if one {
        // The row has them all, and `도` keeps those that were shown of it.
        let clear = !also || known.is_none();
        return Some(clear.then(|| query::object(&names)));
    }
    let fields = shown(known).and_then(|shown| shown.with_fields(&names, also));
    Some(fields.map(|query| query.written()))
}

/// One token is so, and the others say nothing beside it.
fn is_all(said: &Said<'_, '_>, own: &dyn Fn(&Token<'_>) -> bool) -> bool {
    let own = |t: &Token<'_>| t.is_word() && own(t);
    said.tokens.iter().any(own) && said.tokens.iter().all(|t| own(t) || is_light(said, t))
}

/// It says nothing of which rows are meant: neither a field nor what something costs.
fn is_light(said: &Said<'_, '_>, token: &Token<'_>) -> bool {
    let measures = [Concept::Currency, Concept::Pieces, Concept::Field];
    let measures = token.has_any(&measures) || said.rows.registered(said.lexicon, token).is_some();
    // `가격 안 알려줘도 돼`
    if inverse::is_inverse(token) || token.has(Concept::Inverse) {
        return false;
    }
    let particle = token.attached && token.is_ending();
    let own = token.has(Concept::Detail) || token.is(Part::One);
    particle || own || shown::says_nothing(token) && !measures
}

/// `두 번째 거`, `the third one`: 0 is the last of them.
fn place(said: &Said<'_, '_>) -> Option<u64> {
    let nth = |at: usize| ranking::nth(said.lexicon, said.tokens, at);
    let (place, nth): (Range<usize>, u64) = (0..said.tokens.len()).find_map(nth)?;
    let light = |(at, token): (usize, &Token<'_>)| place.contains(&at) || is_light(said, token);
    said.tokens.iter().enumerate().all(light).then_some(nth)
}

/// `평균은?`: of the only measure that they have; which one is asked where there are two, or where it is
/// an order or a figure of nothing (`그럼 제일 싼 건?` of rows without a price).
fn figure(known: Option<&str>, said: &Said<'_, '_>) -> Option<Option<String>> {
    let selection = said.selection();
    let clear = selection.unread.is_none() && !selection.is_empty();
    let ranks = |t: &Token<'_>| ranking::is_ranked(said.lexicon, t);
    // `[가격]순으로` of rows that have none.
    let sorted = |at: usize| said.tokens.get(at + 1).is_some_and(|t| t.has(Concept::Sort));
    let own = |(at, t): (usize, &Token<'_>)| ranks(t) || is_light(said, t) || sorted(at);
    if clear || !said.tokens.iter().any(ranks) || !said.tokens.iter().enumerate().all(own) {
        return None;
    }
    // `총 얼마야?`
    let money = |t: &Token<'_>| t.has(Concept::Sum) && t.has(Concept::Currency);
    let field = match said.tokens.iter().any(money) {
        true => said.rows.measure(said.lexicon, rows::PRICE),
        false => said.rows.only_measure(said.lexicon),
    };
    let figure = field.and_then(|field| ranking::figure(said.tokens, field));
    let figure = figure.and_then(|figure| shown(known)?.merged(&figure, false));
    Some(figure.map(|query| query.written()))
}
