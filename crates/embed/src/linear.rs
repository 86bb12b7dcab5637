//! Layers of weights as signed bytes, and what they are multiplied with.

use crate::{
    bytes::Damaged,
    numbers::{largest, rounded},
    product::{LANES, ROWS, Sums, TOKENS, products},
};

/// Of a row. With the two bounds below no sum of products leaves an `i32`: 2,048 × 127 × 8,191 < 2^31.
const INPUTS_MAX: usize = 2_048;
const WEIGHT_MAX: f32 = 127.0;
/// Thirteen bits: a model has few numbers that are much larger than the others, and seven lose those.
const NUMBER_MAX: f32 = 8_191.0;
/// Instead of 0, to divide by.
const SMALLEST: f32 = 1e-30;

/// Rows of numbers that a layer takes, each as whole numbers and a scale.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    /// Of whole blocks: what is beyond the rows is 0.
    chunks: Vec<[i16; LANES]>,
    scales: Vec<f32>,
}

impl Tokens {
    /// Of rows of that many numbers, a multiple of `LANES`.
    pub(crate) fn set(&mut self, rows: &[f32], width: usize) -> &Self {
        let width = width.max(LANES);
        let blocks = (rows.len() / width).div_ceil(TOKENS);
        self.chunks.clear();
        self.chunks.resize(blocks * TOKENS * width / LANES, [0; LANES]);
        self.scales.clear();
        let whole = self.chunks.as_flattened_mut().chunks_exact_mut(width);
        for (row, whole) in rows.chunks_exact(width).zip(whole) {
            let scale = largest(row).max(SMALLEST) / NUMBER_MAX;
            let inverse = 1.0 / scale;
            for (number, whole) in row.iter().zip(whole) {
                *whole = rounded(number * inverse) as i16;
            }
            self.scales.push(scale);
        }
        self
    }
}

/// One layer: each output is the sum of all inputs, weighed by a row of its own.
#[derive(Debug)]
pub(crate) struct Linear {
    inputs: usize,
    weights: Vec<i8>,
    scales: Vec<f32>,
    bias: Vec<f32>,
}

impl Linear {
    /// `row` writes the weights of one output, by its number; there is a bias for each output.
    pub(crate) fn new(
        inputs: usize,
        bias: Vec<f32>,
        mut row: impl FnMut(usize, &mut [f32]) -> Result<(), Damaged>,
    ) -> Result<Self, Damaged> {
        let outputs = bias.len();
        let fits = (1..=INPUTS_MAX).contains(&inputs) && inputs.is_multiple_of(LANES);
        if !fits || outputs == 0 || !outputs.is_multiple_of(ROWS) {
            return Err(Damaged("a layer of it has another size than can be computed"));
        }
        let mut weights = Vec::with_capacity(inputs * outputs);
        let (mut scales, mut written) = (Vec::with_capacity(outputs), vec![0.0; inputs]);
        for output in 0..outputs {
            row(output, &mut written)?;
            let scale = largest(&written).max(SMALLEST) / WEIGHT_MAX;
            weights.extend(written.iter().map(|weight| rounded(weight / scale) as i8));
            scales.push(scale);
        }
        Ok(Self { inputs, weights, scales, bias })
    }

    /// `output` becomes one row for each token.
    pub(crate) fn apply(&self, tokens: &Tokens, output: &mut Vec<f32>) {
        let (outputs, length) = (self.bias.len(), self.inputs / LANES);
        output.clear();
        output.resize(tokens.scales.len() * outputs, 0.0);
        let mut wide = vec![[0i16; LANES]; ROWS * length];
        let mut sums = vec![Sums::default(); tokens.chunks.len() / length / TOKENS];
        let weights = self.weights.chunks_exact(ROWS * self.inputs);
        let (scales, bias) = (self.scales.as_chunks().0, self.bias.as_chunks().0);
        for (group, (weights, (scales, bias))) in weights.zip(scales.iter().zip(bias)).enumerate() {
            for (wide, weight) in wide.as_flattened_mut().iter_mut().zip(weights) {
                *wide = i16::from(*weight);
            }
            let mut rows = wide.chunks_exact(length);
            let rows = std::array::from_fn(|_| rows.next().unwrap_or_default());
            products(rows, &tokens.chunks, &mut sums);
            let places = output.as_chunks_mut().0.iter_mut().skip(group).step_by(outputs / ROWS);
            let sums = sums.as_flattened().iter().zip(&tokens.scales);
            for (place, (sums, factor)) in places.zip(sums) {
                *place = scaled(sums, scales, bias, *factor);
            }
        }
    }
}

fn scaled(
    sums: &[i32; ROWS],
    scales: &[f32; ROWS],
    bias: &[f32; ROWS],
    factor: f32,
) -> [f32; ROWS] {
    let mut scaled = *bias;
    for ((place, sum), scale) in scaled.iter_mut().zip(sums).zip(scales) {
        *place += *sum as f32 * scale * factor;
    }
    scaled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_weighs_its_inputs() {
        let (inputs, outputs) = (32, 8);
        let weight = |output: usize, input: usize| ((output * 31 + input * 17) % 23) as f32 - 11.0;
        let bias: Vec<f32> = (0..outputs).map(|output| output as f32).collect();
        let layer = Linear::new(inputs, bias.clone(), |output, row| {
            row.iter_mut().enumerate().for_each(|(at, place)| *place = weight(output, at));
            Ok(())
        });
        let layer = layer.unwrap();
        for count in [0, 1, 2, 5] {
            let rows: Vec<f32> = (0..count * inputs).map(|n| ((n * 7) % 13) as f32 / 3.0).collect();
            let (mut tokens, mut output) = (Tokens::default(), vec![9.0; 3]);
            layer.apply(tokens.set(&rows, inputs), &mut output);
            let expected = rows.chunks(inputs).flat_map(|row| {
                let weighed = |output: usize| {
                    let products = row.iter().enumerate().map(|(at, x)| x * weight(output, at));
                    products.sum::<f32>() + bias[output]
                };
                (0..outputs).map(weighed).collect::<Vec<_>>()
            });
            let expected: Vec<f32> = expected.collect();
            assert_eq!(output.len(), expected.len());
            let near = |(one, other): (&f32, &f32)| (one - other).abs() < 0.5;
            assert!(output.iter().zip(&expected).all(near), "{output:?} {expected:?}");
        }
    }

    #[test]
    fn a_layer_of_another_size_is_refused() {
        let of = |inputs, outputs| Linear::new(inputs, vec![0.0; outputs], |_, _| Ok(()));
        assert!(of(LANES, 4).is_ok() && of(INPUTS_MAX, 4).is_ok());
        for (inputs, outputs) in [(0, 4), (8, 4), (LANES, 0), (LANES, 3), (INPUTS_MAX + LANES, 4)] {
            assert!(of(inputs, outputs).is_err(), "{inputs} {outputs}");
        }
    }
}
