//! Vectors as small whole numbers, and their product.
//!
//! A row has 8 bits for each number, a query 12. Sixteen products at a time are added up, which the compiler
//! writes as vector instructions of the oldest 64-bit processors.

use crate::vector::{DIMENSIONS_MAX, Vector};
use std::sync::Arc;

/// Products that are added up side by side.
const LANES: usize = 16;
/// A row's numbers are stored from 0 to 255; this is zero. Bytes without a sign widen in one instruction.
const ZERO: u8 = 128;
const ROW_MAX: f32 = 127.0;
const PROBE_MAX: i16 = 2047;
// No sum overflows.
const _: () = assert!(255 * PROBE_MAX as i64 * (DIMENSIONS_MAX as i64) < i32::MAX as i64);

/// A vector as a row: its bytes, and the size of one step.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) bytes: Box<[u8]>,
    pub(crate) scale: f32,
    pub(crate) vector: Arc<Vector>,
}

impl Row {
    pub(crate) fn new(vector: Arc<Vector>) -> Self {
        let scale = largest(&vector) / ROW_MAX;
        let mut bytes = vec![ZERO; width(vector.dimensions())];
        for (byte, number) in bytes.iter_mut().zip(vector.numbers()) {
            // Rounded, as it is positive: `round` would be a call, on the oldest 64-bit processors, for each number.
            *byte = (number / scale + f32::from(ZERO) + 0.5) as u8;
        }
        Self { bytes: bytes.into(), scale, vector }
    }
}

/// Bytes of a row: full groups of products, the last one filled with zero.
pub(crate) const fn width(dimensions: usize) -> usize {
    dimensions.next_multiple_of(LANES)
}

/// A query as whole numbers.
pub(crate) struct Probe {
    numbers: Vec<i16>,
    scale: f32,
    /// What `ZERO` in each byte of a row adds to the sum.
    zero: i32,
}

impl Probe {
    pub(crate) fn new(query: &Vector) -> Self {
        let scale = largest(query) / f32::from(PROBE_MAX);
        let mut numbers = vec![0; width(query.dimensions())];
        for (whole, number) in numbers.iter_mut().zip(query.numbers()) {
            *whole = (number / scale).round() as i16;
        }
        let zero = numbers.iter().map(|number| i32::from(*number) * i32::from(ZERO)).sum();
        Self { numbers, scale, zero }
    }

    /// The cosine but for the row's own scale.
    pub(crate) fn product(&self, row: &[u8]) -> f32 {
        (dot(row, &self.numbers) - self.zero) as f32 * self.scale
    }
}

/// Written so that it becomes `pmaddwd`: a fixed number of sums side by side, and nothing but whole numbers.
#[inline]
fn dot(row: &[u8], probe: &[i16]) -> i32 {
    let mut sums = [0_i32; LANES];
    let (rows, _) = row.as_chunks::<LANES>();
    let (probes, _) = probe.as_chunks::<LANES>();
    for (row, probe) in rows.iter().zip(probes) {
        for ((sum, a), b) in sums.iter_mut().zip(row).zip(probe) {
            *sum += i32::from(*a) * i32::from(*b);
        }
    }
    sums.iter().sum()
}

fn largest(vector: &Vector) -> f32 {
    vector.numbers().iter().fold(0.0, |max, number| number.abs().max(max))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(row: &[f32], query: &[f32]) -> f32 {
        let row = Row::new(Arc::new(Vector::new(row.to_vec()).expect("a vector")));
        Probe::new(&Vector::new(query.to_vec()).expect("a vector")).product(&row.bytes) * row.scale
    }

    #[test]
    fn a_product_is_the_cosine() {
        let down: Vec<f32> = (0..100_u8).map(|n| 1.0 / (f32::from(n) + 1.0)).collect();
        let up: Vec<f32> = down.iter().rev().map(|number| -number).collect();
        for (a, b) in [(&down, &down), (&down, &up), (&up, &up)] {
            let exact = Vector::new(a.clone()).expect("a vector");
            let exact = exact.cosine(&Vector::new(b.clone()).expect("a vector"));
            assert!((product(a, b) - exact).abs() < 0.01, "{} {exact}", product(a, b));
        }
    }

    #[test]
    fn the_largest_sums_do_not_overflow() {
        let ones = vec![1.0; DIMENSIONS_MAX];
        let minus = vec![-1.0; DIMENSIONS_MAX];
        assert!((product(&ones, &ones) - 1.0).abs() < 1e-3);
        assert!((product(&ones, &minus) + 1.0).abs() < 1e-3);
        assert!((product(&minus, &minus) - 1.0).abs() < 1e-3);
    }
}
