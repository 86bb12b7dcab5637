//! Layer normalisation.

use crate::{
    bytes::Damaged,
    numbers::{sum, sum_of_squares},
};

/// Brings a row to mean 0 and variance 1, then weighs it.
#[derive(Debug)]
pub(crate) struct Norm {
    weights: Vec<f32>,
    bias: Vec<f32>,
    epsilon: f32,
}

impl Norm {
    pub(crate) fn new(weights: Vec<f32>, bias: Vec<f32>, epsilon: f32) -> Result<Self, Damaged> {
        if weights.is_empty() || weights.len() != bias.len() {
            return Err(Damaged("a norm of it has no bias for each weight"));
        }
        Ok(Self { weights, bias, epsilon })
    }

    /// Each row of that many numbers as the norm has.
    pub(crate) fn apply(&self, rows: &mut [f32]) {
        let count = self.weights.len() as f32;
        for row in rows.chunks_exact_mut(self.weights.len()) {
            let mean = sum(row) / count;
            row.iter_mut().for_each(|number| *number -= mean);
            let scale = 1.0 / (sum_of_squares(row) / count + self.epsilon).sqrt();
            for ((number, weight), bias) in row.iter_mut().zip(&self.weights).zip(&self.bias) {
                *number = *number * scale * weight + bias;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_comes_to_mean_0_and_variance_1() {
        let norm = Norm::new(vec![1.0, 1.0, 2.0, 1.0], vec![0.0, 0.0, 0.0, 1.0], 0.0).unwrap();
        let mut rows = [1.0, 1.0, -1.0, -1.0, 5.0, 5.0, 3.0, 3.0];
        norm.apply(&mut rows);
        assert_eq!(rows, [1.0, 1.0, -2.0, 0.0, 1.0, 1.0, -2.0, 0.0]);
        assert!(Norm::new(vec![1.0], Vec::new(), 0.0).is_err());
    }
}
