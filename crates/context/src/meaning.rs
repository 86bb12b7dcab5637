//! Which older turns are near to a message by what they mean: by vectors that an embedder made of both. They are given as
//! data: nothing here makes one, and nothing is believed of them.

use crate::{related::RELATED_MAX, stage::StageReason};
use std::sync::Arc;

/// Standard deviations above the mean of all turns, as for documents: no cosine says by itself how near is near. So of
/// fewer than eight turns none stands out.
const DISTANCE_MIN: f64 = 2.4;
/// How little the first ranks differ from those behind them, as for documents.
const FUSION: f64 = 60.0;

/// Of a message, and of the older turns in the order of [`crate::Dialogue::older_said`]; `None`: there is none yet.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnVectors {
    pub message: Arc<[f32]>,
    pub turns: Vec<Option<Arc<[f32]>>>,
}

/// Positions of the turns that stand out, the nearest first; of two that are as near the newer one. `Err`: nothing can be
/// compared.
pub(crate) fn nearest(vectors: &TurnVectors) -> Result<Vec<usize>, StageReason> {
    let with_message = |turn: &Option<Arc<[f32]>>| cosine(&vectors.message, turn.as_deref()?);
    let turns = vectors.turns.iter().enumerate();
    let compared = turns.filter_map(|(at, turn)| Some((at, with_message(turn)?)));
    let mut compared: Vec<(usize, f64)> = compared.collect();
    if compared.is_empty() {
        return Err(StageReason::NotCompared);
    }
    let count = compared.iter().fold(0.0, |count, _| count + 1.0);
    let mean = compared.iter().map(|(_, cosine)| cosine).sum::<f64>() / count;
    let squares = compared.iter().map(|(_, cosine)| (cosine - mean).powi(2)).sum::<f64>();
    let deviation = (squares / count).sqrt();
    // Where all are as near, none is.
    let least = mean + DISTANCE_MIN * deviation.max(f64::from(f32::EPSILON));
    compared.retain(|(_, cosine)| *cosine >= least);
    compared.sort_by(|(left, one), (right, other)| other.total_cmp(one).then(right.cmp(left)));
    Ok(compared.into_iter().map(|(at, _)| at).take(RELATED_MAX).collect())
}

/// Two orders as one, by reciprocal ranks; of two that are as good the newer one.
pub(crate) fn fused(by_words: &[usize], by_meaning: &[usize]) -> Vec<usize> {
    let ranked = |order: &[usize], turn: usize| {
        let mut ranks = order.iter().zip(1_u32..);
        let rank = ranks.find_map(|(of, rank)| (*of == turn).then_some(rank));
        rank.map_or(0.0, |rank| 1.0 / (FUSION + f64::from(rank)))
    };
    let mut all: Vec<usize> = by_words.iter().chain(by_meaning).copied().collect();
    all.sort_unstable();
    all.dedup();
    let score = |turn: usize| ranked(by_words, turn) + ranked(by_meaning, turn);
    all.sort_by(|left, right| score(*right).total_cmp(&score(*left)).then(right.cmp(left)));
    all.truncate(RELATED_MAX);
    all
}

/// `None`: of other dimensions, or one of them has no direction.
fn cosine(left: &[f32], right: &[f32]) -> Option<f64> {
    if left.len() != right.len() {
        return None;
    }
    let (mut product, mut of_left, mut of_right) = (0.0, 0.0, 0.0);
    for (left, right) in left.iter().zip(right) {
        let (left, right) = (f64::from(*left), f64::from(*right));
        product += left * right;
        of_left += left * left;
        of_right += right * right;
    }
    let lengths = of_left.sqrt() * of_right.sqrt();
    let cosine = product / lengths;
    (lengths > 0.0 && cosine.is_finite()).then_some(cosine)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fourth of so many turns lies where the message does, the others elsewhere.
    fn vectors(turns: usize) -> TurnVectors {
        let turn = |nth: usize| -> Vec<f32> {
            match nth {
                3 => vec![0.9, 0.1, 0.0],
                nth if nth % 2 == 0 => vec![0.1, 1.0, 0.2],
                _ => vec![0.1, 0.2, 1.0],
            }
        };
        let turns = (0..turns).map(|nth| Some(turn(nth).into())).collect();
        TurnVectors { message: [1.0_f32, 0.0, 0.0].into(), turns }
    }

    #[test]
    fn what_stands_out_is_near_and_of_few_turns_none_does() {
        assert_eq!(nearest(&vectors(12)), Ok(vec![3]));
        assert_eq!(nearest(&vectors(5)), Ok(vec![]));
        let same: Arc<[f32]> = [0.5_f32; 3].into();
        let same = TurnVectors { message: same.clone(), turns: vec![Some(same); 12] };
        assert_eq!(nearest(&same), Ok(vec![]), "all are as near");
        let mut some = vectors(30);
        some.turns.iter_mut().skip(20).for_each(|turn| *turn = None);
        assert_eq!(nearest(&some), Ok(vec![3]), "without those that have none yet");
    }

    #[test]
    fn vectors_without_a_direction_or_of_other_dimensions_are_compared_with_nothing() {
        let hostile: [&[f32]; 7] = [
            &[],
            &[0.0; 3],
            &[f32::NAN, 1.0, 0.0],
            &[f32::INFINITY, 1.0, 0.0],
            &[f32::NEG_INFINITY, f32::INFINITY, 0.0],
            &[1.0, 0.0],
            &[1.0, 0.0, 0.0, 0.0],
        ];
        for numbers in hostile {
            let message = TurnVectors { message: numbers.into(), ..vectors(12) };
            assert_eq!(nearest(&message), Err(StageReason::NotCompared), "{numbers:?}");
            // One of them takes nothing from the others.
            let mut one = vectors(13);
            one.turns[12] = Some(numbers.into());
            assert_eq!(nearest(&one), Ok(vec![3]), "{numbers:?}");
            let turns = vec![Some(numbers.into()); 12];
            let all = TurnVectors { turns, ..vectors(0) };
            assert_eq!(nearest(&all), Err(StageReason::NotCompared), "{numbers:?}");
        }
        let great = TurnVectors { message: [f32::MAX; 3].into(), ..vectors(12) };
        assert!(nearest(&great).is_ok(), "as long as it may be");
    }

    #[test]
    fn a_turn_that_both_find_comes_first_and_nobody_stands_there_twice() {
        assert_eq!(fused(&[7, 2], &[9, 2]), [2, 9, 7]);
        assert_eq!(fused(&[7], &[]), [7]);
        assert_eq!(fused(&[], &[4, 1]), [4, 1]);
        assert_eq!(fused(&[1, 2, 3], &[4, 5, 6]).len(), RELATED_MAX);
        assert!(fused(&[], &[]).is_empty());
    }
}
