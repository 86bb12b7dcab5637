//! Weights of 4 bits: blocks of 32 with a scale in half precision.

use std::{fs::File, io, os::unix::fs::FileExt as _};

/// Weights of one block.
pub(super) const BLOCK: usize = 32;
/// Its scale, then two weights a byte: number `n` in the low half, `n + 16` in the high one.
const BLOCK_BYTES: usize = 18;
/// 2^112: between the exponents of half and single precision.
const REBASE: f32 = f32::from_bits(0x7780_0000);

pub(super) const fn row_bytes(width: usize) -> usize {
    width / BLOCK * BLOCK_BYTES
}

/// One row; what a block lacks stays as it is.
pub(super) fn expand(row: &[u8], weights: &mut [f32]) {
    for (block, weights) in
        row.as_chunks::<BLOCK_BYTES>().0.iter().zip(weights.chunks_exact_mut(BLOCK))
    {
        let [low, high, halves @ ..] = block;
        let scale = single(u16::from_le_bytes([*low, *high]));
        let weight = |half: u8| (f32::from(half) - 8.0) * scale;
        let (first, second) = weights.split_at_mut(BLOCK / 2);
        for ((first, second), both) in first.iter_mut().zip(second).zip(halves) {
            (*first, *second) = (weight(both & 15), weight(both >> 4));
        }
    }
}

/// Of half precision; it has no infinity here.
fn single(half: u16) -> f32 {
    let sign = u32::from(half & 0x8000) << 16;
    f32::from_bits(sign | u32::from(half & 0x7fff) << 13) * REBASE
}

/// A row for each word, read from the file where it is needed.
#[derive(Debug)]
pub(super) struct WordTable {
    file: File,
    begin: u64,
    width: usize,
}

impl WordTable {
    pub(super) const fn new(file: File, begin: u64, width: usize) -> Self {
        Self { file, begin, width }
    }

    /// One row of `width` numbers for each id.
    pub(super) fn rows(&self, ids: impl Iterator<Item = u32>) -> io::Result<Vec<f32>> {
        let mut read = vec![0; row_bytes(self.width)];
        let length = read.len() as u64;
        let mut rows = Vec::new();
        for id in ids {
            self.file.read_exact_at(&mut read, self.begin + u64::from(id) * length)?;
            let from = rows.len();
            rows.resize(from + self.width, 0.0);
            expand(&read, rows.get_mut(from..).unwrap_or_default());
        }
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_expanded() {
        for (half, expected) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x0001, 5.960_464_5e-8),
            (0x3555, 0.333_251_95),
            (0, 0.0),
        ] {
            assert_eq!(single(half), expected);
        }
        let mut block = vec![0x00, 0x38];
        block.extend((0..16u8).map(|n| n | (15 - n) << 4));
        let mut weights = [0.0; BLOCK];
        expand(&block, &mut weights);
        assert_eq!([weights[0], weights[15], weights[16], weights[31]], [-4.0, 3.5, 3.5, -4.0]);
    }
}
