//! Postings sorted by their terms, in buckets of neighbouring keys.
//!
//! A hash table of lists would have to find each term's list anew for each document, somewhere in memory: most
//! of the time of a restart. Here a posting goes behind the others of its bucket, and a bucket is sorted when
//! what came since is half of what was. A look into it is a binary search, and a glance at what came since.

use crate::terms::{COUNT_MAX, Key};

/// Bits of a posting that are the count.
const COUNT_BITS: u32 = 6;
const COUNT_MASK: u64 = (1 << COUNT_BITS) - 1;
/// Bits before the key: the passage's number and the count.
const KEY_AT: u32 = 32;

/// How many passages a scope can number: 67 million.
pub(crate) const NUMBERS_MAX: u32 = u32::MAX >> COUNT_BITS;

/// In one bucket on average, before there are twice as many buckets.
const BUCKET_MEAN_MAX: usize = 4_096;
const BUCKET_BITS_MAX: u32 = 20;
/// So many may come to a small bucket before it is sorted.
const NEW_MIN: usize = 64;

/// One passage that has a term, and how often. Ordered by the term, then by the passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Posting(u64);

impl Posting {
    pub(crate) fn new(key: Key, number: u32, count: u8) -> Self {
        let (key, number) = (u64::from(key.0) << KEY_AT, u64::from(number) << COUNT_BITS);
        Self(key | number | u64::from(count.min(COUNT_MAX)))
    }

    pub(crate) const fn key(self) -> Key {
        Key((self.0 >> KEY_AT) as u32)
    }

    pub(crate) const fn number(self) -> u32 {
        (self.0 as u32) >> COUNT_BITS
    }

    pub(crate) const fn count(self) -> u8 {
        (self.0 & COUNT_MASK) as u8
    }

    /// The same with its number counted from `first`.
    pub(crate) const fn behind(self, first: u32) -> Self {
        Self(self.0 + ((first as u64) << COUNT_BITS))
    }
}

/// The postings of one scope.
#[derive(Debug)]
pub(crate) struct Buckets {
    /// A power of two of them.
    all: Vec<Bucket>,
    bits: u32,
    len: usize,
}

#[derive(Debug, Default)]
struct Bucket {
    postings: Vec<Posting>,
    /// So many of them are sorted; behind them is what came since, as it came.
    sorted: usize,
}

impl Default for Buckets {
    fn default() -> Self {
        Self { all: vec![Bucket::default()], bits: 0, len: 0 }
    }
}

impl Buckets {
    pub(crate) fn push(&mut self, posting: Posting) {
        if self.len >= self.all.len() * BUCKET_MEAN_MAX && self.bits < BUCKET_BITS_MAX {
            self.double();
        }
        let at = self.bucket_of(posting.key());
        if let Some(bucket) = self.all.get_mut(at) {
            bucket.push(posting);
            self.len += 1;
        }
    }

    /// The postings of a term, by the number of the passage where they are sorted.
    pub(crate) fn of(&self, key: Key) -> impl Iterator<Item = Posting> {
        let (sorted, new) = self.parts(key);
        let new = new.iter().filter(move |posting| posting.key() == key);
        sorted.iter().chain(new).copied()
    }

    /// How many postings a term has.
    pub(crate) fn count(&self, key: Key) -> usize {
        let (sorted, new) = self.parts(key);
        sorted.len() + new.iter().filter(|posting| posting.key() == key).count()
    }

    /// Gives every posting the new number of its passage, in the same order; takes it out where there is none.
    pub(crate) fn renumber(&mut self, new: impl Fn(u32) -> Option<u32>) {
        self.len = 0;
        for bucket in &mut self.all {
            bucket.sort();
            bucket.postings.retain_mut(|posting| {
                let Some(number) = new(posting.number()) else { return false };
                *posting = Posting::new(posting.key(), number, posting.count());
                true
            });
            bucket.postings.shrink_to_fit();
            bucket.sorted = bucket.postings.len();
            self.len += bucket.sorted;
        }
    }

