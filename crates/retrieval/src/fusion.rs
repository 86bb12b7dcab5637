//! Two orders become one: reciprocal rank fusion (Cormack, Clarke and Büttcher 2009), with weighed votes.
//!
//! Ranks are comparable where scores are not. But a leg that knows nothing ranks too: its first passage would
//! count as much as that of a leg that is sure. So each vote is worth what its leg knows of it, from 0 to 1,
//! beside what its rank is worth. Votes of equal worth give the plain fusion.

use std::collections::HashMap;
use std::hash::Hash;

/// How little the first ranks differ from those behind them.
const K: f64 = 60.0;

/// One leg's word for an item; its place in the list is its rank.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Vote<T> {
    pub(crate) item: T,
    /// From 0 to 1; more where it stands in for the other leg's.
    pub(crate) worth: f64,
}

/// Something and its fused score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fused<T> {
    pub(crate) item: T,
    pub(crate) score: f64,
    /// Its rank in each list, from 1.
    pub(crate) ranks: [Option<u32>; 2],
}

/// Every item of two orders, the best first; equal scores by the better of their ranks, then as the items
/// are ordered. An item stands at most once in each list.
pub(crate) fn fused<T: Copy + Eq + Hash + Ord>(lists: [&[Vote<T>]; 2]) -> Vec<Fused<T>> {
    let mut all: HashMap<T, Fused<T>> = HashMap::new();
    for (list, votes) in lists.into_iter().enumerate() {
        for (vote, rank) in votes.iter().zip(1_u32..) {
            let new = Fused { item: vote.item, score: 0.0, ranks: [None; 2] };
            let entry = all.entry(vote.item).or_insert(new);
            entry.score += vote.worth / (K + f64::from(rank));
            if let Some(own) = entry.ranks.get_mut(list) {
                *own = Some(rank);
            }
        }
    }
    let mut all: Vec<Fused<T>> = all.into_values().collect();
    let best = |fused: &Fused<T>| fused.ranks.into_iter().flatten().min();
    all.sort_by(|a, b| {
        let by_score = b.score.total_cmp(&a.score);
        by_score.then_with(|| best(a).cmp(&best(b))).then_with(|| a.item.cmp(&b.item))
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn votes(items: &str, worth: f64) -> Vec<Vote<char>> {
        items.chars().map(|item| Vote { item, worth }).collect()
    }

    fn order(first: &str, second: &str) -> String {
        let all = fused([&votes(first, 1.0), &votes(second, 1.0)]);
        all.into_iter().map(|fused| fused.item).collect()
    }

    #[test]
    fn what_both_rank_high_comes_first() {
        assert_eq!(order("abc", "bda"), "badc");
        assert_eq!(order("ab", "ba"), "ab");
    }

    #[test]
    fn a_list_alone_keeps_its_order() {
        assert_eq!(order("cab", ""), "cab");
        assert_eq!(order("", "cab"), "cab");
        assert_eq!(order("", ""), "");
    }

    #[test]
    fn a_score_is_the_sum_of_its_votes() {
        let both = fused([&votes("a", 1.0), &votes("ba", 0.5)]);
        let first = both.first().expect("two items");
        assert_eq!((first.item, first.ranks), ('a', [Some(1), Some(2)]));
        assert!((first.score - (1.0 / 61.0 + 0.5 / 62.0)).abs() < 1e-12);
    }

    #[test]
    fn a_leg_that_knows_little_does_not_outvote_one_that_is_sure() {
        let all = fused([&votes("abc", 0.1), &votes("xyz", 1.0)]);
        let order: String = all.into_iter().map(|fused| fused.item).collect();
        assert_eq!(order, "xyzabc");
    }
}
