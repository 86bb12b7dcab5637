//! Where among the first passages the one with the answer stands: models overlook what stands in the middle.

use wiiiv_context::{PASSAGES_DEFAULT, PassageHit, PassageOptions, Passages};

/// As many as a prompt shows where nothing else is asked for.
pub const SHOWN: usize = PASSAGES_DEFAULT;

/// Of queries whose answer is among the first passages.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Attention {
    /// How many queries were asked.
    pub asked: usize,
    /// By the position at which it is shown, the best first.
    pub as_ranked: [usize; SHOWN],
    /// The same, the best ones first and last: 1 3 5 4 2.
    pub reordered: [usize; SHOWN],
    /// Passages to the nearer end of all that are shown, summed up.
    distances: [usize; 2],
}

impl Attention {
    /// `answer`: at which position of so many it was ranked, from 0.
    pub fn add(&mut self, answer: Option<usize>, shown: usize) {
        self.asked += 1;
        let Some(ranked) = answer.filter(|at| *at < shown.min(SHOWN)) else { return };
        let order = shown_order(shown.min(SHOWN));
        let moved = order.iter().position(|at| *at == ranked).unwrap_or(ranked);
        let lists = [&mut self.as_ranked, &mut self.reordered];
        for ((list, sum), at) in lists.into_iter().zip(&mut self.distances).zip([ranked, moved]) {
            list.get_mut(at).into_iter().for_each(|count| *count += 1);
            *sum += at.min(shown.min(SHOWN) - 1 - at);
        }
    }

    /// Queries whose answer is shown.
    pub fn shown(&self) -> usize {
        self.as_ranked.iter().sum()
    }

    /// Passages between the answer and the nearer end, on average: as ranked, and reordered.
    pub fn end_distances(&self) -> [f64; 2] {
        self.distances.map(|sum| sum as f64 / (self.shown() as f64).max(1.0))
    }
}

/// Ranks in the order in which a prompt shows so many passages.
fn shown_order(count: usize) -> Vec<usize> {
    let hit = PassageHit { text: "text".to_owned(), ..PassageHit::default() };
    let passages = Passages::new(vec![hit; count], PassageOptions::default());
    (1..=count).filter_map(|number| passages.cited(number)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_ones_are_shown_first_and_last() {
        assert_eq!(shown_order(5), [0, 2, 4, 3, 1]);
        assert_eq!(shown_order(4), [0, 2, 3, 1]);
        assert_eq!(shown_order(0), [0; 0]);
    }

    #[test]
    fn what_is_ranked_second_moves_to_the_end() {
        let mut attention = Attention::default();
        attention.add(Some(0), 5);
        attention.add(Some(1), 5);
        attention.add(Some(1), 2);
        attention.add(Some(2), 9);
        attention.add(Some(7), 9);
        attention.add(None, 5);
        assert_eq!((attention.asked, attention.shown()), (6, 4));
        assert_eq!(attention.as_ranked, [1, 2, 1, 0, 0]);
        assert_eq!(attention.reordered, [1, 2, 0, 0, 1]);
        assert_eq!(attention.end_distances(), [0.75, 0.25]);
    }
}