    /// The sorted postings of the term, and the bucket's new ones of all terms.
    fn parts(&self, key: Key) -> (&[Posting], &[Posting]) {
        let Some(bucket) = self.all.get(self.bucket_of(key)) else { return (&[], &[]) };
        let (sorted, new) = bucket.postings.split_at_checked(bucket.sorted).unwrap_or_default();
        let from = sorted.partition_point(|posting| posting.key() < key);
        let own = sorted.get(from..).unwrap_or_default();
        let to = own.partition_point(|posting| posting.key() == key);
        (own.get(..to).unwrap_or_default(), new)
    }

    fn bucket_of(&self, key: Key) -> usize {
        let at = key.0.checked_shr(u32::BITS - self.bits).unwrap_or(0);
        usize::try_from(at).unwrap_or(0)
    }

    /// Cuts each bucket in two.
    fn double(&mut self) {
        self.bits += 1;
        let mut all = Vec::with_capacity(self.all.len() * 2);
        for mut lower in std::mem::take(&mut self.all) {
            lower.sort();
            // The upper half has the new bit in its keys.
            let bit = 1 << (u32::BITS - self.bits);
            let at = lower.postings.partition_point(|posting| posting.key().0 & bit == 0);
            let postings = lower.postings.split_off(at);
            lower.sorted = at;
            let upper = Bucket { sorted: postings.len(), postings };
            all.extend([lower, upper]);
        }
        self.all = all;
    }
}

impl Bucket {
    fn push(&mut self, posting: Posting) {
        self.postings.push(posting);
        let new = self.postings.len() - self.sorted;
        if new > NEW_MIN.max(self.sorted / 2) {
            self.sort();
        }
    }

    fn sort(&mut self) {
        // It merges what is sorted already with the rest.
        self.postings.sort();
        self.sorted = self.postings.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// Keys in all corners, some of them neighbours.
    fn key(nth: u32) -> Key {
        Key((nth % 700).wrapping_mul(0x9e37_79b9) ^ (nth % 3))
    }

    fn filled(numbers: u32) -> Buckets {
        let mut buckets = Buckets::default();
        for number in 0..numbers {
            for nth in 0..5 {
                buckets.push(Posting::new(key(number * 7 + nth), number, 1 + (nth % 3) as u8));
            }
        }
        buckets
    }

    fn by_key(numbers: u32) -> BTreeMap<Key, Vec<(u32, u8)>> {
        let mut all: BTreeMap<Key, Vec<(u32, u8)>> = BTreeMap::new();
        for number in 0..numbers {
            for nth in 0..5 {
                let own = all.entry(key(number * 7 + nth)).or_default();
                own.push((number, 1 + (nth % 3) as u8));
            }
        }
        all
    }

    fn found(buckets: &Buckets, key: Key) -> Vec<(u32, u8)> {
        let mut all: Vec<_> =
            buckets.of(key).map(|found| (found.number(), found.count())).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn a_posting_is_what_it_was_made_of() {
        let posting = Posting::new(Key(u32::MAX), NUMBERS_MAX - 1, 200);
        let parts = (posting.key(), posting.number(), posting.count());
        assert_eq!(parts, (Key(u32::MAX), NUMBERS_MAX - 1, COUNT_MAX));
        assert_eq!(Posting::new(Key(7), 3, 1).behind(5), Posting::new(Key(7), 8, 1));
    }

    #[test]
    fn every_posting_is_found_however_many_there_are() {
        for numbers in [0, 1, 10, 500, 20_000] {
            let buckets = filled(numbers);
            for (key, mut postings) in by_key(numbers) {
                postings.sort_unstable();
                assert_eq!(found(&buckets, key), postings);
                assert_eq!(buckets.count(key), postings.len());
            }
            assert_eq!(buckets.count(Key(5)), 0);
        }
        assert!(filled(20_000).all.len() > 8, "several buckets");
    }

    #[test]
    fn renumbering_takes_out_what_has_no_number() {
        let mut buckets = filled(2_000);
        buckets.renumber(|number| (number % 2 == 1).then_some(number / 2));
        for (key, mut postings) in by_key(2_000) {
            postings.retain(|(number, _)| number % 2 == 1);
            postings.iter_mut().for_each(|(number, _)| *number /= 2);
            postings.sort_unstable();
            assert_eq!(found(&buckets, key), postings);
        }
        buckets.push(Posting::new(Key(9), 1_000, 1));
        assert_eq!(found(&buckets, Key(9)), [(1_000, 1)]);
    }
}
