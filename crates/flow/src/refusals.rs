//! Specs that the review refused, each with its grounds.

use std::collections::BTreeMap;
use wiiiv_domain::{Grounds, SpecDigest};

/// INVARIANT: a spec closed under the grounds in force is never reviewed again, not even after a
/// reset. Under other grounds it is a new question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusals {
    /// `None` in a journal of version 1, which kept no grounds.
    pub(crate) closed: BTreeMap<SpecDigest, Option<Grounds>>,
    /// Refused under the first grounds, before the second were in force.
    pub(crate) reopened: BTreeMap<SpecDigest, (Option<Grounds>, Grounds)>,
}

impl Refusals {
    pub(crate) const fn new() -> Self {
        Self { closed: BTreeMap::new(), reopened: BTreeMap::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.closed.is_empty() && self.reopened.is_empty()
    }

    pub(crate) fn close(&mut self, spec: SpecDigest, under: Option<Grounds>) {
        self.reopened.remove(&spec);
        self.closed.insert(spec, under);
    }

    pub(crate) fn is_closed(&self, spec: SpecDigest) -> bool {
        self.closed.contains_key(&spec)
    }

    pub(crate) fn count(&self) -> usize {
        self.closed.len()
    }

    /// Reopens what was refused under other grounds. Specs reopened earlier and not asked for since
    /// are forgotten, so there are never more than were closed.
    pub(crate) fn moved(&mut self, under: Grounds) {
        let closed = std::mem::take(&mut self.closed).into_iter();
        let (stay, others): (BTreeMap<_, _>, BTreeMap<_, _>) =
            closed.partition(|(_, from)| *from == Some(under));
        self.closed = stay;
        let others = others.into_iter().map(|(spec, from)| (spec, (from, under)));
        self.reopened = others.collect();
    }

    /// Reported once. `None` if it was never refused, or an older build kept no grounds.
    pub(crate) fn take_reopened(&mut self, spec: SpecDigest) -> Option<(Grounds, Grounds)> {
        let (from, to) = self.reopened.remove(&spec)?;
        Some((from?, to))
    }

    /// Grounds of an earlier NO that differ from these.
    pub(crate) fn differ_from(&self, now: Grounds) -> bool {
        self.closed.values().any(|under| *under != Some(now))
    }
}
