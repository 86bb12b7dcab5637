//! What a leg of a search gives: passages in an order, or why there is none.

use crate::{
    found::{LegOff, LegState},
    fusion::Vote,
    view::PassageAt,
};

/// A leg keeps at least so many; of so many vectors the cosine is found once more.
const KEPT_MIN: usize = 40;
/// Kept for each passage that is wanted: several may be of one.
const KEPT_A_PASSAGE: usize = 4;

/// A passage in the order of a leg.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RankedPassage {
    pub(crate) at: PassageAt,
    pub(crate) score: f32,
    /// What the leg knows of it, from 0 to 1; `None` where it can know nothing.
    pub(crate) worth: Option<f64>,
    /// The best of the passage's chunks, where the leg found it by one.
    pub(crate) nth: Option<u32>,
}

/// A leg that ran, or did not.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) state: LegState,
    /// The best first.
    pub(crate) passages: Vec<RankedPassage>,
}

impl Ran {
    pub(crate) const fn off(why: LegOff) -> Self {
        Self { state: LegState::Off { why }, passages: Vec::new() }
    }

    /// Those that count, in their order.
    pub(crate) fn votes(&self) -> Vec<Vote<PassageAt>> {
        let votes = self.passages.iter().map(|passage| (passage.at, passage.worth));
        votes.filter_map(|(item, worth)| Some(Vote { item, worth: worth? })).collect()
    }
}

/// How many chunks or passages a leg keeps for so many wanted ones.
pub(crate) fn kept_for(wanted: usize) -> usize {
    KEPT_MIN.max(wanted * KEPT_A_PASSAGE)
}
