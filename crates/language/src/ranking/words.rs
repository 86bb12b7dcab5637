//! What speaks of an order of rows, and of figures.

use crate::{concept::Concept, query::Query, token::Token};
use std::collections::BTreeSet;

/// An order, a number of rows, or what is counted of them.
#[derive(Default)]
pub(crate) struct Ranking {
    pub(crate) query: Query,
    /// The tokens that say it.
    pub(crate) said: BTreeSet<usize>,
    /// Something was said of the order or of sums, and not of which field: where.
    pub(crate) unread: Option<usize>,
}

pub(super) const ORDER: [Concept; 7] = [
    Concept::Highest,
    Concept::Lowest,
    Concept::Most,
    Concept::Least,
    Concept::Sort,
    Concept::Newest,
    Concept::Oldest,
];

pub(super) const FIGURES: [Concept; 4] =
    [Concept::Sum, Concept::Average, Concept::Count, Concept::Group];

pub(super) fn has_one(token: &Token<'_>, of: &[Concept]) -> bool {
    token.has_any(of)
}

pub(super) fn unread(tokens: &[Token<'_>], of: &[Concept]) -> Ranking {
    let unread = tokens.iter().position(|token| has_one(token, of));
    Ranking { unread, ..Ranking::default() }
}
