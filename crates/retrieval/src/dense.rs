//! The dense index of one scope: every vector is compared with the query, none is passed over.
//!
//! Small rows are scanned; the best are compared once more with the numbers that the embedder gave.

use crate::{
    best::Best,
    row::{Probe, Row, width},
    spread::Spread,
    vector::Vector,
};
use std::sync::{Arc, OnceLock};

/// Pairs of chunks that are compared to learn how near strangers are.
const STRANGERS: u64 = 256;

/// The chunk that a row is of: its passage's number in the segment, and which of its chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ChunkAt {
    pub(crate) number: u32,
    pub(crate) nth: u32,
}

/// The vectors of one scope that have the same dimensions.
#[derive(Debug)]
pub(crate) struct Matrix {
    dimensions: usize,
    /// `width` bytes for each row.
    rows: Vec<u8>,
    scales: Vec<f32>,
    vectors: Vec<Arc<Vector>>,
    owners: Vec<ChunkAt>,
    /// Found when it is first asked for, until a row comes or goes.
    strangers: OnceLock<Strangers>,
}

/// What two chunks have to do with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pair {
    OfOtherDocuments,
    /// Of one document, and far apart in it.
    FarApart,
    Near,
}

/// How near chunks are that have nothing to do with each other.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Strangers {
    pub(crate) of_others: Spread,
    /// These have a subject in common: what counts where there are hardly any others.
    pub(crate) far_apart: Spread,
}

impl Matrix {
    pub(crate) const fn new(dimensions: usize) -> Self {
        Self {
            dimensions,
            rows: Vec::new(),
            scales: Vec::new(),
            vectors: Vec::new(),
            owners: Vec::new(),
            strangers: OnceLock::new(),
        }
    }

    pub(crate) const fn len(&self) -> usize {
        self.owners.len()
    }

    /// Adds a row behind the others. It has the dimensions of the matrix.
    pub(crate) fn push(&mut self, row: Row, owner: ChunkAt) {
        debug_assert_eq!(row.vector.dimensions(), self.dimensions);
        self.rows.extend(&row.bytes);
        self.scales.push(row.scale);
        self.vectors.push(row.vector);
        self.owners.push(owner);
        self.strangers.take();
    }

    /// Takes a row out; the last one takes its number. Answers the owner of the one that moved.
    pub(crate) fn swap_remove(&mut self, row: usize) -> Option<ChunkAt> {
        let last = self.len().checked_sub(1).filter(|last| row <= *last)?;
        let width = width(self.dimensions);
        self.rows.copy_within(last * width.., row * width);
        self.rows.truncate(last * width);
        self.scales.swap_remove(row);
        self.vectors.swap_remove(row);
        self.owners.swap_remove(row);
        self.strangers.take();
        self.owners.get(row).copied()
    }

    /// Tells every row its passage's new number.
    pub(crate) fn renumber(&mut self, new: impl Fn(u32) -> Option<u32>) {
        for owner in &mut self.owners {
            owner.number = new(owner.number).unwrap_or(owner.number);
        }
    }

    pub(crate) fn vector(&self, row: usize) -> Option<&Vector> {
        self.vectors.get(row).map(|vector| &**vector)
    }

    /// The rows with the highest cosine, the best first. The query has the dimensions of the matrix.
    pub(crate) fn scan(&self, query: &Vector, limit: usize) -> Vec<(f32, ChunkAt)> {
        let probe = Probe::new(query);
        let mut best = Best::new(limit);
        let rows = self.rows.chunks_exact(width(self.dimensions)).zip(&self.scales);
        for (row, (bytes, scale)) in rows.enumerate() {
            best.offer(probe.product(bytes) * scale, row);
        }
        let near = best.sorted().into_iter();
        let exact = near.filter_map(|near| {
            let (vector, owner) = (self.vectors.get(near.item)?, self.owners.get(near.item)?);
            Some((query.cosine(vector), *owner))
        });
        let mut exact: Vec<(f32, ChunkAt)> = exact.collect();
        exact.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        exact
    }

    /// Of a sample of pairs, the same for the same rows.
    pub(crate) fn strangers(&self, pair: impl Fn(ChunkAt, ChunkAt) -> Pair) -> Strangers {
        *self.strangers.get_or_init(|| {
            let mut strangers = Strangers::default();
            for nth in 0..STRANGERS {
                let (Some(a), Some(b)) = (self.drawn(2 * nth), self.drawn(2 * nth + 1)) else {
                    continue;
                };
                match pair(a.1, b.1) {
                    Pair::OfOtherDocuments => strangers.of_others.add(a.0.cosine(b.0)),
                    Pair::FarApart => strangers.far_apart.add(a.0.cosine(b.0)),
                    Pair::Near => {}
                }
            }
            strangers
        })
    }

    /// The row of the `nth` draw: scattered numbers (SplitMix64), the same each time.
    fn drawn(&self, nth: u64) -> Option<(&Vector, ChunkAt)> {
        let mut number = nth.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let row = (number ^ (number >> 31)).checked_rem(u64::try_from(self.len()).ok()?)?;
        let row = usize::try_from(row).ok()?;
        Some((self.vector(row)?, *self.owners.get(row)?))
    }
}

#[cfg(test)]
mod tests;
