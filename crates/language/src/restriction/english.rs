//! `only the red ones`, `products in electronics`, `orders without a memo`.

use super::{
    korean,
    words::{Restriction, is_name},
};
use crate::{
    concept::Concept,
    part::Part,
    token::{Token, TokenKind},
};

/// Words between a mark and what it speaks of.
const REACH_TOKENS_MAX: usize = 4;

/// The token that narrows because of this one.
pub(super) fn narrows(said: &Restriction<'_, '_>, at: usize) -> Option<usize> {
    let token = said.token(at)?;
    if token.is_korean() {
        return None;
    }
    if said.has(at, Concept::Only) {
        return only(said, at);
    }
    if said.has(at, Concept::Among) && said.read.is_empty() {
        return Some(at);
    }
    if token.is_word() && token.is(Part::Ones) && said.read.is_empty() {
        return Some(at);
    }
    let opens = said.has(at, Concept::Where) || is_relative(token);
    if opens && said.before(at).is_some_and(|before| is_thing(said, before)) {
        return (!reads_on(said, at)).then_some(at);
    }
    let behind_thing = || said.before(at).is_some_and(|before| is_thing(said, before));
    if token.is_word() && said.measures(at) && behind_thing() && !is_before_all(said, at) {
        return Some(at);
    }
    // `products in stock`
    if said.has(at, Concept::Pieces) && !said.is_read(at) && behind_thing() {
        return Some(at);
    }
    if said.begins_label(at) {
        // `new skymall products`
        let system = |at: &usize| said.is(*at, TokenKind::System);
        let before =
            (0..at).rev().find(|at| !system(at)).filter(|before| !said.is_read(*before))?;
        let glued = token.attached || said.is(before, TokenKind::Mark);
        let number = |t: &Token<'_>| t.is_numeral();
        let counted = said.token(before).is_some_and(number);
        // `purchase orders`, where the id is `purchase-orders` and the label `orders`.
        let own = |t: &Token<'_>| said.operations.contains(&t.text.to_lowercase());
        let unknown = said.is_unknown(before, false) && !said.token(before).is_some_and(own);
        let korean = said.is_unknown(before, true) && korean::describes(said, before, false);
        let describes = counted || unknown || korean || said.measures(before);
        return if describes && !glued { Some(before) } else { part_of(said, before) };
    }
    behind(said, at)
}

/// `show me the inventory first`: before anything else.
fn is_before_all(said: &Restriction<'_, '_>, at: usize) -> bool {
    let next = said.token(at + 1);
    said.has(at, Concept::First) && next.is_none_or(|next| next.kind == TokenKind::Mark)
}

/// `half of the products`
fn part_of(said: &Restriction<'_, '_>, before: usize) -> Option<usize> {
    let mut ahead = (0..=before).rev().filter(|at| !said.is(*at, TokenKind::System));
    let vague = |at: &usize| said.has(*at, Concept::Vague);
    let of = ahead
        .by_ref()
        .take_while(vague)
        .find(|at| said.token(*at).is_some_and(|token| token.is(Part::Of)))?;
    said.before(of).filter(|at| said.is_unknown(*at, false) && !said.is_read(*at))
}

/// `that`, `which`, but not `to` and `for`.
fn is_relative(token: &Token<'_>) -> bool {
    let place = token.has(Concept::Dest) || token.has(Concept::Vague);
    token.is_word() && token.has(Concept::Relative) && !place
}

fn is_thing(said: &Restriction<'_, '_>, at: usize) -> bool {
    let things = [Concept::Thing, Concept::Pronoun, Concept::Result];
    said.token(at).is_some_and(is_name) || things.into_iter().any(|concept| said.has(at, concept))
}

/// Something that was read follows.
fn reads_on(said: &Restriction<'_, '_>, at: usize) -> bool {
    (at + 1..=at + REACH_TOKENS_MAX).any(|at| said.is_read(at))
}

/// `just get ..` is no more than `get ..`.
fn only(said: &Restriction<'_, '_>, at: usize) -> Option<usize> {
    let vague = |at: &usize| said.has(*at, Concept::Vague) || said.has(*at, Concept::That);
    let next = (at + 1..said.tokens.len()).find(|at| !vague(at))?;
    let token = said.token(next)?;
    let whole = token.is_entity() || is_name(token) || token.verb().is_some();
    let plain = whole || said.has(next, Concept::Pronoun) || said.is_read(next);
    (!plain && !reads_on(said, at)).then_some(next)
}

/// `products in electronics`, `orders placed today`: the word behind a label.
fn behind(said: &Restriction<'_, '_>, at: usize) -> Option<usize> {
    if !said.is_unknown(at, false) || said.token(at)?.attached {
        return None;
    }
    let concepts = [Concept::Vague, Concept::Within, Concept::Earlier];
    let aside = |token: &Token<'_>| token.has_any(&concepts);
    let skipped = (0..at).rev().take(REACH_TOKENS_MAX - 1);
    let mut skipped = skipped.skip_while(|at| said.token(*at).is_some_and(aside));
    let label = said.token(skipped.next()?)?;
    let is = |token: &Token<'_>| token.is(Part::Is);
    let said_of = || said.before(at).and_then(|at| said.token(at)).is_some_and(is);
    let field = || said_of() && said.rows.registered(said.lexicon, label).is_some();
    (label.kind == TokenKind::Operation || field()).then_some(at)
}
