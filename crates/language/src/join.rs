//! Rows of two systems made one by what both have: `상품번호로 합쳐서`, `joined by product number`.

use crate::{
    concept::Concept,
    rows::Rows,
    said::Said,
    token::{Token, TokenKind},
};
use std::collections::BTreeSet;
use wiiiv_domain::Field;

/// Tokens between `양쪽` and what is there.
const REACH_TOKENS_MAX: usize = 4;

pub(crate) struct Join {
    /// In jq, over the array of both answers.
    pub(crate) expr: String,
    /// The tokens that say it.
    pub(crate) said: BTreeSet<usize>,
}

/// A field of the first system's rows and one of the second's that mean the same.
type Key<'r> = (&'r str, &'r str);

/// `None` where it is not said by what, or not by something that both have.
pub(crate) fn join(said: &Said<'_, '_>) -> Option<Join> {
    let [first, second]: [&[Field]; 2] = said.named.answers().try_into().ok()?;
    let (one, other) =
        (Rows::with(said.lexicon, first.iter()), Rows::with(said.lexicon, second.iter()));
    if !said.tokens.iter().any(|token| token.has(Concept::Join)) {
        return None;
    }
    let keys = (0..said.tokens.len()).filter_map(|at| key(said, (&one, &other), at));
    let mut keys = keys.collect::<Vec<_>>().into_iter();
    let (mut read, key) = keys.next()?;
    for (tokens, also) in keys {
        if also != key {
            return None;
        }
        read.extend(tokens);
    }
    let joins = |at: &usize| said.tokens.get(*at).is_some_and(|token| token.has(Concept::Join));
    read.extend((0..said.tokens.len()).filter(joins));
    let both = both(said);
    let expr = if both.is_empty() { all_of(key) } else { only_common(key) };
    read.extend(both);
    Some(Join { expr, said: read })
}

/// A label of both at this token, or at this and the one before.
fn key<'r>(
    said: &Said<'_, '_>,
    (one, other): (&'r Rows, &'r Rows),
    at: usize,
) -> Option<(BTreeSet<usize>, Key<'r>)> {
    let token = said.tokens.get(at).filter(|token| token.is_word())?;
    let named = |text: &str| {
        let text = text.replace('_', " ");
        Some((one.called(said.lexicon, &text)?, other.called(said.lexicon, &text)?))
    };
    let before = at.checked_sub(1).and_then(|at| said.tokens.get(at));
    let two = before.filter(|before| before.is_word() || before.kind == TokenKind::Operation);
    let two = two.and_then(|before| named(&format!("{} {}", before.text, token.text)));
    match two {
        Some(key) => Some((BTreeSet::from([at - 1, at]), key)),
        None => named(token.text).map(|key| (BTreeSet::from([at]), key)),
    }
}

/// `양쪽에 다 있는 것만`, `only the ones in both`: the tokens that say so.
fn both(said: &Said<'_, '_>) -> BTreeSet<usize> {
    let tokens = said.tokens;
    let has = |at: usize, concept| tokens.get(at).is_some_and(|token| token.has(concept));
    let Some(at) = (0..tokens.len()).find(|at| has(*at, Concept::Both)) else {
        return BTreeSet::new();
    };
    let near = at + 1..(at + 1 + REACH_TOKENS_MAX).min(tokens.len());
    if let Some(there) = near.clone().find(|at| has(*at, Concept::Being)) {
        return (at..=there + 1).collect();
    }
    let only = |token: &Token<'_>| said.lexicon.ends_in_only(token.text);
    let only = |at: &usize| has(*at, Concept::Thing) && tokens.get(*at).is_some_and(only);
    if let Some(thing) = near.clone().find(only) {
        return (at..=thing).collect();
    }
    let within = |token: &Token<'_>| token.has(Concept::Within);
    let before = at.checked_sub(1).filter(|before| tokens.get(*before).is_some_and(within));
    let aside = [Concept::Only, Concept::Vague, Concept::Where, Concept::Thing, Concept::Pronoun];
    let ahead = |at: &usize| aside.into_iter().any(|concept| has(*at, concept));
    before.map_or_else(BTreeSet::new, |before| {
        (0..before).rev().take_while(ahead).chain([before, at]).collect()
    })
}

/// Of equal fields the first system's stay.
fn only_common((one, other): Key<'_>) -> String {
    format!(".[0] as $a | .[1] as $b | [$a[] as $x | $b[] | select(.{other} == $x.{one}) | . + $x]")
}

/// What only one of them has stays as it is.
fn all_of((one, other): Key<'_>) -> String {
    format!(
        ".[0] as $a | .[1] as $b | [($a[] as $x | [$b[] | select(.{other} == $x.{one})] \
         | if length == 0 then $x else .[] + $x end), \
         ($b[] as $y | if any($a[]; .{one} == $y.{other}) then empty else $y end)]"
    )
}
