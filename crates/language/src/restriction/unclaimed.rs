//! What is said beside the rows of a registered operation, and that nothing has read: it may say
//! which of them are meant, wherever it stands.

use super::{
    act,
    words::{Restriction, is_name},
};
use crate::{
    character::is_hangul,
    concept::Concept,
    either, inverse,
    part::Part,
    token::{Token, TokenKind},
};

/// The first of them.
pub(super) fn unclaimed(said: &Restriction<'_, '_>) -> Option<usize> {
    if said.operations.is_empty() || said.rows.is_unknown() {
        return None;
    }
    let from = begin(said);
    (from..said.tokens.len()).find(|at| !said.is_read(*at) && says_something(said, *at))
}

/// `never mind that, show me the orders`: what stands before it and is done with.
fn begin(said: &Restriction<'_, '_>) -> usize {
    let told = |at: &usize| said.is_read(*at) || said.token(*at).is_some_and(is_name);
    let first = (0..said.tokens.len()).find(told).unwrap_or(0);
    let ends = |at: &usize| said.is(*at, TokenKind::Mark);
    (0..first).rev().find(ends).map_or(0, |at| at + 1)
}

fn says_something(said: &Restriction<'_, '_>, at: usize) -> bool {
    let Some(token) = said.token(at).filter(|token| token.is_word()) else { return false };
    let digits = token.is_numeral();
    let measured = token.concepts.iter().any(|concept| concept.operator().is_some());
    digits
        || measured
        || is_one(said, at)
        || either::is_either(token)
        || denies(said, at)
        || is_unknown(said, at)
}

/// `my orders`: whose they are, no field says; `the second product`: in which order?
fn is_one(said: &Restriction<'_, '_>, at: usize) -> bool {
    let listed = |at: usize| said.is(at, TokenKind::Operation);
    let place = |token: &Token<'_>| {
        said.lexicon.ordinals.get(&token.text.to_lowercase()).is_some_and(|place| *place != 1)
    };
    let mine = said.has(at, Concept::Mine) && is_whose(said, at);
    mine || listed(at + 1) && said.token(at).is_some_and(place)
}

/// `my cancelled orders`, `내 skymall 주문`, `orders of mine`: what says which they are may stand
/// between; not `my folder`.
fn is_whose(said: &Restriction<'_, '_>, at: usize) -> bool {
    let between = |at: &usize| {
        let light = [Concept::Vague, Concept::Every, Concept::Only];
        let light = light.into_iter().any(|concept| said.has(*at, concept));
        let stuck = said.token(*at).is_some_and(|t| t.attached && t.is_word());
        said.is_read(*at) || said.is(*at, TokenKind::System) || light || stuck
    };
    let next = (at + 1..said.tokens.len()).find(|at| !between(at));
    next.is_none_or(|at| {
        let thing = said.has(at, Concept::Thing);
        thing || said.is(at, TokenKind::Operation) || said.is(at, TokenKind::Mark)
    })
}

/// `배송완료 아닌 주문`; not `왜 안 보여줘`, `화면을 잘못 눌러서 꺼졌어요`, which is talk.
fn denies(said: &Restriction<'_, '_>, at: usize) -> bool {
    let next = said.token(at + 1);
    let talks = |next: &Token<'_>| {
        let korean = next.is_word() && next.is_korean() && !next.attributive;
        let plain = next.concepts.is_empty() && !said.is_read(at + 1);
        korean && plain && !next.ends(Part::GoesOn)
    };
    let aside = next.is_some_and(|next| next.verb().is_some() || talks(next));
    said.token(at).is_some_and(inverse::is_inverse) && !aside
}

/// A word of its own that is in no list, and is no field. In Korean what narrows stands before what it
/// narrows, and all the rest is talk (`말 나온 김에`).
fn is_unknown(said: &Restriction<'_, '_>, at: usize) -> bool {
    let Some(token) = said.token(at) else { return false };
    let letters = token.text.starts_with(|c: char| c.is_alphabetic() && !is_hangul(c));
    let letters = letters && !token.attached;
    let ends = || token.is_ending();
    let said_in = || letters && is_within(said, at);
    let plain = letters && token.concepts.is_empty() && !token.mended || said_in();
    plain && !ends() && !act::ends_in_a_look(said, token)
}

/// `products in boots`: what they are in ends the sentence, and is no act though it may be called so.
fn is_within(said: &Restriction<'_, '_>, at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| said.token(at));
    let acts = said.token(at).and_then(Token::verb).is_some_and(|verb| !verb.is_weak_verb());
    let ends = said.token(at + 1).is_none_or(|next| next.kind == TokenKind::Mark);
    acts && ends && before.is_some_and(|before| before.is(Part::At) && !said.is_read(at - 1))
}
