//! Conditions on a field: `price가 10,000원 미만`, `where price < 10000`, `stock is at least 3`.

use crate::{
    concept::Concept,
    lexicon::Lexicon,
    morph,
    part::{Part, Parts},
    query::{Filter, Op, text},
    rows::Rows,
    token::{Token, TokenKind},
};
use std::ops::Range;

/// A condition on one row.
#[derive(Clone)]
pub(crate) struct Condition {
    pub(crate) filter: Filter,
    /// The tokens that say it.
    pub(crate) said: Range<usize>,
    /// What denies it.
    pub(crate) denied: Option<usize>,
    /// Those of them that stand between a field and its bound, and say nothing of it.
    pub(crate) between: Range<usize>,
}

impl Condition {
    pub(crate) const fn new(filter: Filter, said: Range<usize>) -> Self {
        Self { filter, said, denied: None, between: 0..0 }
    }
}

/// `category가 전자제품인 것`, `with status shipped`: a field, its value as it is said, and the tokens.
pub(crate) struct Held<'a> {
    pub(crate) field: &'a str,
    pub(crate) value: &'a str,
    pub(crate) said: Range<usize>,
}

impl Held<'_> {
    pub(crate) fn condition(&self, rows: &Rows) -> Condition {
        let value = said_as(rows, self.field, self.value);
        Condition::new(Filter::compare(self.field, Op::Is, value), self.said.clone())
    }
}

/// `category가 전자제품인 것`, `등급이 gold인거`: the field right before the word, a particle between.
pub(crate) fn copula<'a>(
    lexicon: &Lexicon,
    rows: &'a Rows,
    tokens: &'a [Token<'_>],
    at: usize,
) -> Option<Held<'a>> {
    let token = tokens.get(at).filter(|token| token.is_word())?;
    let latin = token.text.starts_with(|c: char| c.is_ascii_alphabetic());
    // Behind such a word the copula is a piece of its own.
    let tail = tokens.get(at + 1).filter(|next| latin && next.attached && next.is_word());
    let (value, end) = match tail {
        Some(tail) => (token.text, at + 1 + ends_as_condition(lexicon, tail.text)?),
        None => {
            let korean = token.is_korean();
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
    Some(Held { field, value, said: from..end + 1 })
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
pub(crate) fn opened<'a>(
    lexicon: &Lexicon,
    rows: &'a Rows,
    tokens: &'a [Token<'_>],
    at: usize,
) -> Option<Held<'a>> {
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
    (plain && last).then_some(Held { field, value: value.text, said: at..told + 1 })
}

/// `status is 배송중`, `상태가 배송중`: said to the question which rows are meant, and last of all.
pub(crate) fn told<'a>(
    lexicon: &Lexicon,
    rows: &'a Rows,
    tokens: &'a [Token<'_>],
    at: usize,
) -> Option<Held<'a>> {
    let value =
        tokens.get(at).filter(|token| rows.told && token.is_word() && token.is_nameless())?;
    let closes = |t: &Token<'_>| t.kind == TokenKind::Mark && !t.is_mark("?");
    let between = |t: &Token<'_>| {
        let particle = t.is_particle();
        particle || t.is(Part::Is)
    };
    let mut before = tokens.iter().enumerate().take(at).rev().skip_while(|(_, t)| between(t));
    let (from, field) = before.next()?;
    let field = rows.registered(lexicon, field)?;
    let letters = value.text.starts_with(char::is_alphabetic);
    let last = tokens.get(at + 1..)?.iter().all(closes);
    (letters && last && rows.registered(lexicon, value).is_none()).then_some(Held {
        field,
        value: value.text,
        said: from..at + 1,
    })
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
