//! A meaning as numbers: what an embedder makes of a text.

/// More numbers than the embedders of today give.
pub const DIMENSIONS_MAX: usize = 4096;

/// An embedding of length 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector(Box<[f32]>);

/// The numbers are no vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum VectorError {
    /// None, or more than `DIMENSIONS_MAX`.
    #[error("a vector of `{found}` numbers; expected 1 to `{DIMENSIONS_MAX}`")]
    Dimensions {
        /// How many there are.
        found: usize,
    },
    /// All are zero, or one is no finite number: it has no direction.
    #[error("a vector without a direction")]
    NoDirection,
    /// Not a whole number of four-byte floats.
    #[error("`{found}` bytes are no floats of four bytes")]
    Bytes {
        /// How many there are.
        found: usize,
    },
}

impl Vector {
    /// Scales the numbers to length 1.
    pub fn new(mut numbers: Vec<f32>) -> Result<Self, VectorError> {
        if numbers.is_empty() || numbers.len() > DIMENSIONS_MAX {
            return Err(VectorError::Dimensions { found: numbers.len() });
        }
        let length = length(&numbers);
        if !length.is_finite() || length == 0.0 {
            return Err(VectorError::NoDirection);
        }
        // What has length 1 stays as it is, bit for bit.
        if (length - 1.0).abs() > 1e-6 {
            for number in &mut numbers {
                *number = narrowed(f64::from(*number) / length);
            }
        }
        Ok(Self(numbers.into()))
    }

    /// As it is kept: floats of four bytes, little endian.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// As it was kept.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, VectorError> {
        let (numbers, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(VectorError::Bytes { found: bytes.len() });
        }
        Self::new(numbers.iter().map(|number| f32::from_le_bytes(*number)).collect())
    }

    /// How many numbers it has.
    #[must_use]
    pub const fn dimensions(&self) -> usize {
        self.0.len()
    }

    pub(crate) const fn numbers(&self) -> &[f32] {
        &self.0
    }

    /// Cosine of the angle between two of the same dimensions.
    pub(crate) fn cosine(&self, other: &Self) -> f32 {
        let mut sums = [0.0_f32; 8];
        let (ours, our_rest) = self.0.as_chunks::<8>();
        let (theirs, their_rest) = other.0.as_chunks::<8>();
        for (ours, theirs) in ours.iter().zip(theirs) {
            for ((sum, a), b) in sums.iter_mut().zip(ours).zip(theirs) {
                *sum += a * b;
            }
        }
        let rest: f32 = our_rest.iter().zip(their_rest).map(|(a, b)| a * b).sum();
        sums.iter().sum::<f32>() + rest
    }
}

/// In eight sums side by side, for speed.
fn length(numbers: &[f32]) -> f64 {
    let mut sums = [0.0_f64; 8];
    let (groups, rest) = numbers.as_chunks::<8>();
    for group in groups {
        for (sum, number) in sums.iter_mut().zip(group) {
            *sum += f64::from(*number) * f64::from(*number);
        }
    }
    let rest: f64 = rest.iter().map(|number| f64::from(*number) * f64::from(*number)).sum();
    (sums.iter().sum::<f64>() + rest).sqrt()
}

const fn narrowed(number: f64) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_has_length_one() {
        let vector = Vector::new(vec![3.0, 4.0]).expect("a vector");
        assert_eq!(vector.numbers(), [0.6, 0.8]);
        assert!((vector.cosine(&vector) - 1.0).abs() < 1e-6);
        assert_eq!(vector.dimensions(), 2);
        let huge = Vector::new(vec![f32::MAX, 0.0]).expect("a vector");
        assert_eq!(huge.numbers(), [1.0, 0.0]);
    }

    #[test]
    fn bytes_go_there_and_back_bit_for_bit() {
        let numbers = (0..384_u16).map(|n| (f32::from(n) * 0.7).sin()).collect();
        let vector = Vector::new(numbers).expect("a vector");
        assert_eq!(Vector::from_bytes(&vector.to_bytes()), Ok(vector));
    }

    #[test]
    fn what_has_no_direction_is_refused() {
        assert_eq!(Vector::new(vec![0.0; 4]), Err(VectorError::NoDirection));
        assert_eq!(Vector::new(vec![f32::NAN, 1.0]), Err(VectorError::NoDirection));
        assert_eq!(Vector::new(vec![f32::INFINITY]), Err(VectorError::NoDirection));
        assert_eq!(Vector::new(Vec::new()), Err(VectorError::Dimensions { found: 0 }));
        let many = DIMENSIONS_MAX + 1;
        assert_eq!(Vector::new(vec![1.0; many]), Err(VectorError::Dimensions { found: many }));
        assert_eq!(Vector::from_bytes(&[0; 5]), Err(VectorError::Bytes { found: 5 }));
    }
}
