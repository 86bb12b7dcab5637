//! Whether the best passages are about what was asked.
//!
//! No cosine says so by itself: those of one embedder lie between 0.75 and 0.95 for everything, those of
//! another between 0.1 and 0.8. What is comparable is how far the best one lies above those of strangers:
//! chunks of different documents of the same scopes, and where there is hardly more than one document, chunks that
//! stand far apart in it. And words say how much of the query a passage has, each
//! by how rare it is here. The two stand in for each other: where words have all, meaning need say nothing.
//!
//! The numbers were set on the manuals of GNOME and LibreOffice, in two languages and with two embedders
//! (multilingual-e5-small, Universal Sentence Encoder). Where a page that answers is among the first five, 96 to
//! 100 in 100 questions are called relevant, across languages 74 to 100, by words alone 96 to 100; of questions
//! about cooking, history or tax at most 10; of questions about the other manual, half: much is in both. A word that no
//! passage has weighed more then, so that a few more of all are called relevant now.

use crate::{
    by_words::Searched,
    found::{Decided, Hit, Relevance},
    view::{PassageAt, View},
};

/// Hits that may answer the query: the best of a fused order need not have most of its words.
const LOOKED_AT: usize = 5;

/// What words have to cover where they decide alone.
const COVERAGE_MIN: f64 = 0.4;
/// The same where meaning found it too, though too few chunks are there to say how near is near.
const COVERAGE_MIN_OF_FEW: f64 = 0.2;
/// Deviations above strangers that are enough where words cover nothing.
const DISTANCE_MIN: f64 = 2.4;
/// As many deviations fewer are enough where words cover all.
const COVERAGE_STANDS_FOR: f64 = 4.0;
/// The same where query and passage are of different scripts: they are further apart than strangers.
const DISTANCE_MIN_ACROSS: f64 = 0.0;

/// What meaning has to say of the hits.
pub(crate) struct Meaning<'a> {
    /// Whether it ranked at all.
    pub has_ranked: bool,
    /// How far the best hit lies above strangers; `None` where they are too few.
    pub distance: Option<f64>,
    /// Whether it could rank this passage.
    pub has_vector: &'a dyn Fn(PassageAt) -> bool,
}

/// Whether the hits are about what was asked, and what that was decided on.
pub(crate) fn of(
    view: &View<'_>,
    searched: &Searched<'_>,
    hits: &[(PassageAt, Hit)],
    meaning: &Meaning<'_>,
) -> (bool, Relevance) {
    let passages = || {
        let looked_at = hits.iter().take(LOOKED_AT);
        looked_at.filter_map(|(at, _)| view.passage(*at).map(|passage| (*at, passage)))
    };
    let share =
        |passage| if searched.asks_something() { searched.coverage.share(passage) } else { 0.0 };
    let coverage = passages().map(|(_, passage)| share(passage)).fold(0.0, f64::max);
    let across = passages().next().is_some_and(|(_, passage)| !searched.meets(passage));
    let by_words = coverage >= COVERAGE_MIN;
    // Documents are found by words before they are embedded: against those meaning has no say.
    let unembedded = || {
        let is_so = |(at, passage)| share(passage) >= COVERAGE_MIN && !(meaning.has_vector)(at);
        passages().any(is_so)
    };
    let (relevant, decided) = match meaning.distance {
        _ if hits.is_empty() => (false, Decided::NothingFound),
        _ if unembedded() => (true, Decided::ByWords),
        Some(distance) if across => {
            (by_words || distance >= DISTANCE_MIN_ACROSS, Decided::ByMeaning)
        }
        Some(distance) => {
            let enough = DISTANCE_MIN - COVERAGE_STANDS_FOR * coverage;
            (distance >= enough, Decided::ByWordsAndMeaning)
        }
        // In another script words cannot say so. Few chunks are soon read, and a model says what they lack.
        None if meaning.has_ranked => (across || coverage >= COVERAGE_MIN_OF_FEW, Decided::OfFew),
        None => (by_words, Decided::ByWords),
    };
    (relevant, Relevance { coverage, distance: meaning.distance, decided })
}
