//! Fields that are measured: `price가 10,000원 미만`, `cheaper than 5000`, `isn't over 20k`.

use crate::{
    concept::Concept,
    either, inverse,
    lexicon::Lexicon,
    number::{self, Number},
    part::Part,
    query::{Op, text},
    rows::{self, Rows},
    token::{Token, TokenKind},
    valued, words,
};
use std::{collections::BTreeSet, ops::Range};

/// Tokens between a field and what it is compared with.
const REACH_TOKENS_MAX: usize = 5;
/// Tokens between a comparison and its value.
const VALUE_TOKENS_MAX: usize = 4;
const MARKS: [(&str, Op); 7] = [
    ("<", Op::Below),
    ("<=", Op::AtMost),
    (">", Op::Above),
    (">=", Op::AtLeast),
    ("==", Op::Is),
    ("=", Op::Is),
    ("!=", Op::IsNot),
];
const CURRENCIES: [&str; 2] = ["$", "₩"];
/// So many pieces nobody orders: of rows that have a price and a quantity the price is meant.
const MONEY_MIN: u64 = 10_000;

pub(crate) struct Comparison<'t> {
    /// With its token.
    pub(crate) field: Option<(usize, &'t str)>,
    pub(crate) operator: Op,
    pub(crate) value: String,
    /// The comparison and its value.
    pub(crate) said: Range<usize>,
    /// Its value alone.
    pub(crate) valued: Range<usize>,
    /// What denies it.
    pub(crate) denied: Option<usize>,
}

/// A number says one bound only: `the 3 cheapest under 50000`.
pub(crate) fn found<'a>(
    lexicon: &'a Lexicon,
    rows: &'a Rows,
    tokens: &'a [Token<'_>],
) -> Vec<Comparison<'a>> {
    let said = Said { lexicon, rows, tokens };
    let (mut found, mut used) = (Vec::new(), BTreeSet::new());
    for (at, token) in tokens.iter().enumerate() {
        let comparison = operator(token).and_then(|operator| said.comparison(at, operator, &used));
        if let Some(comparison) = comparison {
            used.extend(comparison.valued.clone());
            found.push(comparison);
        }
    }
    found
}

pub(crate) fn operator(token: &Token<'_>) -> Option<Op> {
    if token.kind == TokenKind::Mark {
        return MARKS.iter().find(|(mark, _)| token.is_mark(mark)).map(|(_, operator)| *operator);
    }
    token.concepts.iter().find_map(|concept| concept.operator())
}

struct Said<'a, 't> {
    lexicon: &'a Lexicon,
    rows: &'a Rows,
    tokens: &'a [Token<'t>],
}

