//! The leg that ranks by meaning.

use crate::{
    dense::ChunkAt,
    found::{LegOff, LegState},
    leg::{Ran, RankedPassage},
    spread::Spread,
    vector::Vector,
    view::{PassageAt, View},
};
use std::collections::HashSet;

/// What the other chunks of a passage count beside its best one: what stands in a passage that is about
/// something else is found by chance more often.
const PASSAGE_SHARE: f32 = 0.4;

/// Fewer pairs of strangers say nothing about how near strangers are.
const STRANGERS_MIN: u32 = 32;

/// The leg, and how far its best chunk lies above strangers.
pub(crate) struct Meaning {
    pub(crate) ran: Ran,
    pub(crate) distance: Option<f64>,
}

/// Ranks the passages by the cosine of their best chunk and of the others beside it. A vote is worth how far
/// a passage lies between the last one that was kept and the best.
pub(crate) fn ranked(view: &View<'_>, query: Option<&Vector>, limit: usize) -> Meaning {
    let off = |why| Meaning { ran: Ran::off(why), distance: None };
    if view.segments().all(|(_, segment)| segment.counts().chunks == 0) {
        return off(LegOff::NothingIndexed);
    }
    let Some(query) = query else { return off(LegOff::NoQueryVector) };
    let chunks = nearest(view, query, limit);
    let Some((nearest, _)) = chunks.first() else {
        let has_others = view.segments().any(|(_, segment)| segment.counts().vectors > 0);
        return off(if has_others { LegOff::OtherDimensions } else { LegOff::NoVectors });
    };
    let distance = strangers(view, query).and_then(|strangers| strangers.distance(*nearest));
    let passages = passages(view, query, &chunks);
    let state = LegState::Ran { candidates: chunks.len() };
    Meaning { ran: Ran { state, passages }, distance }
}

/// Of different documents; where these are too few, of one document as well. `None`: it cannot be said.
fn strangers(view: &View<'_>, query: &Vector) -> Option<Spread> {
    let (mut strangers, mut far_apart) = (Spread::default(), Spread::default());
    for (_, segment) in view.segments() {
        let found = segment.strangers(query.dimensions());
        strangers.join(found.of_others);
        far_apart.join(found.far_apart);
    }
    if strangers.count() < STRANGERS_MIN {
        strangers.join(far_apart);
    }
    (strangers.count() >= STRANGERS_MIN).then_some(strangers)
}

/// The nearest chunks of all scopes, with the segment that they are of.
fn nearest(view: &View<'_>, query: &Vector, limit: usize) -> Vec<(f32, (usize, ChunkAt))> {
    let mut chunks: Vec<(f32, (usize, ChunkAt))> = Vec::new();
    for (nth, (_, segment)) in view.segments().enumerate() {
        let Some(matrix) = segment.matrix(query.dimensions()) else { continue };
        chunks.extend(matrix.scan(query, limit).into_iter().map(|(score, at)| (score, (nth, at))));
    }
    chunks.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    chunks.truncate(limit);
    chunks
}

fn passages(
    view: &View<'_>,
    query: &Vector,
    chunks: &[(f32, (usize, ChunkAt))],
) -> Vec<RankedPassage> {
    let mut seen = HashSet::new();
    let mut passages: Vec<RankedPassage> = Vec::new();
    for &(best, (segment, chunk)) in chunks {
        let at = PassageAt { segment, number: chunk.number };
        if seen.insert(at) {
            let score = best + PASSAGE_SHARE * (mean(view, query, at).unwrap_or(best) - best);
            passages.push(RankedPassage { at, score, worth: None, nth: Some(chunk.nth) });
        }
    }
    passages.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.at.cmp(&b.at)));
    let top = passages.first().map_or(0.0, |passage| passage.score);
    let last = passages.last().map_or(0.0, |passage| passage.score);
    let range = top - last;
    for passage in &mut passages {
        let above = f64::from(passage.score - last);
        passage.worth = Some(if range > 0.0 { above / f64::from(range) } else { 1.0 });
    }
    passages
}

/// The mean cosine of a passage's chunks.
fn mean(view: &View<'_>, query: &Vector, at: PassageAt) -> Option<f32> {
    let (_, segment) = view.get(at.segment)?;
    let passage = segment.passage(at.number)?;
    let vectors = segment.vectors(passage, query.dimensions());
    let (sum, count) =
        vectors.fold((0.0, 0_usize), |(sum, count), v| (sum + query.cosine(v), count + 1));
    (count > 0).then(|| sum / count as f32)
}
