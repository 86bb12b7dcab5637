//! Conditions on a field: `price가 10,000원 미만`, `where price < 10000`, `stock is at least 3`.

use crate::{
    between,
    character::is_hangul,
    compared::{self, Comparison},
    concept::Concept,
    contains, equality,
    lexicon::Lexicon,
    morph,
    part::{Part, Parts},
    rows::Rows,
    token::{Token, TokenKind},
    valued,
};
use std::{collections::BTreeSet, ops::Range};

/// Conditions of one selection.
const CONDITIONS_MAX: usize = 8;

/// A condition on one row.
pub(crate) struct Condition {
    pub(crate) field: String,
    /// In jq.
    pub(crate) text: String,
    /// The tokens that say it.
    pub(crate) said: Range<usize>,
    /// What denies it.
    pub(crate) denied: Option<usize>,
    /// Those of them that stand between a field and its bound, and say nothing of it.
    pub(crate) between: Range<usize>,
}

impl Condition {
    pub(crate) fn new(field: &str, text: String, said: Range<usize>) -> Self {
        Self { field: field.to_owned(), text, said, denied: None, between: 0..0 }
    }
}

pub(crate) fn conditions(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Vec<Condition> {
    // `3만원 이하 말고 2만원 이하`
    let kept = |found: &Comparison<'_>| {
        !tokens.get(found.said.end).is_some_and(|token| token.has(Concept::NotThis))
    };
    let read =
        compared::found(lexicon, rows, tokens).into_iter().filter(kept).filter_map(|found| {
            let (at, field) = found.field?;
            let text = format!(".{field} {} {}", found.operator, found.value);
            let said = at.min(found.said.start)..found.said.end.max(at + 1);
            let between = if at < found.said.start { at + 1..found.said.start } else { 0..0 };
            Some(Condition { denied: found.denied, between, ..Condition::new(field, text, said) })
        });
    let is = (0..tokens.len()).filter_map(|at| {
        let (said, field, value) = copula(lexicon, rows, tokens, at)?;
        let text = format!(".{field} == {}", said_as(rows, field, value));
        Some(Condition::new(field, text, said))
    });
    let held = (0..tokens.len()).filter_map(|at| {
        let (field, value, said) = opened(lexicon, rows, tokens, at)?;
        let text = format!(".{field} == {}", said_as(rows, field, value));
        Some(Condition::new(field, text, said))
    });
    let told = (0..tokens.len()).filter_map(|at| {
        let (from, field, value) = told(lexicon, rows, tokens, at)?;
        let text = format!(".{field} == {}", said_as(rows, field, value));
        Some(Condition::new(field, text, from..at + 1))
    });
    let equal = equality::conditions(lexicon, rows, tokens);
    let parts = contains::conditions(lexicon, rows, tokens);
    let parts = parts.into_iter().chain(between::conditions(lexicon, rows, tokens));
    let spoken = read.chain(is).chain(told).chain(equal).chain(held).chain(parts);
    let valued = valued::conditions(lexicon, rows, tokens);
    // `status is cancelled`: by what it is called there.
    let known = |condition: &Condition| {
        valued.iter().any(|own| own.field == condition.field && meet(&own.said, &condition.said))
    };
    let spoken: Vec<Condition> = spoken.filter(|condition| !known(condition)).collect();
    spoken.into_iter().chain(valued).take(CONDITIONS_MAX).collect()
}

fn meet(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// The tokens that name what is compared.
pub(crate) fn fields(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> BTreeSet<usize> {
    let measured = compared::found(lexicon, rows, tokens).into_iter();
    let compared = measured.filter_map(|found| found.field).map(|(at, _)| at);
    let equal = equality::conditions(lexicon, rows, tokens).into_iter();
    let state =
        |at: &usize| tokens.get(*at).is_some_and(|token| rows.registered(lexicon, token).is_some());
    let opens = (0..tokens.len()).filter_map(|at| opened(lexicon, rows, tokens, at));
    let parts = contains::conditions(lexicon, rows, tokens).into_iter().map(|part| part.said);
    let is = (0..tokens.len()).filter_map(|at| copula(lexicon, rows, tokens, at));
    let held = opens.map(|(_, _, said)| said).chain(is.map(|(said, ..)| said));
    let valued = valued::conditions(lexicon, rows, tokens).into_iter().map(|valued| valued.said);
    let held = held.chain(parts).chain(valued).flatten();
    let compared = compared.chain(held.filter(state).collect::<Vec<_>>());
    compared.chain(equal.flat_map(|equal| equal.said).filter(state)).collect()
}

/// Where something is compared and it is not clear with what, or of which field.
pub(crate) fn unread(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Option<usize> {
    let found = compared::found(lexicon, rows, tokens);
    let nameless = found.iter().find(|found| found.field.is_none());
    // `category_id = food`
    let valueless = || {
        let marks = tokens.iter().enumerate().filter(|(_, token)| token.kind == TokenKind::Mark);
        let mut compares = marks.filter(|(_, token)| compared::operator(token).is_some());
        compares.find_map(|(at, _)| {
            let read = found.iter().any(|found| found.said.contains(&at));
            (!read).then_some(at + 1)
        })
    };
    nameless.map(|found| found.said.start).or_else(valueless)
}

/// `category가 전자제품인 것`, `등급이 gold인거`: the field right before the word, a particle between.
fn copula<'a>(
    lexicon: &Lexicon,
    rows: &'a Rows,
    tokens: &'a [Token<'_>],
    at: usize,
) -> Option<(Range<usize>, &'a str, &'a str)> {
    let token = tokens.get(at).filter(|token| token.is_word())?;
    let latin = token.text.starts_with(|c: char| c.is_ascii_alphabetic());
    // Behind such a word the copula is a piece of its own.
    let tail = tokens.get(at + 1).filter(|next| latin && next.attached && next.is_word());
    let (value, end) = match tail {
        Some(tail) => (token.text, at + 1 + ends_as_condition(lexicon, tail.text)?),
        None => {
            let korean = token.text.starts_with(is_hangul);
            let mut cuts = token.text.char_indices().map(|(at, _)| at).skip(1).filter(|_| korean);
            cuts.find_map(|cut| {
                let (value, tail) = token.text.split_at_checked(cut)?;
                Some((value, at + ends_as_condition(lexicon, tail)?))
            })?
        }
    };
    let mut before = tokens.iter().enumerate().take(at).rev().take(2);
    let near = before.next()?;
    let particle = near.1.attached && morph::is_after_name(lexicon, near.1.text);
    let (from, field) = if particle { before.next()? } else { near };
    let is_thing = |next: &Token<'_>| {
        let thing = next.has(Concept::Thing) || next.is_word() && is_thing(lexicon, next.text);
        thing || next.kind == TokenKind::Operation
    };
    // With the thing in one word there is none behind it.
    let stuck = end == at + usize::from(tail.is_some());
    let thing = stuck || tokens.get(end).is_some_and(is_thing);
    let field = rows.field(lexicon, field).filter(|_| thing)?;
    Some((from..end + 1, field, value))
}

