//! Sums, exponentials and rounding in steps that the compiler can do for several numbers at once. What
//! the standard library has for them is a call for each number, or an order that it has to keep.

use std::f32::consts::{FRAC_1_SQRT_2, LN_2, LOG2_E};

const LANES: usize = 8;
/// 1.5 × 2^23: what is added to it is rounded to a whole number, which stands in its lowest bits.
const SHIFT: f32 = 12_582_912.0;
/// Below, e^x is too small for a normal number.
const EXPONENT_MIN: f32 = -87.0;
const EXPONENT_MAX: f32 = 88.0;

/// Steps through the values in lanes of their own, which are joined at the end.
#[inline(always)]
fn folded(values: &[f32], step: impl Fn(f32, f32) -> f32, join: impl Fn(f32, f32) -> f32) -> f32 {
    let (chunks, rest) = values.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = step(*lane, *value);
        }
    }
    let lanes = lanes.into_iter().fold(0.0, join);
    rest.iter().fold(lanes, |so_far, value| step(so_far, *value))
}

pub(crate) fn sum(values: &[f32]) -> f32 {
    folded(values, |sum, value| sum + value, |one, other| one + other)
}

pub(crate) fn sum_of_squares(values: &[f32]) -> f32 {
    folded(values, |sum, value| sum + value * value, |one, other| one + other)
}

/// The largest, whatever its sign.
pub(crate) fn largest(values: &[f32]) -> f32 {
    let larger = |one: f32, other: f32| if other > one { other } else { one };
    folded(values, |most, value| larger(most, value.abs()), larger)
}

/// To the nearest whole number, for numbers of up to 2^22.
#[inline(always)]
pub(crate) fn rounded(value: f32) -> i32 {
    (value + SHIFT).to_bits().wrapping_sub(SHIFT.to_bits()) as i32
}

/// e^x, to six digits.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    let halvings = x.clamp(EXPONENT_MIN, EXPONENT_MAX) * LOG2_E;
    let shifted = halvings + SHIFT;
    let rest = (halvings - (shifted - SHIFT)) * LN_2;
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(1f32.to_bits()));
    let series = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    series.into_iter().fold(0.0, |sum, factor| sum * rest + factor) * power
}

/// x/2 × (1 + erf(x/√2)), by Abramowitz and Stegun 7.1.26.
#[inline(always)]
pub(crate) fn gelu(x: f32) -> f32 {
    let z = x.abs() * FRAC_1_SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let series = [1.061_405_4, -1.453_152, 1.421_413_7, -0.284_496_74, 0.254_829_6];
    let erf = 1.0 - series.into_iter().fold(0.0, |sum, factor| sum * t + factor) * t * exp(-z * z);
    0.5 * x * (1.0 + erf.copysign(x))
}

/// Of length 1; `None`: it has no length, or a number of it is none.
pub(crate) fn unit(mut vector: Vec<f32>) -> Option<Vec<f32>> {
    let length = sum_of_squares(&vector).sqrt();
    if !(length.is_normal() && vector.iter().all(|number| number.is_finite())) {
        return None;
    }
    vector.iter_mut().for_each(|number| *number /= length);
    Some(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_faster_comes_to_the_same() {
        for step in -1_000..1_000i16 {
            let x = f32::from(step) / 50.0;
            let off = (exp(x) / x.exp() - 1.0).abs();
            assert!(off < 1e-6, "e^{x} is off by {off}");
            assert_eq!(rounded(x) as f32, x.round_ties_even(), "{x}");
        }
        assert!(exp(-1_000.0) < 1e-37 && exp(f32::NAN).is_nan());
        for (x, expected) in [(0.0, 0.0), (1.0, 0.841_344_7), (-1.0, -0.158_655_3), (9.0, 9.0)] {
            assert!((gelu(x) - expected).abs() < 1e-6, "{x}: {}", gelu(x));
        }
        let values: Vec<f32> = (-10..=10).map(|n: i8| f32::from(n)).collect();
        assert_eq!((sum(&values), sum_of_squares(&values), largest(&values)), (0.0, 770.0, 10.0));
        assert_eq!((sum(&[]), largest(&[-2.0])), (0.0, 2.0));
    }

    #[test]
    fn a_vector_has_a_length_or_is_none() {
        assert_eq!(unit(vec![3.0, 4.0]), Some(vec![0.6, 0.8]));
        for none in [vec![], vec![0.0; 3], vec![f32::NAN, 1.0], vec![f32::INFINITY, 1.0]] {
            assert_eq!(unit(none), None);
        }
    }
}
