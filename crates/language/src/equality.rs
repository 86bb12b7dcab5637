//! Conditions without a word that compares: `where available is false`, `재고 0인 상품`,
//! `only the available ones`, `orders of user 1`.

use crate::{
    comparison::{self, Condition},
    concept::Concept,
    either, inverse,
    lexicon::Lexicon,
    morph, number,
    part::{Part, Parts},
    rows::Rows,
    token::{Token, TokenKind},
};
use std::ops::Range;

const LITERALS: [&str; 2] = ["true", "false"];
const QUANTITY: &str = "quantity";

pub(crate) fn conditions(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Vec<Condition> {
    let said = Said { lexicon, rows, tokens };
    let at = |at: usize| {
        said.is_literal(at)
            .or_else(|| said.is_number(at))
            .or_else(|| said.is_flag(at))
            .or_else(|| said.is_stuck_flag(at))
            .or_else(|| said.is_key(at))
    };
    (0..tokens.len()).filter_map(at).collect()
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
    let free = number.text.len() < COUNTED_BYTES_MAX && counter.is_word();
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
    let free = number.text.len() < COUNTED_BYTES_MAX && (counts || next.is_none());
    free.then_some((field, at..at + 2 + usize::from(counts)))
}

/// Longer numbers do not fit a JSON number.
const COUNTED_BYTES_MAX: usize = 16;

fn is_digits(token: &Token<'_>) -> bool {
    token.is_word() && !token.text.is_empty() && token.text.chars().all(|c| c.is_ascii_digit())
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
    fn is(&self, at: usize, parts: impl Into<Parts>) -> bool {
        self.token(at).is_some_and(|token| token.is(parts))
    }
    /// Between a field and its value.
    fn is_copula(&self, at: usize) -> bool {
        self.token(at).is_some_and(|t| t.is(Part::Is | Part::Be) || t.is_equals())
    }
    fn field(&self, at: usize) -> Option<&str> {
        self.rows.registered(self.lexicon, self.token(at)?)
    }
    /// A condition, denied by what stands at `denied`.
    fn condition(
        &self,
        field: &str,
        (same, denied): (bool, Option<usize>),
        value: &str,
        said: Range<usize>,
    ) -> Condition {
        let operator = if same { "==" } else { "!=" };
        let text = format!(".{field} {operator} {value}");
        Condition { denied, ..Condition::new(field, text, said) }
    }

    /// `available is false`, `quantity is not 0`
    fn is_literal(&self, at: usize) -> Option<Condition> {
        let value = self.token(at).filter(|token| token.is_word())?.text.to_lowercase();
        let digits = self.token(at).is_some_and(is_digits) && value.len() < COUNTED_BYTES_MAX;
        if !digits && !LITERALS.contains(&value.as_str()) {
            return None;
        }
        let (is, same) = self.copula(at)?;
        let field = self.field(is.checked_sub(1)?)?;
        let compares = digits && self.token(is).is_some_and(Token::is_equals);
        let ends = !self.token(at + 1).is_some_and(|next| next.attached && next.is_word());
        let denied = (!same).then_some(at - 1);
        (ends && !compares).then(|| self.condition(field, (same, denied), &value, is - 1..at + 1))
    }

    /// Where the copula before this begins, and whether it says that it is so.
    fn copula(&self, at: usize) -> Option<(usize, bool)> {
        let before = at.checked_sub(1)?;
        if self.is_copula(before) {
            return Some((before, true));
        }
        if self.is(before, Part::IsNot) {
            return Some((before, false));
        }
        let is = before.checked_sub(1)?;
        (self.is(before, Part::Not) && self.is_copula(is)).then_some((is, false))
    }

    /// `재고 0인 상품`, `수량이 0개인 것`, `가격이 3만원이 아닌 상품`
    fn is_number(&self, at: usize) -> Option<Condition> {
        self.token(at).filter(|token| token.text.starts_with(|c: char| c.is_ascii_digit()))?;
        let number = number::at(self.lexicon, self.tokens, at)?;
        let last = self.token(number.said.end.checked_sub(1)?)?;
        let unit = last.text.trim_start_matches(|c: char| c.is_ascii_digit() || c == ',');
        let denied = inverse::behind(self.lexicon, self.tokens, number.said.end);
        let end = match denied {
            Some(denied) => denied + 1,
            None => number.said.end,
        };
        let is = self.lexicon.parts.stem(Part::Copula, unit).is_some() || denied.is_some();
        let before = self.before(at)?;
        let label = self.token(before).is_some_and(|token| token.kind == TokenKind::Operation);
        let measured = || self.rows.measure(self.lexicon, QUANTITY).filter(|_| label);
        let field = self.field(before).or_else(measured).filter(|_| is && self.names(end))?;
        let value = number.value.parse::<u64>().ok()?.to_string();
        Some(self.condition(field, (denied.is_none(), denied), &value, before..end))
    }

    /// The word before this and before its particle.
    fn before(&self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1)?;
        let particle = |t: &Token<'_>| t.attached && morph::is_after_name(self.lexicon, t.text);
        let apart = self.token(before).is_some_and(|t| t.is_word() && particle(t));
        if apart { before.checked_sub(1) } else { Some(before) }
    }

    /// A thing, whose number or state was said before it.
    fn names(&self, at: usize) -> bool {
        let thing = |t: &Token<'_>| {
            t.kind == TokenKind::Operation || t.has(Concept::Thing) || t.has(Concept::Only)
        };
        self.token(at).is_some_and(thing) || self.is(at, Part::Ones | Part::One)
    }

    /// `판매중인거`, `판매 중이고`: a state, with what makes a condition of it.
    fn is_stuck_flag(&self, at: usize) -> Option<Condition> {
        let token = self.token(at).filter(|token| token.is_word())?;
        let word = |at: usize| self.token(at).filter(|token| token.is_word());
        let before = at.checked_sub(1).and_then(word);
        let before = before.map(|before| format!("{} {}", before.text, token.text));
        let behind = word(at + 1).filter(|next| next.attached);
        let behind = behind.map(|next| format!("{}{}", token.text, next.text));
        let flag = |text: &str, last: usize| {
            self.rows.states().find_map(|(label, field)| {
                let tail = text.strip_prefix(label)?;
                self.makes_condition(last, tail).then_some(field)
            })
        };
        let two = || Some((flag(before.as_deref()?, at)?, at - 1, at));
        let next = || Some((flag(behind.as_deref()?, at + 1)?, at, at + 1));
        let (field, from, last) =
            two().or_else(|| Some((flag(token.text, at)?, at, at))).or_else(next)?;
        let own = self.before(from).and_then(|before| self.field(before)).is_none();
        own.then(|| self.condition(field, (true, None), "true", from..last + 1))
    }

    /// `인거`, `인 것`, `이고`
    fn makes_condition(&self, at: usize, tail: &str) -> bool {
        let joins = || self.lexicon.parts.is(Part::IsAnd, tail);
        let is = |rest: &str| {
            if rest.is_empty() {
                self.names(at + 1)
            } else {
                comparison::is_thing(self.lexicon, rest)
            }
        };
        joins() || self.lexicon.parts.behind(Part::Copula, tail).is_some_and(is)
    }

    /// `the available ones`, `판매중인 상품`, `that are not available`: a field that is a state.
    fn is_flag(&self, at: usize) -> Option<Condition> {
        let field = self.field(at).filter(|field| self.rows.is_state(field))?;
        let token = self.token(at)?;
        // `상태가 판매중인 것`
        let own = self.before(at).and_then(|before| self.field(before)).is_none();
        let no = self.is(at + 1, Part::IsNot) && self.names(at + 2);
        let korean = (token.ends(Part::Copula) && self.names(at + 1)) || no;
        if korean {
            let end = at + 1 + usize::from(no);
            let (value, denied) = if no { ("false", Some(at + 1)) } else { ("true", None) };
            return own.then(|| self.condition(field, (true, denied), value, at..end));
        }
        let system = |at: &usize| !self.token(*at).is_some_and(|t| t.kind == TokenKind::System);
        let next = (at + 1..self.tokens.len()).find(system);
        let before = next.is_some_and(|next| self.names(next)) && token.text.is_ascii();
        let copula = self.copula(at);
        let last = |token: &Token<'_>| token.kind == TokenKind::Mark || token.has(Concept::And);
        let behind = copula.is_some() && self.token(at + 1).is_none_or(last);
        let denied = at.checked_sub(1).filter(|before| self.is(*before, Part::Not));
        let from = copula.map(|(is, _)| is).or(denied).unwrap_or(at);
        let same = copula.map_or(denied.is_none(), |(_, same)| same);
        let (value, denied) = if same { ("true", None) } else { ("false", Some(at - 1)) };
        let said = from..at + 1;
        (own && (before || behind)).then(|| self.condition(field, (true, denied), value, said))
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
    fn is_key(&self, at: usize) -> Option<Condition> {
        let (field, number, said) = key(self.lexicon, self.rows, self.tokens, at)?;
        let mut said = self.with_doing(said);
        let value = |at: usize| {
            let token = self.token(at).filter(|token| is_digits(token))?;
            Some(format!(".{field} == {}", token.text.parse::<u64>().ok()?))
        };
        let mut text = value(number)?;
        while let Some((other, range)) = self.other_key(&said) {
            text = format!("{text} or {}", value(other)?);
            said = range;
        }
        Some(Condition::new(field, text, said))
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
            key || token.kind == TokenKind::Operation || self.field(at).is_some()
        })
    }

    /// `of user 2, 3 cheapest`, `회원 2번, 3번 상품`: the number before it is of something else.
    fn is_of_another(&self, at: usize, counted: bool) -> bool {
        let Some(next) = self.token(at).filter(|next| next.is_word()) else {
            return !counted && self.token(at).is_some_and(|t| t.kind == TokenKind::Operation);
        };
        let aside = [Concept::And, Concept::Dest, Concept::Save, Concept::Write, Concept::Either];
        let goes_on = aside.into_iter().any(|concept| next.has(concept)) || either::is_either(next);
        let key = self.rows.key(self.lexicon, next.text).is_some();
        if counted { key || next.attached && !goes_on && !self.ends_name(next) } else { !goes_on }
    }

    fn ends_name(&self, token: &Token<'_>) -> bool {
        morph::is_after_name(self.lexicon, token.text)
    }
}