impl<'a> Said<'a, '_> {
    fn token(&self, at: usize) -> Option<&'a Token<'_>> {
        self.tokens.get(at)
    }

    /// The nearest field before the comparison, and its value: Korean says it before, English behind.
    fn comparison(
        &self,
        at: usize,
        operator: Op,
        used: &BTreeSet<usize>,
    ) -> Option<Comparison<'a>> {
        let token = self.token(at)?;
        let free = |number: &Number| !used.contains(&number.said.start);
        let (before, behind) = (|| self.left(at).filter(free), || self.right(at).filter(free));
        let korean = token.is_korean();
        // `만원이상인거`: in one word with its value.
        let own = || self.value(at).filter(free);
        let korean_value = || own().or_else(before).or_else(behind);
        let valued = if korean { korean_value() } else { behind().or_else(before) }?;
        let counted = self.counted(valued.said.end);
        let field = self.named(at).or_else(|| counted.as_ref().map(|(_, field)| (at, *field)));
        let field = field.or_else(|| self.measured(at, &valued));
        let end = self.end(at).max(valued.said.end);
        let end = counted.map_or(end, |(said, _)| end.max(said));
        // `under 20 pieces`, where a field is called so.
        // `lead time under 4 days`, where its name ends in the unit: `lead_days`.
        let own = |unit: &Token<'_>| {
            let stem = field.and_then(|(_, field)| field.strip_suffix(unit.text));
            stem.is_some_and(|stem| stem.ends_with('_'))
        };
        let unit = self.token(end).filter(|unit| unit.is_word() && unit.text.is_ascii());
        let unit = unit.filter(|unit| unit.has(Concept::Pieces) || own(unit));
        let end = end + usize::from(unit.is_some());
        let start = at.min(valued.said.start);
        let own = |token: &Token<'_>| self.rows.registered(self.lexicon, token).is_some();
        let ahead = || inverse::before(self.tokens, at, own);
        let denied = inverse::behind(self.tokens, end).or_else(ahead);
        let said = match denied {
            Some(denied) => start.min(denied)..end.max(denied + 1),
            None => start..end,
        };
        let operator = if denied.is_some() { operator.denied() } else { operator };
        Some(Comparison { field, operator, value: valued.value, said, valued: valued.said, denied })
    }

    /// Behind all the words of the comparison.
    fn end(&self, at: usize) -> usize {
        let marked = self.token(at).is_some_and(|token| token.kind == TokenKind::Mark);
        at + 1 + if marked { 0 } else { words::rest_of_phrase(self.lexicon, self.tokens, at) }
    }

    fn is_end(&self, at: usize) -> bool {
        self.token(at).is_none_or(|token| token.is_mark(",") || token.has(Concept::And))
    }

    /// `가격이 3만원 이하`, `10000 or more`; another comparison has a value of its own.
    fn left(&self, at: usize) -> Option<Number> {
        let other = |at: &usize| {
            let either = self.token(*at).is_some_and(either::is_either);
            self.is_end(*at) || either || self.token(*at).is_some_and(|t| operator(t).is_some())
        };
        let near = (0..at).rev().take(REACH_TOKENS_MAX).take_while(|at| !other(at));
        near.filter_map(|at| self.value(at)).next()
    }

    fn right(&self, at: usize) -> Option<Number> {
        let light = |at: &usize| {
            self.token(*at).is_some_and(|token| {
                let money = CURRENCIES.iter().any(|mark| token.is_mark(mark));
                money || token.is_word() && (token.has(Concept::Vague) || token.attached)
            })
        };
        let near = self.end(at)..(self.end(at) + VALUE_TOKENS_MAX).min(self.tokens.len());
        for at in near.take_while(|at| !self.is_end(*at)) {
            match self.value(at) {
                Some(value) => return Some(value),
                None if light(&at) => {}
                None => return None,
            }
        }
        None
    }

    /// A number, or quoted text.
    fn value(&self, at: usize) -> Option<Number> {
        let token = self.token(at)?;
        if token.kind == TokenKind::Quoted {
            return Some(Number { value: text(token.text), said: at..at + 1 });
        }
        number::at(self.lexicon, self.tokens, at)
    }

    fn named(&self, at: usize) -> Option<(usize, &'a str)> {
        let near = (0..at).rev().take(REACH_TOKENS_MAX).take_while(|at| !self.is_end(*at));
        near.filter_map(|at| {
            // `lead days over 3`
            let two = at.checked_sub(1).and_then(|first| Some((first, self.two(first)?)));
            let one = || Some((at, self.rows.field(self.lexicon, self.tokens.get(at)?)?));
            // What is so or is not so has no measure.
            two.or_else(one).filter(|(_, field)| !self.rows.is_state(field))
        })
        .next()
    }

    /// `more than 3 lead days`: what is counted is a field, which ends there.
    fn counted(&self, at: usize) -> Option<(usize, &'a str)> {
        self.token(at).filter(|token| token.text.is_ascii())?;
        self.two(at).map(|field| (at + 2, field))
    }

    /// A field of two English words.
    fn two(&self, at: usize) -> Option<&'a str> {
        self.rows.of_two(self.token(at)?, self.token(at + 1)?)
    }

    /// What money or pieces are counted of, where the field is not said: `5만원 이하`, `5개 미만`.
    fn measured(&self, at: usize, number: &Number) -> Option<(usize, &'a str)> {
        let valued = &number.said;
        let near = at.saturating_sub(3).min(valued.start)..(at + 4).min(self.tokens.len());
        let near = self.tokens.get(near).unwrap_or_default();
        let digits = self.tokens.get(valued.clone()).unwrap_or_default();
        let form = |token: &Token<'_>, concept| {
            // `만원`: a unit with its multiplier is one word.
            token.has(concept)
                || self.lexicon.parts.split(Part::Money, token.text).is_some()
                    && concept == Concept::Currency
        };
        let own = |concept| digits.iter().any(|token| form(token, concept));
        let has = |concept: Concept| near.iter().any(|token| token.has(concept));
        let marked = near.iter().any(|t| CURRENCIES.iter().any(|mark| t.is_mark(mark)));
        let money = own(Concept::Currency) || has(Concept::Currency) || marked;
        // `cheaper than 5000`
        let worded = || self.lexicon.field_words.get(&self.token(at)?.text.to_lowercase());
        let measure = match (money, has(Concept::Pieces)) {
            (true, _) => rows::PRICE,
            (false, true) => rows::QUANTITY,
            (false, false) => match worded() {
                Some(measure) => measure,
                None => return self.only_measure(at, number),
            },
        };
        self.rows.measure(self.lexicon, measure).map(|field| (at, field))
    }

    /// `over 100000`, of rows that have a price and no quantity, or the other way round; of both, what
    /// is too much to be counted.
    fn only_measure(&self, at: usize, number: &Number) -> Option<(usize, &'a str)> {
        // `over 3 days`, `with Seoul under 5000`
        let unknown = |token: &Token<'_>| {
            let letters = token.text.starts_with(char::is_alphabetic) && !token.attached;
            let value = valued::is_called(self.lexicon, self.rows, token.text);
            let plain = token.is_word() && token.is_nameless() && letters && !value;
            plain && !inverse::is_inverse(token)
        };
        let first = at.min(number.said.start);
        let before = first.checked_sub(1).and_then(|at| self.token(at));
        let behind = self.token(self.end(at).max(number.said.end));
        let plain = !before.into_iter().chain(behind).any(unknown);
        let much = number.value.parse::<u64>().is_ok_and(|value| value >= MONEY_MIN);
        let price = || self.rows.measure(self.lexicon, rows::PRICE).filter(|_| much);
        let field = self.rows.only_measure(self.lexicon).or_else(price).filter(|_| plain)?;
        Some((at, field))
    }
}
