//! What is left out may be more than what denies it stands beside: `5만원 이상인 식품 빼고`, `except the
//! cancelled ones of user 2`. Only one of the two conditions is denied there, and which rows are
//! meant is asked about.

use crate::{
    comparison::Condition,
    concept::Concept,
    either,
    lexicon::Lexicon,
    token::{Token, TokenKind},
};
use std::collections::BTreeSet;

/// Where a condition is denied, and something that is none of it is left out with it; `ranked` are
/// the tokens of an order.
pub(crate) fn unclear(
    lexicon: &Lexicon,
    tokens: &[Token<'_>],
    conditions: &[Condition],
    ranked: &BTreeSet<usize>,
) -> Option<usize> {
    let said = Said { lexicon, tokens };
    let denied = conditions.iter().filter_map(|condition| Some((condition, condition.denied?)));
    let mut unclear = denied.filter(|(condition, by)| {
        let mut others = conditions.iter().filter(|other| other.filter != condition.filter);
        others.any(|other| said.is_within(condition, *by, other))
            || said.is_ranked(condition, ranked)
    });
    unclear.next().map(|(_, by)| by)
}

struct Said<'a, 't> {
    lexicon: &'a Lexicon,
    tokens: &'a [Token<'t>],
}

impl Said<'_, '_> {
    fn has(&self, at: usize, concept: Concept) -> bool {
        self.tokens.get(at).is_some_and(|token| token.has(concept))
    }

    /// The other one may be left out with it.
    fn is_within(&self, condition: &Condition, by: usize, other: &Condition) -> bool {
        if other.denied == Some(by) {
            // `판매중인 식품 상품 빼고`: both, or each of them?
            return other.filter.field() != condition.filter.field();
        }
        let excepts = self.has(by, Concept::Except) && !self.has(by, Concept::Inverse);
        let korean = self.tokens.get(by).is_some_and(|token| token.is_korean());
        if korean {
            return self.describes(other.said.end, condition.said.start, excepts);
        }
        let ends = |token: &Token<'_>| token.kind == TokenKind::Mark;
        let between = self.tokens.get(by + 1..other.said.start).unwrap_or_default();
        excepts && other.said.start > by && !between.iter().any(ends)
    }

    /// `5만원 이상인 식품`: right before it; not `5만원 이상이고 식품이 아닌`, `주문에서 취소된 거`.
    fn describes(&self, end: usize, start: usize, excepts: bool) -> bool {
        let Some(between) = self.tokens.get(end..start).filter(|_| end > 0) else { return false };
        let last = self.tokens.get(end - 1);
        let goes_on = |token: &Token<'_>| {
            let mut ends = self.lexicon.connectives.iter();
            ends.any(|end| token.text.ends_with(end.as_str()))
        };
        let joins = |t: &Token<'_>| t.has(Concept::And) || either::is_either(t);
        let light = |token: &Token<'_>| {
            let particle = token.is_particle();
            particle || token.has(Concept::Vague) || joins(token)
        };
        let apart = !excepts && (last.is_some_and(goes_on) || between.iter().any(goes_on));
        let before = last.is_some_and(|token| token.has(Concept::Except));
        !apart && !before && between.iter().all(light)
    }

    /// `가장 비싼 식품 빼고`
    fn is_ranked(&self, condition: &Condition, ranked: &BTreeSet<usize>) -> bool {
        let light = |at: &usize| self.has(*at, Concept::Vague) && !ranked.contains(at);
        let before = (0..condition.said.start).rev().find(|at| !light(at));
        let korean = |at: usize| self.tokens.get(at).is_some_and(|t| t.is_korean());
        before.is_some_and(|at| ranked.contains(&at) && korean(at))
    }
}
