//! How good an order is, by what should have been found.

/// Normalised discounted cumulative gain of the first `k`: 1 for the best order there is, 0 where nothing of
/// worth is found. `gains` are what is worth finding, each once; where there is none, 0.
#[must_use]
pub fn ndcg_at<T: PartialEq>(ranked: &[T], gains: &[(T, f64)], k: usize) -> f64 {
    let gain =
        |item: &T| gains.iter().find(|(worth, _)| worth == item).map_or(0.0, |(_, gain)| *gain);
    let found = discounted(ranked.iter().take(k).map(gain));
    let mut best: Vec<f64> = gains.iter().map(|(_, gain)| *gain).collect();
    best.sort_by(|a, b| b.total_cmp(a));
    let best = discounted(best.into_iter().take(k));
    if best > 0.0 { found / best } else { 0.0 }
}

/// The share of what is worth finding that is among the first `k`; 0 where nothing is.
#[must_use]
pub fn recall_at<T: PartialEq>(ranked: &[T], worth: &[T], k: usize) -> f64 {
    let first = ranked.get(..k.min(ranked.len())).unwrap_or_default();
    let found = worth.iter().filter(|item| first.contains(item)).count();
    if worth.is_empty() { 0.0 } else { found as f64 / worth.len() as f64 }
}

/// One over the rank of the first that is worth finding; 0 where none is found. Its mean over queries is MRR.
#[must_use]
pub fn reciprocal_rank<T: PartialEq>(ranked: &[T], worth: &[T]) -> f64 {
    let first = ranked.iter().position(|item| worth.contains(item));
    first.map_or(0.0, |at| 1.0 / (at as f64 + 1.0))
}

fn discounted(gains: impl Iterator<Item = f64>) -> f64 {
    gains.zip(1_u32..).map(|(gain, rank)| gain / (f64::from(rank) + 1.0).log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 1e-9
    }

    #[test]
    fn one_known_item_counts_by_its_rank() {
        let gains = [('b', 1.0)];
        assert!(near(ndcg_at(&['b', 'a'], &gains, 10), 1.0));
        assert!(near(ndcg_at(&['a', 'b'], &gains, 10), 1.0 / 3.0_f64.log2()));
        assert!(near(ndcg_at(&['a', 'b'], &gains, 1), 0.0));
        assert!(near(ndcg_at(&['a'], &[], 10), 0.0));
    }

    #[test]
    fn grades_are_compared_with_the_best_order() {
        let gains = [('a', 1.0), ('b', 3.0)];
        let best = 3.0 + 1.0 / 3.0_f64.log2();
        let found = 1.0 + 3.0 / 3.0_f64.log2();
        assert!(near(ndcg_at(&['b', 'a'], &gains, 10), 1.0));
        assert!(near(ndcg_at(&['a', 'b'], &gains, 10), found / best));
    }

    #[test]
    fn recall_and_reciprocal_rank() {
        assert!(near(recall_at(&['a', 'b', 'c'], &['c', 'd'], 3), 0.5));
        assert!(near(recall_at(&['a', 'b', 'c'], &['c', 'd'], 2), 0.0));
        assert!(near(recall_at(&['a'], &[], 2), 0.0));
        assert!(near(reciprocal_rank(&['a', 'b', 'c'], &['c', 'b']), 0.5));
        assert!(near(reciprocal_rank(&['a'], &['c']), 0.0));
    }
}
