//! The leg that ranks by meaning.

use crate::{
    dense::ChunkAt,
    found::{LegOff, LegState},
    leg::{Ran, RankedPassage},
    query::Meant,
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

/// What one embedder ranked.
struct OfOne {
    candidates: usize,
    passages: Vec<RankedPassage>,
    distance: Option<f64>,
}

/// Ranks the passages by the cosine of their best chunk and of the others beside it. A vote is worth how far
/// a passage lies between the last one that was kept and the best.
pub(crate) fn ranked(view: &View<'_>, meant: &Meant<'_>, limit: usize) -> Meaning {
    let off = |why| Meaning { ran: Ran::off(why), distance: None };
    if view.segments().all(|(_, segment)| segment.counts().chunks == 0) {
        return off(LegOff::NothingIndexed);
    }
    let own = meant.own.filter(|(own, _)| view.segments().any(|(scope, _)| scope == *own));
    let is_own = |nth: usize| {
        let scope = view.get(nth).map(|(scope, _)| scope);
        own.is_some_and(|(own, _)| scope == Some(own))
    };
    let by_own = own.and_then(|(_, vector)| vector);
    if meant.most.is_none() && by_own.is_none() {
        return off(LegOff::NoQueryVector);
    }
    let most = meant.most.and_then(|query| by_one(view, query, &|nth| !is_own(nth), limit));
    let own = by_own.and_then(|query| by_one(view, query, &is_own, limit));
    let Some(found) = joined(most, own) else {
        let has_others = view.segments().any(|(_, segment)| segment.counts().vectors > 0);
        return off(if has_others { LegOff::OtherDimensions } else { LegOff::NoVectors });
    };
    let OfOne { candidates, passages, distance } = found;
    Meaning { ran: Ran { state: LegState::Ran { candidates }, passages }, distance }
}

/// In the segments that are asked for. `None`: no chunk there has such a vector.
fn by_one(
    view: &View<'_>,
    query: &Vector,
    is_asked: &impl Fn(usize) -> bool,
    limit: usize,
) -> Option<OfOne> {
    let chunks = nearest(view, query, is_asked, limit);
    let (nearest, _) = chunks.first()?;
    let strangers = strangers(view, query, is_asked);
    let distance = strangers.and_then(|strangers| strangers.distance(*nearest));
    let passages = passages(view, query, &chunks);
    Some(OfOne { candidates: chunks.len(), passages, distance })
}

/// Cosines of two embedders are not comparable; how far each lies above its strangers is. So of the one whose best
/// lies less far a passage is worth less, and both become one order by what each is worth. Where one has too few
/// chunks to say how near is near, neither is preferred, and nothing is said of how near the best is.
fn joined(most: Option<OfOne>, own: Option<OfOne>) -> Option<OfOne> {
    let (mut most, mut own) = match (most, own) {
        (Some(most), Some(own)) => (most, own),
        (one, other) => return one.or(other),
    };
    let distance = most.distance.zip(own.distance).map(|(most, own)| most.max(own));
    if let Some(best) = distance.filter(|best| *best > 0.0) {
        for one in [&mut most, &mut own] {
            let share = one.distance.map_or(1.0, |distance| distance.max(0.0) / best);
            for passage in &mut one.passages {
                passage.worth = passage.worth.map(|worth| worth * share);
            }
        }
    }
    let candidates = most.candidates + own.candidates;
    let mut passages = most.passages;
    passages.append(&mut own.passages);
    let worth = |passage: &RankedPassage| passage.worth.unwrap_or_default();
    passages.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then(a.at.cmp(&b.at)));
    Some(OfOne { candidates, passages, distance })
}

/// Of different documents; where these are too few, of one document as well. `None`: it cannot be said.
fn strangers(view: &View<'_>, query: &Vector, is_asked: &impl Fn(usize) -> bool) -> Option<Spread> {
    let (mut strangers, mut far_apart) = (Spread::default(), Spread::default());
    for (nth, (_, segment)) in view.segments().enumerate() {
        if is_asked(nth) {
            let found = segment.strangers(query.dimensions());
            strangers.join(found.of_others);
            far_apart.join(found.far_apart);
        }
    }
    if strangers.count() < STRANGERS_MIN {
        strangers.join(far_apart);
    }
    (strangers.count() >= STRANGERS_MIN).then_some(strangers)
}

/// The nearest chunks of these scopes, with the segment that they are of.
fn nearest(
    view: &View<'_>,
    query: &Vector,
    is_asked: &impl Fn(usize) -> bool,
    limit: usize,
) -> Vec<(f32, (usize, ChunkAt))> {
    let mut chunks: Vec<(f32, (usize, ChunkAt))> = Vec::new();
    for (nth, (_, segment)) in view.segments().enumerate() {
        let Some(matrix) = segment.matrix(query.dimensions()).filter(|_| is_asked(nth)) else {
            continue;
        };
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