/// `인` and a thing behind it: 1; `인거`, `인 것만` in one word: 0.
fn ends_as_condition(lexicon: &Lexicon, tail: &str) -> Option<usize> {
    let rest = lexicon.parts.behind(Part::Copula, tail)?;
    if rest.is_empty() {
        return Some(1);
    }
    is_thing(lexicon, rest).then_some(0)
}

/// `거`, `것만`
pub(crate) fn is_thing(lexicon: &Lexicon, text: &str) -> bool {
    let thing = |text: &str| lexicon.form(text).is_some_and(|form| form.contains(&Concept::Thing));
    let mut stems = lexicon.particles.iter().filter_map(|p| text.strip_suffix(p.as_str()));
    thing(text) || stems.any(thing)
}

/// `with status shipped`, `whose category is food`: one word that ends the clause.
fn opened<'a>(
    lexicon: &Lexicon,
    rows: &'a Rows,
    tokens: &'a [Token<'_>],
    at: usize,
) -> Option<(&'a str, &'a str, Range<usize>)> {
    tokens.get(at).filter(|token| token.has(Concept::Where) && token.text.is_ascii())?;
    let is = |at: usize, parts: Parts| tokens.get(at).is_some_and(|token| token.is(parts));
    let named = at + 1 + usize::from(is(at + 1, Part::The | Part::Article | Part::Owner));
    let field = rows.registered(lexicon, tokens.get(named)?)?;
    let told = named + 1 + usize::from(is(named + 1, Part::Is | Part::Of | Part::Set));
    let value = tokens.get(told)?;
    let letters = value.text.starts_with(char::is_alphabetic) && value.is_nameless();
    let quoted = value.kind == TokenKind::Quoted;
    let ends = |t: &Token<'_>| t.kind == TokenKind::Mark || t.has(Concept::And);
    let last = tokens.get(told + 1).is_none_or(ends);
    let plain = quoted || value.is_word() && letters && rows.registered(lexicon, value).is_none();
    (plain && last).then_some((field, value.text, at..told + 1))
}

/// `status is 배송중`, `상태가 배송중`: said to the question which rows are meant, and last of all.
fn told<'a>(
    lexicon: &Lexicon,
    rows: &'a Rows,
    tokens: &'a [Token<'_>],
    at: usize,
) -> Option<(usize, &'a str, &'a str)> {
    let value =
        tokens.get(at).filter(|token| rows.told && token.is_word() && token.is_nameless())?;
    let closes = |t: &Token<'_>| t.kind == TokenKind::Mark && !t.is_mark("?");
    let between = |t: &Token<'_>| {
        let particle = t.attached && morph::is_after_name(lexicon, t.text);
        particle || t.is(Part::Is)
    };
    let mut before = tokens.iter().enumerate().take(at).rev().skip_while(|(_, t)| between(t));
    let (from, field) = before.next()?;
    let field = rows.registered(lexicon, field)?;
    let letters = value.text.starts_with(char::is_alphabetic);
    let last = tokens.get(at + 1..)?.iter().all(closes);
    (letters && last && rows.registered(lexicon, value).is_none())
        .then_some((from, field, value.text))
}

/// The value that is called so, or as it is said.
fn said_as(rows: &Rows, field: &str, value: &str) -> String {
    rows.value(field, value).map_or_else(|| literal(value), str::to_owned)
}

/// `true`, `false`, or text.
fn literal(value: &str) -> String {
    let word = value.to_lowercase();
    if matches!(word.as_str(), "true" | "false") { word } else { text(value) }
}

/// A string literal of jq and of JSON.
pub(crate) fn text(value: &str) -> String {
    let mut literal = String::from("\"");
    for c in value.chars() {
        match c {
            '"' | '\\' => literal.extend(['\\', c]),
            c if c.is_control() => literal.push(' '),
            c => literal.push(c),
        }
    }
    literal.push('"');
    literal
}
