//! How many rows are wanted, and which of an order: `가장 비싼 3개`, `두 번째로 비싼`.

use super::words::{ORDER, Ranking, has_one};
use crate::{
    character::is_hangul, concept::Concept, lexicon::Lexicon, part::Part, query::Query,
    token::Token,
};
use std::ops::Range;

/// Rows that a ranking asks for.
const TAKEN_MAX: u64 = 1_000;

/// `the second most expensive`, `두 번째로 비싼`: where it stands in the order, with its tokens.
pub(super) fn place(lexicon: &Lexicon, tokens: &[Token<'_>]) -> Option<(Range<usize>, u64)> {
    let orders =
        |t: &Token<'_>| has_one(t, &ORDER) || has_one(t, &[Concept::Expensive, Concept::Cheap]);
    let before = |end: usize| {
        let behind = tokens.get(end..(end + 2).min(tokens.len())).unwrap_or_default();
        behind.iter().any(orders)
    };
    let mut found = (0..tokens.len()).filter_map(|at| nth(lexicon, tokens, at));
    found.find(|(said, place)| (2..=TAKEN_MAX).contains(place) && before(said.end))
}

/// `second`, `두 번째`, `2번째거`: which it is, 0 the last, where that ends here.
pub(crate) fn nth(
    lexicon: &Lexicon,
    tokens: &[Token<'_>],
    at: usize,
) -> Option<(Range<usize>, u64)> {
    let word = tokens.get(at).filter(|token| token.is_word())?.text.to_lowercase();
    let ordinal = |word: &str| lexicon.ordinals.get(word).copied();
    let number = |word: &str| lexicon.numbers.get(word).copied().or_else(|| ordinal(word));
    let Some((head, _)) = lexicon.parts.split(Part::Nth, &word) else {
        let next = tokens.get(at + 1).is_some_and(|next| next.begins(Part::Nth));
        return ordinal(&word).filter(|_| !next).map(|place| (at..at + 1, place));
    };
    match at.checked_sub(1).filter(|_| head.is_empty()).and_then(|at| tokens.get(at)) {
        Some(said) => {
            let digits = said.text.parse().ok();
            Some((at - 1..at + 1, digits.or_else(|| number(said.text))?))
        }
        None => Some((at..at + 1, number(head)?)),
    }
}

/// `처음 5개`, `first 5`: as they come.
pub(super) fn first_rows(tokens: &[Token<'_>], taken: Option<(usize, u64)>) -> Ranking {
    let first = |at: &usize| tokens.get(*at).is_some_and(|token| token.has(Concept::First));
    let found = taken.and_then(|(at, rows)| Some((at.checked_sub(1).filter(first)?, at, rows)));
    let Some((first, at, rows)) = found else { return Ranking::default() };
    let said = [first, at, at + 1].into_iter().collect();
    Ranking { query: Query::first(rows), said, unread: None }
}

/// `세개만`, `두건`: a number in words and what counts, in one word; and whether it is all that is wanted.
pub(crate) fn counted_in_one(lexicon: &Lexicon, token: &Token<'_>) -> Option<(u64, bool)> {
    let text = Some(token.text).filter(|text| token.is_word() && text.starts_with(is_hangul))?;
    let only = lexicon.only.iter().find_map(|only| text.strip_suffix(only.as_str()));
    let stem = only.unwrap_or(text);
    let ends = |rest: &str| {
        let counts =
            |unit: &str| lexicon.form(unit).is_some_and(|form| form.contains(&Concept::Pieces));
        let mut cuts = lexicon.objects.iter().filter_map(|o| rest.strip_suffix(o.as_str()));
        counts(rest) || cuts.any(counts)
    };
    let number = lexicon
        .numbers
        .iter()
        .filter(|(word, _)| stem.strip_prefix(word.as_str()).is_some_and(ends));
    let (_, count) = number.max_by_key(|(word, _)| word.len())?;
    Some((*count, only.is_some()))
}

/// `세 개`, `top 5`, `3 cheapest`; a number with a unit of its own counts no rows.
pub(crate) fn taken(lexicon: &Lexicon, tokens: &[Token<'_>]) -> Option<(usize, u64)> {
    let number = |token: &Token<'_>| -> Option<u64> {
        let digits = token.text.parse().ok();
        digits.or_else(|| lexicon.numbers.get(token.text.to_lowercase().as_str()).copied())
    };
    let counts = |token: Option<&Token<'_>>| {
        token.is_some_and(|t| {
            t.has_any(&[
                Concept::Pieces,
                Concept::Thing,
                Concept::Cheap,
                Concept::Expensive,
                Concept::Most,
            ])
        })
    };
    let before = |at: usize| at.checked_sub(1).and_then(|at| tokens.get(at));
    let first = |token: Option<&Token<'_>>| {
        token.is_some_and(|t| {
            let order = [Concept::First, Concept::Cheap, Concept::Expensive, Concept::Newest];
            has_one(t, &order) || t.has(Concept::Oldest)
        })
    };
    let in_one = |(at, token)| Some((at, counted_in_one(lexicon, token)?.0));
    if let Some(taken) = tokens.iter().enumerate().find_map(in_one) {
        return Some(taken).filter(|(_, rows)| (1..=TAKEN_MAX).contains(rows));
    }
    let rows = tokens.iter().enumerate().filter_map(|(at, token)| Some((at, number(token)?)));
    let mut rows = rows.filter(|(at, _)| counts(tokens.get(at + 1)) || first(before(*at)));
    rows.next().filter(|(_, rows)| (1..=TAKEN_MAX).contains(rows))
}
