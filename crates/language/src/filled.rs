//! What is sent to a registered operation, said field by field: `product_id 101, quantity 2`,
//! `상품 101번 수량 2개`.

use crate::{
    comparison,
    concept::Concept,
    equality, morph,
    slots::Said,
    token::{Token, TokenKind},
};
use std::collections::BTreeMap;

/// Between a field and its value.
const IS: [&str; 4] = ["is", "of", "=", ":"];
/// Longer numbers are names.
const NUMBER_BYTES_MAX: usize = 16;

/// As a JSON object; `None` where no field has a value.
pub(crate) fn body(said: &Said<'_, '_>) -> Option<String> {
    let mut body: BTreeMap<&str, String> = BTreeMap::new();
    for at in 0..said.tokens.len() {
        if let Some((field, value)) = keyed(said, at).or_else(|| named(said, at)) {
            // Of two values there is no telling which.
            if body.insert(field, value).is_some() {
                return None;
            }
        }
    }
    let pair = |(field, value)| format!("{}:{value}", comparison::text(field));
    let pairs: Vec<String> = body.into_iter().map(pair).collect();
    (!pairs.is_empty()).then(|| format!("{{{}}}", pairs.join(",")))
}

/// `product 101`
fn keyed<'s>(said: &'s Said<'_, '_>, at: usize) -> Option<(&'s str, String)> {
    let (field, _) = equality::key(said.rows, said.tokens, at)?;
    Some((field, value(said.tokens.get(at + 1)?)?))
}

/// `quantity: 2`, `수량은 2개`
fn named<'s>(said: &'s Said<'_, '_>, at: usize) -> Option<(&'s str, String)> {
    let field = said.rows.registered(said.lexicon, said.tokens.get(at)?)?;
    let between = |token: &Token<'_>| {
        let particle = token.attached && morph::is_after_name(said.lexicon, token.text);
        particle || IS.contains(&token.text)
    };
    let rest = said.tokens.get(at + 1..)?;
    let told = rest.get(rest.iter().take(2).take_while(|token| between(token)).count())?;
    Some((field, value(told)?))
}

/// A number, `true`, `false`, or what stands in quotation marks.
fn value(token: &Token<'_>) -> Option<String> {
    if token.kind == TokenKind::Quoted {
        return Some(comparison::text(token.text));
    }
    let word = token.text.to_lowercase();
    let plain = token.is_word() && !token.has(Concept::Only) && word.len() < NUMBER_BYTES_MAX;
    if matches!(word.as_str(), "true" | "false") {
        return Some(word);
    }
    Some(word.parse::<u64>().ok().filter(|_| plain)?.to_string())
}
