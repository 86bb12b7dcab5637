//! Sums of products of whole numbers: most of the work of a model.
//!
//! The compiler finds no instruction for pairs of products by itself. What is written for it here takes
//! a quarter of the time, and `simple` says what it has to come to.

/// Numbers that are multiplied at once.
pub(crate) const LANES: usize = 16;
/// Rows of weights that go through all tokens together.
pub(crate) const ROWS: usize = 4;
/// Tokens that meet them together.
pub(crate) const TOKENS: usize = 2;

/// Of one row or one token.
pub(crate) type Chunks<'a> = &'a [[i16; LANES]];
/// For each token and each row, the sum.
pub(crate) type Sums = [[i32; ROWS]; TOKENS];

/// Each row with each token; all tokens follow each other. One sum for each two of them.
/// INVARIANT: no sum leaves an `i32`; `linear.rs` bounds its numbers so.
#[cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "what needs a processor's feature is unsafe to call without it")
)]
pub(crate) fn products(rows: [Chunks<'_>; ROWS], tokens: Chunks<'_>, sums: &mut [Sums]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, as was just asked.
        return unsafe { avx2::products(rows, tokens, sums) };
    }
    simple(rows, tokens, sums);
}

fn simple(rows: [Chunks<'_>; ROWS], tokens: Chunks<'_>, sums: &mut [Sums]) {
    let product = |(one, other): (&i16, &i16)| i32::from(*one) * i32::from(*other);
    for (pair, sums) in pairs(rows, tokens).zip(sums) {
        *sums = pair.map(|token| {
            let token = token.as_flattened();
            rows.map(|row| row.as_flattened().iter().zip(token).map(product).sum())
        });
    }
}

/// Tokens by two, each as long as a row.
fn pairs<'a>(
    [row, ..]: [Chunks<'_>; ROWS],
    tokens: Chunks<'a>,
) -> impl Iterator<Item = [Chunks<'a>; TOKENS]> {
    let length = row.len().max(1);
    tokens.chunks_exact(TOKENS * length).map(move |pair| pair.split_at(length).into())
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Chunks, LANES, ROWS, Sums, TOKENS, pairs};
    use std::arch::x86_64::{
        __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm_unpackhi_epi64,
        _mm256_add_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_madd_epi16,
        _mm256_setr_epi16, _mm256_setzero_si256,
    };

    #[target_feature(enable = "avx2")]
    pub(super) fn products(rows: [Chunks<'_>; ROWS], tokens: Chunks<'_>, sums: &mut [Sums]) {
        for (pair, sums) in pairs(rows, tokens).zip(sums) {
            block(rows, pair, sums);
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn block(
        [r0, r1, r2, r3]: [Chunks<'_>; ROWS],
        [t0, t1]: [Chunks<'_>; TOKENS],
        sums: &mut Sums,
    ) {
        let mut lanes = [[_mm256_setzero_si256(); ROWS]; TOKENS];
        let rows = r0.iter().zip(r1).zip(r2.iter().zip(r3));
        for (((r0, r1), (r2, r3)), (t0, t1)) in rows.zip(t0.iter().zip(t1)) {
            let rows = [loaded(r0), loaded(r1), loaded(r2), loaded(r3)];
            for (lanes, token) in lanes.iter_mut().zip([loaded(t0), loaded(t1)]) {
                for (lanes, row) in lanes.iter_mut().zip(rows) {
                    *lanes = _mm256_add_epi32(*lanes, _mm256_madd_epi16(token, row));
                }
            }
        }
        for (sum, lanes) in sums.as_flattened_mut().iter_mut().zip(lanes.as_flattened()) {
            *sum = joined(*lanes);
        }
    }

    /// One load, as the compiler writes it.
    #[rustfmt::skip]
    #[target_feature(enable = "avx2")]
    #[inline]
    fn loaded(&[a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]: &[i16; LANES]) -> __m256i {
        _mm256_setr_epi16(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn joined(lanes: __m256i) -> i32 {
        let upper = _mm256_extracti128_si256::<1>(lanes);
        let four = _mm_add_epi32(_mm256_castsi256_si128(lanes), upper);
        let two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<1>(two)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fast_way_comes_to_the_same() {
        let mut state = 1u32;
        let mut drawn = |count: usize, most: i32, extreme: bool| -> Vec<[i16; LANES]> {
            let mut number = |_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let within = (state >> 8) as i32 % (2 * most + 1) - most;
                i16::try_from(if extreme { most } else { within }).unwrap()
            };
            (0..count).map(|_| std::array::from_fn(&mut number)).collect()
        };
        for length in [1, 2, 7, 24, 128] {
            for (tokens, extreme) in [(0, false), (1, true), (2, false), (3, false), (10, true)] {
                let rows: [_; ROWS] = std::array::from_fn(|_| drawn(length, 127, extreme));
                let rows = rows.each_ref().map(Vec::as_slice);
                let tokens = drawn(tokens * length, 8_191, extreme);
                let count = tokens.len() / length / TOKENS;
                let (mut fast, mut slow) =
                    (vec![Sums::default(); count], vec![Sums::default(); count]);
                products(rows, &tokens, &mut fast);
                simple(rows, &tokens, &mut slow);
                assert_eq!(fast, slow, "{length} {extreme}");
                assert!(
                    !extreme || slow.iter().flatten().flatten().all(|sum| *sum > 0),
                    "{slow:?}"
                );
            }
        }
        let nothing: Chunks<'_> = &[];
        products([nothing; ROWS], nothing, &mut []);
    }
}
