//! The scan against comparing every vector as it is.

use super::*;
use std::collections::BTreeSet;

/// Drawn numbers, the same for the same seed.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    /// About a normal distribution.
    fn bell(&mut self) -> f32 {
        let sum: u64 = (0..4).map(|_| self.below(1_000)).sum();
        f32::from(u16::try_from(sum).expect("small")) / 1_000.0 - 1.998
    }
}

/// As embedders give them: all in one cone, in clusters.
fn drawn(draw: &mut Draw, dimensions: usize, cone: f32, centres: &[Vec<f32>]) -> Arc<Vector> {
    let centre = &centres[usize::try_from(draw.below(centres.len() as u64)).expect("small")];
    let numbers = (0..dimensions).map(|at| cone + centre[at] + 0.5 * draw.bell());
    Arc::new(Vector::new(numbers.collect()).expect("a vector"))
}

fn matrix(vectors: &[Arc<Vector>]) -> Matrix {
    let mut matrix = Matrix::new(vectors[0].dimensions());
    for (vector, number) in vectors.iter().zip(0..) {
        matrix.push(Row::new(Arc::clone(vector)), ChunkAt { number, nth: 0 });
    }
    matrix
}

#[test]
fn the_best_ten_are_those_of_the_exact_scan() {
    let mut draw = Draw(3);
    let (mut found, mut wanted) = (0, 0);
    for (dimensions, cone) in [(384, 0.0), (384, 2.0), (512, 0.5), (100, 1.0), (1024, 1.0)] {
        let centres: Vec<Vec<f32>> =
            (0..20).map(|_| (0..dimensions).map(|_| draw.bell()).collect()).collect();
        let mut new = || drawn(&mut draw, dimensions, cone, &centres);
        let vectors: Vec<Arc<Vector>> = (0..2_000).map(|_| new()).collect();
        let queries: Vec<Arc<Vector>> = (0..40).map(|_| new()).collect();
        let matrix = matrix(&vectors);
        for query in queries {
            let mut exact: Vec<(f32, u32)> =
                vectors.iter().map(|vector| query.cosine(vector)).zip(0..).collect();
            exact.sort_by(|a, b| b.0.total_cmp(&a.0));
            let exact: BTreeSet<u32> = exact.iter().take(10).map(|(_, number)| *number).collect();
            let best = matrix.scan(&query, 40);
            assert_eq!(best.len(), 40);
            let best: BTreeSet<u32> = best.iter().take(10).map(|(_, at)| at.number).collect();
            found += best.intersection(&exact).count();
            wanted += exact.len();
        }
    }
    println!("figure: retrieval: {found} of {wanted} nearest vectors are in the scan's first ten");
    assert_eq!(found, wanted);
}

#[test]
fn cosines_are_those_of_the_embedder() {
    let mut draw = Draw(4);
    let vectors: Vec<Arc<Vector>> =
        (0..50).map(|_| drawn(&mut draw, 48, 0.3, &[vec![0.0; 48]])).collect();
    let best = matrix(&vectors).scan(&vectors[7], 50);
    assert_eq!(best[0].1.number, 7);
    for (cosine, at) in best {
        let exact = vectors[7].cosine(&vectors[usize::try_from(at.number).expect("small")]);
        assert_eq!(cosine.to_bits(), exact.to_bits());
    }
}

#[test]
fn a_row_that_goes_leaves_the_others_as_they_are() {
    let mut draw = Draw(5);
    let vectors: Vec<Arc<Vector>> =
        (0..5).map(|_| drawn(&mut draw, 20, 0.0, &[vec![0.0; 20]])).collect();
    let mut matrix = matrix(&vectors);
    let owner = |number| Some(ChunkAt { number, nth: 0 });
    assert_eq!(matrix.swap_remove(1), owner(4));
    assert_eq!(matrix.swap_remove(3), None);
    assert_eq!(matrix.swap_remove(9), None);
    let mut left: Vec<u32> =
        matrix.scan(&vectors[0], 9).into_iter().map(|(_, at)| at.number).collect();
    left.sort_unstable();
    assert_eq!(left, [0, 2, 4]);
    for (row, number) in [(0, 0_usize), (1, 4), (2, 2)] {
        assert_eq!(matrix.vector(row), Some(&*vectors[number]));
    }
}

#[test]
fn strangers_are_drawn_the_same_each_time_and_anew_when_rows_change() {
    let mut draw = Draw(6);
    let vectors: Vec<Arc<Vector>> =
        (0..30).map(|_| drawn(&mut draw, 20, 0.0, &[vec![0.0; 20]])).collect();
    let mut all = matrix(&vectors);
    let pair = |a: ChunkAt, b: ChunkAt| {
        if a == b { Pair::Near } else { Pair::OfOtherDocuments }
    };
    let first = all.strangers(pair);
    assert_eq!(all.strangers(|_, _| Pair::Near), first);
    assert!(first.of_others.count() > 200 && first.far_apart.count() == 0);
    all.swap_remove(0);
    assert_ne!(all.strangers(pair), first);
    assert_eq!(matrix(&vectors).strangers(pair), first);
}
