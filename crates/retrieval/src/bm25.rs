//! BM25 over the scopes of one query (Robertson and Zaragoza 2009).
//!
//! Words and pairs are two fields, each with its own length and average, so that a Korean passage is not
//! taken for a long one where English stands beside it. Numbers of passages and words are those of the scopes
//! of the query alone: what others may read changes no score.

use crate::terms::{Field, Key, Terms};

/// How fast a word's count saturates: a passage is long, its best word stands there often.
const K1: f32 = 2.0;
/// How much a long passage's counts are worth less.
const B: f32 = 0.75;

/// What BM25 has to know of all passages together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Statistics {
    passages: u64,
    words: u64,
    pairs: u64,
    with_pairs: u64,
}

/// Words and pairs of a passage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Length {
    words: u32,
    pairs: u32,
}

/// One term of a query, with what it is worth.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weighed {
    pub(crate) key: Key,
    pub(crate) field: Field,
    pub(crate) weight: f32,
}

/// The score of one chunk by itself, to find the best of a passage.
pub(crate) fn score_of(chunk: &Terms, terms: &[Weighed], all: &Statistics) -> f32 {
    let of = |term: &Weighed| {
        let length = Length::of(std::iter::once(chunk)).of_field(term.field);
        Worth::of(term, all).of_count(chunk.count(term.key), length)
    };
    terms.iter().map(of).sum()
}

/// What one term adds to a score, by its count and the passage's length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Worth {
    weight: f32,
    fixed: f32,
    of_length: f32,
}

impl Worth {
    pub(crate) fn of(term: &Weighed, all: &Statistics) -> Self {
        Self {
            weight: term.weight * (K1 + 1.0),
            fixed: K1 * (1.0 - B),
            of_length: K1 * B / all.average(term.field),
        }
    }

    #[inline]
    pub(crate) fn of_count(self, count: u8, length: f32) -> f32 {
        let count = f32::from(count);
        self.weight * count / (count + self.fixed + self.of_length * length)
    }
}

impl Length {
    pub(crate) fn of<'a>(chunks: impl Iterator<Item = &'a Terms>) -> Self {
        chunks.fold(Self::default(), |all, chunk| Self {
            words: all.words.saturating_add(chunk.length(Field::Words)),
            pairs: all.pairs.saturating_add(chunk.length(Field::Pairs)),
        })
    }

    /// Of a passage whose lengths were kept as numbers for the score: they are whole.
    pub(crate) const fn from_fields(words: f32, pairs: f32) -> Self {
        Self { words: words as u32, pairs: pairs as u32 }
    }

    pub(crate) const fn of_field(self, field: Field) -> f32 {
        match field {
            Field::Words => self.words as f32,
            Field::Pairs => self.pairs as f32,
        }
    }
}

impl Statistics {
    pub(crate) fn add(&mut self, length: Length) {
        self.passages += 1;
        self.words += u64::from(length.words);
        self.pairs += u64::from(length.pairs);
        self.with_pairs += u64::from(length.pairs > 0);
    }

    pub(crate) fn take(&mut self, length: Length) {
        self.passages = self.passages.saturating_sub(1);
        self.words = self.words.saturating_sub(length.words.into());
        self.pairs = self.pairs.saturating_sub(length.pairs.into());
        self.with_pairs = self.with_pairs.saturating_sub(u64::from(length.pairs > 0));
    }

    /// Of several scopes together.
    pub(crate) fn of(scopes: impl Iterator<Item = Self>) -> Self {
        scopes.fold(Self::default(), |all, one| Self {
            passages: all.passages + one.passages,
            words: all.words + one.words,
            pairs: all.pairs + one.pairs,
            with_pairs: all.with_pairs + one.with_pairs,
        })
    }

    /// How rare a term is that so many passages have: BM25's idf, never negative.
    pub(crate) fn rarity(&self, count: u64) -> f32 {
        let (all, with) = (self.passages as f64, count as f64);
        ((all - with + 0.5).max(0.0) / (with + 0.5)).ln_1p() as f32
    }

    pub(crate) const fn passages(&self) -> u64 {
        self.passages
    }

    fn average(&self, field: Field) -> f32 {
        let (length, passages) = match field {
            Field::Words => (self.words, self.passages),
            Field::Pairs => (self.pairs, self.with_pairs),
        };
        (length as f64 / passages.max(1) as f64).max(1.0) as f32
    }
}
