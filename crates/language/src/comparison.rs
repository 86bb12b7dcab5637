//! Conditions on a field: `price가 10,000원 미만`, `where price < 10000`, `stock is at least 3`.

use crate::{
    character::is_hangul,
    concept::Concept,
    lexicon::Lexicon,
    morph,
    rows::Rows,
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
pub(crate) fn conditions(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> Vec<String> {
    let read = found(lexicon, rows, tokens).filter_map(|found| {
        let (_, field) = found.field?;
        Some(format!(".{field} {} {}", found.operator, found.value))
    });
    let is = (0..tokens.len()).filter_map(|at| {
        let (field, value) = copula(lexicon, rows, tokens, at)?;
        Some(format!(".{field} == {}", text(value)))
    });
    read.chain(is).take(CONDITIONS_MAX).collect()
}

/// The tokens that name what is compared.
pub(crate) fn fields(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> BTreeSet<usize> {
    found(lexicon, rows, tokens).filter_map(|found| found.field).map(|(at, _)| at).collect()
}

/// Something is compared with a value, and it is not said by the name of a field.
pub(crate) fn is_unread(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>]) -> bool {
    let only = (1..tokens.len()).any(|at| is_only(lexicon, rows, tokens, at));
    only || found(lexicon, rows, tokens).any(|found| found.field.is_none())
}

/// `category가 전자제품인 것`: the field right before the word, a particle between.
fn copula<'a>(
    lexicon: &Lexicon,
    rows: &'a Rows,
    tokens: &'a [Token<'_>],
    at: usize,
) -> Option<(&'a str, &'a str)> {
    let korean = |token: &&Token<'_>| token.is_word() && token.text.starts_with(is_hangul);
    let token = tokens.get(at).filter(korean)?;
    let value =
        lexicon.copulas.iter().find_map(|copula| token.text.strip_suffix(copula.as_str()))?;
    let mut before = tokens.iter().take(at).rev().take(2);
    let near = before.next()?;
    let particle = near.attached && morph::is_after_name(lexicon, near.text);
    let field = if particle { before.next()? } else { near };
    let thing = tokens.get(at + 1).is_some_and(|next| next.has(Concept::Thing));
    let field = rows.field(lexicon, field).filter(|_| thing && !value.is_empty())?;
    Some((field, value))
}

/// `양쪽에 다 있는 것만`: only some are meant, and nothing that is read says which.
fn is_only(lexicon: &Lexicon, rows: &Rows, tokens: &[Token<'_>], at: usize) -> bool {
    let describes = at.checked_sub(1).and_then(|before| tokens.get(before));
    let only = tokens.get(at).is_some_and(|token| {
        let ends = |only: &String| token.text.ends_with(only.as_str());
        token.has(Concept::Thing) && lexicon.only.iter().any(ends)
    });
    let unread = |before: &Token<'_>| before.attributive && operator(before).is_none();
    only && describes.is_some_and(unread) && copula(lexicon, rows, tokens, at - 1).is_none()
}

struct Comparison<'t> {
    /// With its token.
    field: Option<(usize, &'t str)>,
    operator: &'static str,
    value: String,
}

fn found<'a, 't>(
    lexicon: &'a Lexicon,
    rows: &'a Rows,
    tokens: &'a [Token<'t>],
) -> impl Iterator<Item = Comparison<'a>> + use<'a, 't> {
    let compares = tokens.iter().enumerate().filter_map(|(at, t)| Some((at, operator(t)?)));
    compares.filter_map(move |(at, operator)| comparison(lexicon, rows, tokens, at, operator))
}

fn operator(token: &Token<'_>) -> Option<&'static str> {
    if token.kind == TokenKind::Mark {
        return MARKS.iter().find(|(mark, _)| token.is_mark(mark)).map(|(_, operator)| *operator);
    }
    token.concepts.iter().find_map(|concept| concept.operator())
}

/// The nearest field before the comparison, and the value on either side of it.
fn comparison<'a>(
    lexicon: &Lexicon,
    rows: &'a Rows,
    tokens: &'a [Token<'_>],
    at: usize,
    operator: &'static str,
) -> Option<Comparison<'a>> {
    let ends = |t: &Token<'_>| !(t.is_mark(",") || t.has(Concept::And));
    let before = || tokens.iter().enumerate().take(at).rev().take(REACH_TOKENS_MAX);
    let mut near = before().take_while(|(_, t)| ends(t));
    let field = near.find_map(|(at, t)| Some((at, rows.field(lexicon, t)?)));
    let field = field.or_else(|| measured(lexicon, rows, tokens, at));
    let value = |(at, _): (usize, &Token<'_>)| value(lexicon, tokens, at);
    let left = before().take_while(|(_, t)| ends(t)).find_map(value);
    let after = || tokens.iter().enumerate().skip(at + 1).take(2);
    let right = after().take_while(|(_, t)| ends(t)).find_map(value);
    Some(Comparison { field, operator, value: left.or(right)? })
}

/// What money or pieces are counted of, where the field is not said: `5만원 이하`, `5개 미만`.
fn measured<'a>(
    lexicon: &Lexicon,
    rows: &'a Rows,
    tokens: &[Token<'_>],
    at: usize,
) -> Option<(usize, &'a str)> {
    let near = tokens.get(at.saturating_sub(3)..(at + 4).min(tokens.len())).unwrap_or_default();
    let has = |concept: Concept| near.iter().any(|token| token.has(concept));
    let money = has(Concept::Currency) || near.iter().any(|t| t.is_mark("$") || t.is_mark("₩"));
    let measure = match (money, has(Concept::Pieces)) {
        (true, _) => "price",
        (false, true) => "quantity",
        (false, false) => return None,
    };
    rows.measure(lexicon, measure).map(|field| (at, field))
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
