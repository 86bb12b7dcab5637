//! The lexical index of one scope.
//!
//! What is ranked is a passage, by the words of all its chunks: the words of a question stand seldom in one
//! chunk. Passages are numbered in the order in which they came. One that goes is as good as infinitely long
//! from then on: no term of it scores or is counted, until all get new numbers.

use crate::{
    bm25::{Length, Statistics, Weighed, Worth},
    buckets::{Buckets, NUMBERS_MAX, Posting},
    terms::{Field, Key, Terms},
};
use std::ops::Range;

/// Of a passage that has gone.
const GONE: f32 = f32::INFINITY;

/// Postings of one scope.
#[derive(Debug, Default)]
pub(crate) struct Postings {
    buckets: Buckets,
    words: Vec<f32>,
    pairs: Vec<f32>,
    statistics: Statistics,
}

/// The terms of a document's passages, found before the index is locked. Numbers are counted in the document.
#[derive(Debug, Default)]
pub(crate) struct DocumentTerms {
    postings: Vec<Posting>,
    lengths: Vec<Length>,
}

impl DocumentTerms {
    /// Adds the next passage. `extra` are terms that are no words of its own text: they count where its chunks
    /// lack them.
    pub(crate) fn push<'a>(
        &mut self,
        chunks: impl Iterator<Item = &'a Terms> + Clone,
        extra: &Terms,
    ) {
        let number = u32::try_from(self.lengths.len()).unwrap_or(NUMBERS_MAX);
        let posting = |(key, count)| Posting::new(key, number, count);
        let from = self.postings.len();
        self.postings.extend(chunks.clone().flat_map(Terms::iter).map(posting));
        let extra = extra.iter().filter(|(key, _)| !chunks.clone().any(|own| own.contains(*key)));
        self.postings.extend(extra.map(posting));
        // Each chunk's terms are sorted already, and this sort merges what is.
        self.postings.get_mut(from..).unwrap_or_default().sort();
        self.lengths.push(Length::of(chunks));
    }

    /// Adds up what the chunks of a passage have of a term.
    pub(crate) fn summed(mut self) -> Self {
        self.postings.dedup_by(|next, kept| {
            let is_same = (kept.key(), kept.number()) == (next.key(), next.number());
            if is_same {
                let count = kept.count().saturating_add(next.count());
                *kept = Posting::new(kept.key(), kept.number(), count);
            }
            is_same
        });
        self
    }
}

impl Postings {
    /// Adds the passages of a document under the next numbers.
    pub(crate) fn push(&mut self, document: &DocumentTerms) {
        let first = u32::try_from(self.words.len()).unwrap_or(NUMBERS_MAX);
        for posting in &document.postings {
            self.buckets.push(posting.behind(first));
        }
        for length in &document.lengths {
            self.words.push(length.of_field(Field::Words));
            self.pairs.push(length.of_field(Field::Pairs));
            self.statistics.add(*length);
        }
    }

    /// Takes the passages of a range out. The numbers stay empty.
    pub(crate) fn remove(&mut self, numbers: Range<usize>) {
        let words = self.words.get_mut(numbers.clone()).unwrap_or_default();
        let pairs = self.pairs.get_mut(numbers).unwrap_or_default();
        for (words, pairs) in words.iter_mut().zip(pairs).filter(|(words, _)| **words < GONE) {
            self.statistics.take(Length::from_fields(*words, *pairs));
            (*words, *pairs) = (GONE, GONE);
        }
    }

    /// Gives every passage the number that `numbers` has for its old one, in the same order. Those without
    /// one are gone.
    pub(crate) fn renumber(&mut self, numbers: &[Option<u32>]) {
        self.buckets.renumber(|old| *numbers.get(usize::try_from(old).ok()?)?);
        for lengths in [&mut self.words, &mut self.pairs] {
            let mut is_live = numbers.iter().map(Option::is_some);
            lengths.retain(|_| is_live.next().unwrap_or(false));
        }
    }

    pub(crate) const fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// How many passages have the term.
    pub(crate) fn count(&self, key: Key) -> usize {
        if self.statistics.passages() == self.words.len() as u64 {
            return self.buckets.count(key);
        }
        let length = |posting: &Posting| self.words.get(usize::try_from(posting.number()).ok()?);
        self.buckets
            .of(key)
            .filter(|posting| length(posting).is_some_and(|len| *len < GONE))
            .count()
    }

    /// The score of every number, 0 for none.
    pub(crate) fn scores(&self, terms: &[Weighed], all: &Statistics) -> Vec<f32> {
        let mut scores = vec![0.0; self.words.len()];
        for term in terms {
            let lengths = match term.field {
                Field::Words => &self.words,
                Field::Pairs => &self.pairs,
            };
            let worth = Worth::of(term, all);
            self.buckets.of(term.key).for_each(|posting| {
                let Ok(number) = usize::try_from(posting.number()) else { return };
                if let (Some(score), Some(length)) = (scores.get_mut(number), lengths.get(number)) {
                    *score += worth.of_count(posting.count(), *length);
                }
            });
        }
        scores
    }
}
