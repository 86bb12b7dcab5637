//! The scopes of one search, and where a passage is in them.

use crate::{
    bm25::Statistics,
    segment::{Passage, Segment},
    terms::Key,
};
use wiiiv_domain::Scope;

/// The segments of a query's scopes, and nothing of any other.
pub(crate) struct View<'a>(pub(crate) Vec<(Scope, &'a Segment)>);

/// A passage: its segment in the view, and its number there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PassageAt {
    pub(crate) segment: usize,
    pub(crate) number: u32,
}

impl<'a> View<'a> {
    pub(crate) fn segments(&self) -> impl Iterator<Item = (Scope, &'a Segment)> {
        self.0.iter().copied()
    }

    pub(crate) fn get(&self, segment: usize) -> Option<(Scope, &'a Segment)> {
        self.0.get(segment).copied()
    }

    pub(crate) fn passage(&self, at: PassageAt) -> Option<&'a Passage> {
        self.get(at.segment)?.1.passage(at.number)
    }

    /// Of all scopes together.
    pub(crate) fn statistics(&self) -> Statistics {
        Statistics::of(self.segments().map(|(_, segment)| segment.postings().statistics()))
    }

    /// How many passages have a term.
    pub(crate) fn count(&self, key: Key) -> u64 {
        self.segments().map(|(_, segment)| segment.postings().count(key) as u64).sum()
    }
}
