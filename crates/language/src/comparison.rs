//! Conditions on a field: `price가 10,000원 미만`, `where price < 10000`, `stock is at least 3`.

use crate::{
    concept::Concept,
    lexicon::Lexicon,
    token::{Token, TokenKind},
};
use std::collections::BTreeSet;

/// Conditions of one selection.
const CONDITIONS_MAX: usize = 8;
/// Tokens between a field and what it is compared with.
const REACH_TOKENS_MAX: usize = 5;
const MARKS: [(&str, &str); 7] =
    [("<", "<"), ("<=", "<="), (">", ">"), (">=", ">="), ("==", "=="), ("=", "=="), ("!=", "!=")];

/// Each as a jq condition on one row.
pub(crate) fn conditions(lexicon: &Lexicon, tokens: &[Token<'_>]) -> Vec<String> {
    let read = found(lexicon, tokens).filter_map(|found| {
        let (_, field) = found.field?;
        Some(format!(".{field} {} {}", found.operator, found.value))
    });
    read.take(CONDITIONS_MAX).collect()
}

/// The tokens that name what is compared.
pub(crate) fn fields(lexicon: &Lexicon, tokens: &[Token<'_>]) -> BTreeSet<usize> {
    found(lexicon, tokens).filter_map(|found| found.field).map(|(at, _)| at).collect()
}

/// Something is compared with a value, and it is not said by the name of a field.
pub(crate) fn is_unread(lexicon: &Lexicon, tokens: &[Token<'_>]) -> bool {
    found(lexicon, tokens).any(|found| found.field.is_none())
}

struct Comparison<'t> {
    /// With its token.
    field: Option<(usize, &'t str)>,
    operator: &'static str,
    value: String,
}

fn found<'a, 't>(
    lexicon: &'a Lexicon,
    tokens: &'a [Token<'t>],
) -> impl Iterator<Item = Comparison<'t>> + use<'a, 't> {
    let compares = tokens.iter().enumerate().filter_map(|(at, t)| Some((at, operator(t)?)));
    compares.filter_map(move |(at, operator)| comparison(lexicon, tokens, at, operator))
}

fn operator(token: &Token<'_>) -> Option<&'static str> {
    if token.kind == TokenKind::Mark {
        return MARKS.iter().find(|(mark, _)| token.is_mark(mark)).map(|(_, operator)| *operator);
    }
    token.concepts.iter().find_map(|concept| concept.operator())
}

/// The nearest field before the comparison, and the value on either side of it.
fn comparison<'t>(
    lexicon: &Lexicon,
    tokens: &[Token<'t>],
    at: usize,
    operator: &'static str,
) -> Option<Comparison<'t>> {
    let ends = |t: &Token<'_>| !(t.is_mark(",") || t.has(Concept::And));
    let before = || tokens.iter().enumerate().take(at).rev().take(REACH_TOKENS_MAX);
    let mut near = before().take_while(|(_, t)| ends(t));
    let field = near.find_map(|(at, t)| Some((at, t.identifier()?)));
    let value = |(at, _): (usize, &Token<'_>)| value(lexicon, tokens, at);
    let left = before().take_while(|(_, t)| ends(t)).find_map(value);
    let after = || tokens.iter().enumerate().skip(at + 1).take(2);
    let right = after().take_while(|(_, t)| ends(t)).find_map(value);
    Some(Comparison { field, operator, value: left.or(right)? })
}

/// A number with its multiplier, or quoted text.
fn value(lexicon: &Lexicon, tokens: &[Token<'_>], at: usize) -> Option<String> {
    let token = tokens.get(at)?;
    if token.kind == TokenKind::Quoted {
        return Some(text(token.text));
    }
    let digits: String = token.text.chars().filter(|c| *c != ',').collect();
    let (digits, unit) = match digits.find(|c: char| c.is_ascii_alphabetic()) {
        Some(letters) => digits.split_at_checked(letters)?,
        None => (digits.as_str(), ""),
    };
    let number = token.is_word() && digits.starts_with(|c: char| c.is_ascii_digit());
    if !number || digits.parse::<f64>().is_err() {
        return None;
    }
    let next = tokens.get(at + 1).filter(|next| next.attached && unit.is_empty());
    let unit = next.map_or(unit, |next| next.text).to_lowercase();
    match lexicon.multipliers.iter().find(|(word, _)| unit.starts_with(word.as_str())) {
        Some((_, times)) => Some(digits.parse::<u64>().ok()?.checked_mul(*times)?.to_string()),
        None => Some(digits.to_owned()),
    }
}

/// A jq string literal.
fn text(value: &str) -> String {
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
