//! The leg that ranks by words.

use crate::{
    best::Best,
    bm25::{Statistics, Weighed},
    coverage::Coverage,
    found::{LegOff, LegState},
    leg::{Ran, RankedPassage},
    query::{QueryWord, QueryWords},
    script::Scripts,
    segment::Passage,
    terms::{Field, Key},
    view::{PassageAt, View},
};
use std::collections::{HashMap, HashSet};

/// What a word in its own form is worth, or without its particle, beside a pair of its characters: the pairs
/// of a word are several, and say the same.
const WORD_WEIGHT: f32 = 0.5;
const PAIR_WEIGHT: f32 = 1.0;
/// What an identifier or a part of one is worth, which has no pairs.
const LETTERS_WEIGHT: f32 = 1.0;

/// So many of the best passages tell how much of the query words can answer.
const LOOKED_AT: usize = 5;

/// An identifier is rare where at most one in so many passages has it, or `RARE_PASSAGES`.
const RARE_ONE_IN: u64 = 50;
const RARE_PASSAGES: u64 = 3;

/// A query's words as one search uses them.
pub(crate) struct Searched<'a> {
    words: &'a QueryWords,
    /// How many passages have each of their terms.
    counts: HashMap<Key, u64>,
    pub(crate) all: Statistics,
    pub(crate) terms: Vec<Weighed>,
    pub(crate) coverage: Coverage<'a>,
}

impl<'a> Searched<'a> {
    pub(crate) fn new(view: &View<'_>, words: &'a QueryWords) -> Self {
        let all = view.statistics();
        let keys = words.words.iter().flat_map(|word| word.terms());
        let counts: HashMap<Key, u64> = keys.map(|(key, _)| (key, view.count(key))).collect();
        let coverage = Coverage::new(words, &all, |key| counts.get(key).copied().unwrap_or(0));
        let terms = weighed(words, &all, &counts);
        Self { words, counts, all, terms, coverage }
    }

    /// Ranks the passages. All have a vote where meaning does not rank; else those in a script of the query, and
    /// those that have a rare identifier of it. A vote is worth the passage's score as a share of the best
    /// one's, times the share of the query that words can answer at all.
    pub(crate) fn ranked(&self, view: &View<'_>, alone: bool, limit: usize) -> Ran {
        if self.all.passages() == 0 {
            return Ran::off(LegOff::NothingIndexed);
        }
        if self.words.words.is_empty() {
            return Ran::off(LegOff::NoWords);
        }
        let mut best = Best::new(limit);
        for (segment, (_, own)) in view.segments().enumerate() {
            let scores = own.postings().scores(&self.terms, &self.all);
            for (number, score) in (0..).zip(scores).filter(|(_, score)| *score > 0.0) {
                best.offer(score, PassageAt { segment, number });
            }
        }
        let rare = self.rare_identifiers();
        let voters = best.sorted().into_iter().filter_map(|scored| {
            let passage = view.passage(scored.item)?;
            Some((scored, passage, alone || self.may_vote(passage, &rare)))
        });
        let found: Vec<_> = voters.collect();
        let first = found.iter().filter(|(.., votes)| *votes).take(LOOKED_AT);
        let known = first.map(|(_, passage, _)| self.coverage.share(passage)).fold(0.0, f64::max);
        let top = found.iter().find(|(.., votes)| *votes).map_or(1.0, |(top, ..)| top.score);
        let passages = found.into_iter().map(|(scored, _, votes)| RankedPassage {
            at: scored.item,
            score: scored.score,
            worth: votes.then(|| known * f64::from(scored.score / top)),
            nth: None,
        });
        let passages: Vec<RankedPassage> = passages.collect();
        Ran { state: LegState::Ran { candidates: passages.len() }, passages }
    }

    /// `false`: all of the query's words are function words. What has them is about nothing of it.
    pub(crate) const fn asks_something(&self) -> bool {
        self.words.asks_something
    }

    /// Whether the passage can be ranked by the query's words at all.
    pub(crate) fn meets(&self, passage: &Passage) -> bool {
        let chunks = passage.chunks.iter();
        let scripts = chunks.fold(Scripts::default(), |all, chunk| all | chunk.terms.scripts());
        scripts.meets(self.words.scripts)
    }

    fn may_vote(&self, passage: &Passage, rare: &[Key]) -> bool {
        let has = |key: &Key| passage.chunks.iter().any(|chunk| chunk.terms.contains(*key));
        self.meets(passage) || rare.iter().any(has)
    }

    fn rare_identifiers(&self) -> Vec<Key> {
        let most = RARE_PASSAGES.max(self.all.passages() / RARE_ONE_IN);
        let identifiers = self.words.words.iter().filter(|word| word.is_identifier);
        let keys = identifiers.map(|word: &QueryWord| word.surface);
        let is_rare =
            |key: &Key| self.counts.get(key).is_some_and(|count| (1..=most).contains(count));
        keys.filter(is_rare).collect()
    }
}

/// Every term of the query that is there, once, by how rare it is in the scopes of the query.
fn weighed(words: &QueryWords, all: &Statistics, counts: &HashMap<Key, u64>) -> Vec<Weighed> {
    let mut seen = HashSet::new();
    let mut terms = Vec::new();
    for word in words.words.iter().filter(|word| !word.is_left_out) {
        let own = if word.pairs.is_empty() { LETTERS_WEIGHT } else { WORD_WEIGHT };
        for (key, field) in word.terms() {
            let weight = match field {
                Field::Words => own,
                Field::Pairs => PAIR_WEIGHT,
            };
            let count = counts.get(&key).copied().unwrap_or(0);
            if count > 0 && seen.insert(key) {
                terms.push(Weighed { key, field, weight: weight * all.rarity(count) });
            }
        }
    }
    terms
}
