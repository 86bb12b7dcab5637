//! How much of a query a passage has, by its words.

use crate::{
    bm25::Statistics,
    query::{QueryWord, QueryWords},
    segment::Passage,
    terms::Key,
};

/// The informative words of a query, each with how rare it is in the scopes of the query. A word that no
/// passage has is as rare as one that a single passage has: it says as little against that passage where eight are
/// searched as where thousands are. A query about something that is nowhere is covered by nothing.
pub(crate) struct Coverage<'a> {
    words: Vec<(&'a QueryWord, f64)>,
    all: f64,
}

impl<'a> Coverage<'a> {
    /// `count` tells how many passages have a term.
    pub(crate) fn new(
        words: &'a QueryWords,
        all: &Statistics,
        count: impl Fn(&Key) -> u64,
    ) -> Self {
        let informative = words.words.iter().filter(|word| word.is_informative);
        let rarity = |word| f64::from(all.rarity(passages_with(word, &count).max(1)));
        let words: Vec<(&QueryWord, f64)> = informative.map(|word| (word, rarity(word))).collect();
        let all = words.iter().map(|(_, rarity)| rarity).sum();
        Self { words, all }
    }

    /// The share of the words that a passage has, each by its rarity: from 0 to 1.
    pub(crate) fn share(&self, passage: &Passage) -> f64 {
        let has = |key: &Key| passage.chunks.iter().any(|chunk| chunk.terms.contains(*key));
        let of = |(word, rarity): &(&QueryWord, f64)| rarity * word_share(word, has);
        let found: f64 = self.words.iter().map(of).sum();
        if self.all > 0.0 { found / self.all } else { 0.0 }
    }
}

/// Passages that have the word in a form that stands for it whole; where none does, those that may have it:
/// they have its rarest pair.
fn passages_with(word: &QueryWord, count: impl Fn(&Key) -> u64) -> u64 {
    let whole = word.whole().map(&count).max().unwrap_or(0);
    let pairs = word.pairs.iter().map(&count).min().unwrap_or(0);
    whole.max(pairs)
}

/// 1 where the word stands there whole, else the share of its parts that do.
fn word_share(word: &QueryWord, has: impl Fn(&Key) -> bool) -> f64 {
    if word.whole().any(&has) {
        return 1.0;
    }
    let parts = word.parts();
    let found = parts.iter().filter(|key| has(key)).count();
    found as f64 / parts.len().max(1) as f64
}
