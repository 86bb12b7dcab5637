//! Rows of a list by a row of another, which is named by its number: `orders of user 1`, `1번이나 2번
//! 회원`.

use crate::{
    comparison::Condition,
    concept::Concept,
    either,
    lexicon::Lexicon,
    part::{Part, Parts},
    query::{Filter, Op},
    rows::Rows,
    token::{Token, TokenKind},
};
use std::ops::Range;

/// Longer numbers do not fit a JSON number.
const NUMBER_BYTES_MAX: usize = 16;

/// `orders of user 1`, `of user 1 or 2`: which begins here.
pub(crate) fn condition(
    lexicon: &Lexicon,
    rows: &Rows,
    tokens: &[Token<'_>],
    at: usize,
) -> Option<Condition> {
    Said { lexicon, rows, tokens }.condition(at)
}

/// `user 1`, `회원 1번`, `1번 회원`: one row of another list, by its number, which stands there, with
/// the tokens of both.
pub(crate) fn key<'r>(
    lexicon: &Lexicon,
    rows: &'r Rows,
    tokens: &[Token<'_>],
    at: usize,
) -> Option<(&'r str, usize, Range<usize>)> {
    key_before(lexicon, rows, tokens, at).or_else(|| {
        let (field, said) = key_behind(lexicon, rows, tokens, at)?;
        Some((field, at + 1, said))
    })
}

/// `those of user 1`, `1번 회원 것만`: of the rows that were shown, and no row of that list.
pub(crate) fn is_theirs(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>], at: usize) -> bool {
    let Some((_, _, said)) = key(lexicon, rows, tokens, at) else { return false };
    let things = tokens.get(said.end).is_some_and(|token| token.has(Concept::Thing));
    let points =
        |token: &Token<'_>| token.is(Part::Ones | Part::One) || token.has(Concept::Pronoun);
    let aside = |token: &&Token<'_>| token.has(Concept::Vague) && !points(token);
    let mut before = tokens.get(..said.start).unwrap_or_default().iter().rev();
    let points = before.find(|token| !aside(token)).is_some_and(points);
    things || points
}

/// Of who did something, and of whose it is.
fn particles() -> Parts {
    Part::Toward | Part::Dative | Part::Subject | Part::Of | Part::Topic
}

/// `1번 회원이`
fn key_before<'r>(
    lexicon: &Lexicon,
    rows: &'r Rows,
    tokens: &[Token<'_>],
    at: usize,
) -> Option<(&'r str, usize, Range<usize>)> {
    let word = tokens.get(at).filter(|token| is_said(token))?;
    let from = at.checked_sub(2)?;
    // `회원 7번 주문`, `회원번호 3번 상품 5번`
    let names = |at: usize| {
        let own = tokens.get(at).is_some_and(|t| t.is_word() && rows.is_label(t.text));
        own || key_behind(lexicon, rows, tokens, at).is_some()
    };
    if from.checked_sub(1).is_some_and(names) {
        return None;
    }
    let number = tokens.get(from).filter(|number| is_digits(number))?;
    let counter = tokens.get(at - 1).filter(|next| next.attached && next.is(Part::Numbered))?;
    let stem = lexicon.parts.stem(particles(), word.text).unwrap_or(word.text);
    let field = rows.key(lexicon, word.text).or_else(|| rows.key(lexicon, stem))?;
    let free = number.text.len() < NUMBER_BYTES_MAX && counter.is_word();
    free.then_some((field, from, from..at + 1))
}

fn key_behind<'r>(
    lexicon: &Lexicon,
    rows: &'r Rows,
    tokens: &[Token<'_>],
    at: usize,
) -> Option<(&'r str, Range<usize>)> {
    let word = tokens.get(at).filter(|token| is_said(token))?;
    let number = tokens.get(at + 1).filter(|next| is_digits(next))?;
    let field = rows.key(lexicon, word.text)?;
    let next = tokens.get(at + 2).filter(|next| next.attached && next.is_word());
    let counts = next.is_some_and(|next| next.begins(Part::Numbered));
    let free = number.text.len() < NUMBER_BYTES_MAX && (counts || next.is_none());
    free.then_some((field, at..at + 2 + usize::from(counts)))
}

pub(crate) fn is_digits(token: &Token<'_>) -> bool {
    token.is_word() && is_number(token)
}

/// The same, be it a part of a name.
pub(crate) fn is_number(token: &Token<'_>) -> bool {
    !token.text.is_empty() && token.text.chars().all(|c| c.is_ascii_digit())
}

