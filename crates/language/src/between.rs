//! Conditions with two bounds: `products between 10000 and 50000`, `만원에서 3만원 사이 상품`.

use crate::{
    character::is_hangul,
    comparison::Condition,
    concept::Concept,
    lexicon::Lexicon,
    number,
    part::Part,
    query::{Filter, Op},
    rows::{self, Rows},
    token::Token,
};

/// Tokens that both bounds stand in.
const REACH_TOKENS_MAX: usize = 7;
/// Tokens between a field and its bounds.
const FIELD_TOKENS_MAX: usize = 4;

pub(crate) fn conditions(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Vec<Condition> {
    let between = (0..tokens.len()).filter(|at| {
        tokens.get(*at).is_some_and(|token| token.has(Concept::Between) && token.is_word())
    });
    between.filter_map(|at| bounds(lexicon, rows, tokens, at)).flatten().collect()
}

fn bounds(
    lexicon: &Lexicon,
    rows: &Rows,
    tokens: &[Token<'_>],
    at: usize,
) -> Option<[Condition; 2]> {
    let korean = tokens.get(at)?.text.starts_with(is_hangul);
    let range = if korean {
        at.saturating_sub(REACH_TOKENS_MAX)..at
    } else {
        at + 1..(at + 1 + REACH_TOKENS_MAX).min(tokens.len())
    };
    let valued = |at: usize| Some((at, value(lexicon, tokens, at)?));
    let (one, other) = if korean {
        let mut found = range.rev().filter_map(valued);
        let last = found.next()?;
        (found.next()?, last)
    } else {
        let mut found = range.filter_map(valued);
        (found.next()?, found.next()?)
    };
    let money = |at: usize| tokens.get(at..at + 2).unwrap_or_default();
    let money = [one.0, other.0].into_iter().flat_map(money);
    let money = money
        .into_iter()
        .any(|t| t.has(Concept::Currency) || lexicon.parts.split(Part::Money, t.text).is_some());
    let first = one.0.min(at);
    let near = (first.saturating_sub(FIELD_TOKENS_MAX)..first).rev();
    let named = |at: usize| Some((at, rows.registered(lexicon, tokens.get(at)?)?));
    let measured = || {
        let price = rows.measure(lexicon, rows::PRICE).filter(|_| money);
        Some((first, price.or_else(|| rows.only_measure(lexicon))?))
    };
    let (from, field) = near.into_iter().find_map(named).or_else(measured)?;
    let (low, high) = if one.1 <= other.1 { (one.1, other.1) } else { (other.1, one.1) };
    let said = from..at.max(other.0 + 1) + 1;
    let bound = |operator: Op, value: u64| {
        Condition::new(Filter::compare(field, operator, value.to_string()), said.clone())
    };
    Some([bound(Op::AtLeast, low), bound(Op::AtMost, high)])
}

fn value(lexicon: &Lexicon, tokens: &[Token<'_>], at: usize) -> Option<u64> {
    number::at(lexicon, tokens, at)?.value.parse().ok()
}
