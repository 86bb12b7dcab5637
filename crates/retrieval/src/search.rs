//! One search over the scopes of a query: both legs, fused, one hit for each passage.

use crate::{
    bm25::score_of,
    by_meaning,
    by_words::Searched,
    found::{Found, Hit, Leg, Ranked, SegmentTrace, Trace},
    fusion::{Fused, Vote, fused},
    leg::{Ran, RankedPassage, kept_for},
    query::{Meant, PASSAGES_FOUND_MAX, Query, QueryWords},
    relevance,
    segment::{Chunk, Passage},
    view::{PassageAt, View},
};
use std::collections::{HashMap, HashSet};

/// Passages by which a leg found something.
type ByPassage = HashMap<PassageAt, RankedPassage>;

/// How much of the vote of words goes to a passage's meaning where its script is not that of the query. All of it would
/// put pages in the other language beside each one in the query's own.
const ACROSS_SHARE: f64 = 0.5;
/// What the vote of words is worth for a passage that meaning cannot rank, as it has no vector: that of both. Else each that
/// has one would stand before it.
const OF_BOTH: f64 = 2.0;

/// Searches the view and nothing else.
pub(crate) fn search(view: &View<'_>, query: &Query<'_>, meant: Meant<'_>) -> Found {
    let limit = query.limit.min(PASSAGES_FOUND_MAX);
    let words = QueryWords::of(query.text);
    let searched = Searched::new(view, &words);
    let meaning = by_meaning::ranked(view, &meant, kept_for(limit));
    let by_words = searched.ranked(view, meaning.ran.passages.is_empty(), kept_for(limit));
    let fusing = Fusing {
        view,
        meant,
        searched: &searched,
        by_words: by_passage(&by_words),
        by_meaning: by_passage(&meaning.ran),
    };
    let order = fusing.order(by_words.votes(), meaning.ran.votes());
    let hits = fusing.hits(&order, limit);
    let of_meaning = relevance::Meaning {
        has_ranked: !meaning.ran.passages.is_empty(),
        distance: meaning.distance,
        has_vector: &|at| fusing.has_vector(at),
    };
    let (relevant, relevance) = relevance::of(view, &searched, &hits, &of_meaning);
    let segments = view.segments().map(|(scope, segment)| {
        let vector = meant.of(scope);
        let of_query = vector.and_then(|vector| segment.matrix(vector.dimensions()));
        let vectors = of_query.map_or(0, |matrix| matrix.len());
        SegmentTrace { scope, chunks: segment.counts().chunks, vectors }
    });
    Found {
        relevant,
        trace: Trace {
            segments: segments.collect(),
            lexical: by_words.state,
            dense: meaning.ran.state,
            by_words: ranked(view, &by_words),
            by_meaning: ranked(view, &meaning.ran),
            relevance,
            words: words.searched_for(),
        },
        hits: hits.into_iter().map(|(_, hit)| hit).collect(),
    }
}

fn by_passage(ran: &Ran) -> ByPassage {
    ran.passages.iter().map(|passage| (passage.at, *passage)).collect()
}

struct Fusing<'a> {
    view: &'a View<'a>,
    meant: Meant<'a>,
    searched: &'a Searched<'a>,
    by_words: ByPassage,
    by_meaning: ByPassage,
}

impl Fusing<'_> {
    /// Where words cannot rank a passage, its meaning speaks for them in part: else all that has words of the
    /// query would stand before what is written in another script. Where meaning cannot, its words speak for both.
    fn order(
        &self,
        mut by_words: Vec<Vote<PassageAt>>,
        mut by_meaning: Vec<Vote<PassageAt>>,
    ) -> Vec<Fused<PassageAt>> {
        let known = by_words.first().map_or(0.0, |first| first.worth);
        if !by_meaning.is_empty() {
            for vote in &mut by_words {
                if !self.has_vector(vote.item) {
                    vote.worth *= OF_BOTH;
                }
            }
        }
        for vote in &mut by_meaning {
            let passage = self.view.passage(vote.item);
            if passage.is_some_and(|passage| !self.searched.meets(passage)) {
                vote.worth *= 1.0 + ACROSS_SHARE * known;
            }
        }
        fused([&by_words, &by_meaning])
    }

    /// Of the model that the query was embedded by in its scope.
    fn has_vector(&self, at: PassageAt) -> bool {
        let Some((scope, segment)) = self.view.get(at.segment) else { return false };
        let (vector, passage) = (self.meant.of(scope), segment.passage(at.number));
        vector.zip(passage).is_some_and(|(vector, passage)| {
            segment.vectors(passage, vector.dimensions()).next().is_some()
        })
    }

    /// Of passages whose best chunk has the same text the first stays.
    fn hits(&self, order: &[Fused<PassageAt>], limit: usize) -> Vec<(PassageAt, Hit)> {
        let mut texts = HashSet::new();
        let hits = order.iter().filter_map(|fused| {
            let (scope, _) = self.view.get(fused.item.segment)?;
            let passage = self.view.passage(fused.item)?;
            let best = self.best_chunk(fused, passage)?;
            if !texts.insert(best.hash) {
                return None;
            }
            let [by_words, by_meaning] = fused.ranks;
            let hit = Hit {
                scope,
                document: passage.document,
                passage: passage.passage,
                chunk: best.chunk,
                hash: best.hash,
                score: fused.score,
                lexical: leg(by_words, self.by_words.get(&fused.item)),
                dense: leg(by_meaning, self.by_meaning.get(&fused.item)),
            };
            Some((fused.item, hit))
        });
        hits.take(limit).collect()
    }

    /// By the leg that ranked the passage higher; by words where both did the same.
    fn best_chunk<'p>(&self, fused: &Fused<PassageAt>, passage: &'p Passage) -> Option<&'p Chunk> {
        let nth = self.by_meaning.get(&fused.item).and_then(|found| found.nth);
        let near = nth.and_then(|nth| passage.chunks.get(usize::try_from(nth).ok()?));
        match fused.ranks {
            [None, Some(_)] => near,
            [Some(words), Some(meaning)] if meaning < words => near,
            [Some(_), Some(_) | None] | [None, None] => self.wordiest(passage),
        }
    }

    fn wordiest<'p>(&self, passage: &'p Passage) -> Option<&'p Chunk> {
        let Searched { terms, all, .. } = self.searched;
        let mut best: Option<(f32, &Chunk)> = None;
        for chunk in &passage.chunks {
            let score = score_of(&chunk.terms, terms, all);
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, chunk));
            }
        }
        best.map(|(_, chunk)| chunk)
    }
}

fn leg(rank: Option<u32>, found: Option<&RankedPassage>) -> Option<Leg> {
    Some(Leg { rank: rank?, score: found?.score.into() })
}

fn ranked(view: &View<'_>, ran: &Ran) -> Vec<Ranked> {
    let passages = ran.passages.iter().take(PASSAGES_FOUND_MAX);
    let ranked = passages.filter_map(|ranked| {
        let passage = view.passage(ranked.at)?;
        Some(Ranked {
            scope: view.get(ranked.at.segment)?.0,
            document: passage.document,
            passage: passage.passage,
            score: ranked.score.into(),
            worth: ranked.worth,
        })
    });
    ranked.collect()
}