fn is_said(token: &Token<'_>) -> bool {
    token.is_word() || token.kind == TokenKind::Operation
}

struct Said<'a, 't> {
    lexicon: &'a Lexicon,
    rows: &'a Rows,
    tokens: &'a [Token<'t>],
}

impl Said<'_, '_> {
    fn token(&self, at: usize) -> Option<&Token<'_>> {
        self.tokens.get(at)
    }
    fn is(&self, at: usize, part: Part) -> bool {
        self.token(at).is_some_and(|token| token.is(part))
    }

    /// `1번 회원이 한 것`, `did user 2 make`: what was done with the rows says no more.
    fn with_doing(&self, said: Range<usize>) -> Range<usize> {
        let last = said.end.checked_sub(1).and_then(|at| self.token(at));
        let subject = last.is_some_and(|t| t.ends(Part::Subject));
        let done = self.is(said.end, Part::Did)
            || self
                .token(said.end)
                .is_some_and(|next| next.attributive && next.has(Concept::Enter));
        let asked = said.start.checked_sub(1).filter(|at| self.is(*at, Part::Did));
        let verb = |at: usize| self.token(at).is_some_and(Token::is_word);
        match asked {
            Some(did) => did..said.end + usize::from(verb(said.end)),
            None => said.start..said.end + usize::from(subject && done),
        }
    }

    /// `orders of user 1`, `of user 1 or 2`, `1번이나 2번 회원`
    fn condition(&self, at: usize) -> Option<Condition> {
        let (field, number, said) = key(self.lexicon, self.rows, self.tokens, at)?;
        let mut said = self.with_doing(said);
        let value = |at: usize| {
            let token = self.token(at).filter(|token| is_digits(token))?;
            let number = token.text.parse::<u64>().ok()?;
            Some(Filter::compare(field, Op::Is, number.to_string()))
        };
        let mut filter = value(number)?;
        while let Some((other, range)) = self.other_key(&said) {
            filter = filter.or(value(other)?);
            said = range;
        }
        Some(Condition::new(filter, said))
    }

    /// One more number of such a row: of several rows each belongs to one.
    fn other_key(&self, said: &Range<usize>) -> Option<(usize, Range<usize>)> {
        let joins = |t: &Token<'_>| either::is_either(t) || t.has(Concept::And) || t.is_mark(",");
        let joined = |at: usize| self.token(at).is_some_and(joins);
        let digits = |at: usize| self.token(at).is_some_and(is_digits);
        let number = said.end + 1;
        if joined(said.end) && digits(number) {
            let counter = self.is(number + 1, Part::Numbered);
            let end = number + 1 + usize::from(counter);
            return (!self.is_of_another(end, counter)).then_some((number, said.start..end));
        }
        // `1번이나`, `1번 또는`
        let joint = said.start.checked_sub(1).filter(|at| joined(*at))?;
        let counted = self.token(joint).is_some_and(|t| t.attached && t.begins(Part::Numbered));
        let number = joint.checked_sub(if counted { 1 } else { 2 })?;
        let plain = counted || self.is(joint - 1, Part::Numbered);
        let own = number.checked_sub(1).is_none_or(|at| !self.is_numbered(at));
        (plain && own && digits(number)).then_some((number, number..said.end))
    }

    /// `상품` of `상품 5번, 회원 2번`: the number behind it is its own.
    fn is_numbered(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| {
            let key = self.rows.key(self.lexicon, token.text).is_some();
            key || token.kind == TokenKind::Operation
                || self.rows.registered(self.lexicon, token).is_some()
        })
    }

    /// `of user 2, 3 cheapest`, `회원 2번, 3번 상품`: the number before it is of something else.
    fn is_of_another(&self, at: usize, counted: bool) -> bool {
        let Some(next) = self.token(at).filter(|next| next.is_word()) else {
            return !counted && self.token(at).is_some_and(|t| t.kind == TokenKind::Operation);
        };
        let aside = [Concept::And, Concept::Dest, Concept::Save, Concept::Write, Concept::Either];
        let goes_on = next.has_any(&aside) || either::is_either(next);
        let key = self.rows.key(self.lexicon, next.text).is_some();
        if counted { key || next.attached && !goes_on && !self.ends_name(next) } else { !goes_on }
    }

    fn ends_name(&self, token: &Token<'_>) -> bool {
        token.sticks()
    }
}
