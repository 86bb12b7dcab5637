//! What says that a condition is not so: `isn't over 20000`, `2만원 이상이 아닌`, `안 비싼`.

use crate::{
    concept::Concept,
    either,
    token::{Token, TokenKind},
};

/// English words between it and what it denies.
const REACH_TOKENS_MAX: usize = 4;
/// Between it and what it denies: `aren't priced over`.
const LIGHT: [Concept; 2] = [Concept::Vague, Concept::Dest];

pub(crate) fn is_inverse(token: &Token<'_>) -> bool {
    let denies = token.has(Concept::Negate) && (token.attributive || token.text.is_ascii());
    token.is_word() && (token.has(Concept::Inverse) || denies)
}

/// Where it stands before what begins here; `light` are more words that may stand between.
pub(crate) fn before(
    tokens: &[Token<'_>],
    at: usize,
    light: impl Fn(&Token<'_>) -> bool,
) -> Option<usize> {
    let korean = tokens.get(at).is_some_and(|token| token.is_korean());
    let between = |token: &Token<'_>| {
        let light = token.has_any(&LIGHT) || light(token);
        let other = is_inverse(token) || either::is_either(token) || token.has(Concept::And);
        !korean && light && !other
    };
    let near = (0..at).rev().take(REACH_TOKENS_MAX);
    let mut near = near.skip_while(|at| tokens.get(*at).is_some_and(between));
    // `식품이 아닌 의류`: it denies what stands before it, and `안` what is behind.
    let denies = |token: &Token<'_>| is_inverse(token) && (!korean || token.has(Concept::Vague));
    near.next().filter(|at| tokens.get(*at).is_some_and(denies))
}

/// Where it stands behind what ends here, particles between: `이상이 아닌`, `넘지 않는`.
pub(crate) fn behind(tokens: &[Token<'_>], end: usize) -> Option<usize> {
    let particle = |token: &Token<'_>| token.is_particle();
    let mut rest = (end..tokens.len()).skip_while(|at| tokens.get(*at).is_some_and(particle));
    let denies = |token: &Token<'_>| token.is_korean() && is_inverse(token);
    // `안` denies what stands behind it.
    let own = |at: &usize| {
        let next = tokens.get(at + 1);
        let before = tokens.get(*at).is_some_and(|token| token.has(Concept::Vague));
        !before || next.is_none_or(|next| next.kind == TokenKind::Mark)
    };
    rest.next().filter(|at| tokens.get(*at).is_some_and(denies)).filter(own)
}
