//! Specs that the review refused, each with its grounds.

use std::collections::BTreeMap;
use wiiiv_domain::{Grounds, RefusedSpecs, Reopening, SpecDigest};

/// INVARIANT: a spec closed under the grounds in force is never reviewed again, not even after a
/// reset. Under other grounds it is a new question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusals(pub(crate) RefusedSpecs);

impl Refusals {
    pub(crate) fn close(&mut self, spec: SpecDigest, under: Option<Grounds>) {
        self.0.reopened.remove(&spec);
        self.0.closed.insert(spec, under);
    }

    pub(crate) fn is_closed(&self, spec: SpecDigest) -> bool {
        self.0.closed.contains_key(&spec)
    }

    pub(crate) fn count(&self) -> usize {
        self.0.closed.len()
    }

    /// Reopens what was refused under other grounds. Specs reopened earlier and not asked for since
    /// are forgotten, so there are never more than were closed.
    pub(crate) fn moved(&mut self, under: Grounds) {
        let closed = std::mem::take(&mut self.0.closed).into_iter();
        let (stay, others): (BTreeMap<_, _>, BTreeMap<_, _>) =
            closed.partition(|(_, from)| *from == Some(under));
        self.0.closed = stay;
        let others = others.into_iter().map(|(spec, from)| (spec, Reopening { from, to: under }));
        self.0.reopened = others.collect();
    }

    /// Reported once. `None` if it was never refused, or an older build kept no grounds.
    pub(crate) fn take_reopened(&mut self, spec: SpecDigest) -> Option<(Grounds, Grounds)> {
        let Reopening { from, to } = self.0.reopened.remove(&spec)?;
        Some((from?, to))
    }

    /// Grounds of an earlier NO that differ from these.
    pub(crate) fn differ_from(&self, now: Grounds) -> bool {
        self.0.closed.values().any(|under| *under != Some(now))
    }
}
