//! The best few of many scores.

use std::{cmp::Ordering, collections::BinaryHeap};

/// A score and what has it; equal scores go by `item`, the smaller first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scored<T> {
    pub(crate) score: f32,
    pub(crate) item: T,
}

/// Keeps the best `limit` of what is offered.
#[derive(Debug)]
pub(crate) struct Best<T> {
    limit: usize,
    /// The worst on top.
    heap: BinaryHeap<Worst<T>>,
    least: f32,
}

#[derive(Debug)]
struct Worst<T>(Scored<T>);

impl<T: Ord> Best<T> {
    pub(crate) fn new(limit: usize) -> Self {
        let least = if limit == 0 { f32::INFINITY } else { f32::NEG_INFINITY };
        Self { limit, heap: BinaryHeap::with_capacity(limit + 1), least }
    }

    /// Most of what is offered is worse than all that is kept: that is found here, in one comparison.
    #[inline]
    pub(crate) fn offer(&mut self, score: f32, item: T) {
        if score >= self.least {
            self.insert(Scored { score, item });
        }
    }

    fn insert(&mut self, scored: Scored<T>) {
        self.heap.push(Worst(scored));
        if self.heap.len() > self.limit {
            self.heap.pop();
        }
        if self.heap.len() == self.limit {
            self.least = self.heap.peek().map_or(f32::INFINITY, |worst| worst.0.score);
        }
    }

    /// The best first.
    pub(crate) fn sorted(self) -> Vec<Scored<T>> {
        self.heap.into_sorted_vec().into_iter().map(|worst| worst.0).collect()
    }
}

impl<T: Ord> Ord for Worst<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = other.0.score.total_cmp(&self.0.score);
        by_score.then_with(|| self.0.item.cmp(&other.0.item))
    }
}

impl<T: Ord> PartialOrd for Worst<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord> PartialEq for Worst<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T: Ord> Eq for Worst<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(limit: usize, scores: &[f32]) -> Vec<usize> {
        let mut best = Best::new(limit);
        scores.iter().enumerate().for_each(|(item, score)| best.offer(*score, item));
        best.sorted().into_iter().map(|scored| scored.item).collect()
    }

    #[test]
    fn the_best_come_first_and_equal_ones_in_order() {
        assert_eq!(best(3, &[1.0, 5.0, 3.0, 5.0, 2.0]), [1, 3, 2]);
        assert_eq!(best(2, &[1.0, 1.0, 1.0]), [0, 1]);
        assert_eq!(best(9, &[1.0, 2.0]), [1, 0]);
        assert_eq!(best(0, &[1.0]), [0; 0]);
    }
}
