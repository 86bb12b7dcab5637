//! What each token takes over from every other, by how much its key fits the token's query.

use crate::numbers::{exp, sum};

/// Numbers of one head.
pub(super) const HEAD: usize = 32;
/// Rows of keys that are weighed at once.
const AT_ONCE: usize = 4;

/// Room for one head of a text.
#[derive(Debug, Default)]
pub(super) struct Heads {
    /// One row for each number of a head, with a place for each token.
    keys: Vec<f32>,
    /// One row for each token.
    values: Vec<[f32; HEAD]>,
    weights: Vec<f32>,
}

impl Heads {
    /// `attended` becomes one row of `width` numbers for each token.
    pub(super) fn attend(
        &mut self,
        (query, key, value): (&[f32], &[f32], &[f32]),
        width: usize,
        attended: &mut Vec<f32>,
    ) {
        attended.clear();
        attended.resize(query.len(), 0.0);
        for head in 0..width / HEAD {
            self.gather((key, value), width, head);
            for (query, attended) in query.chunks_exact(width).zip(attended.chunks_exact_mut(width))
            {
                let (query, attended) =
                    (query.as_chunks::<HEAD>().0, attended.as_chunks_mut::<HEAD>().0);
                if let (Some(query), Some(attended)) = (query.get(head), attended.get_mut(head)) {
                    *attended = self.token(query);
                }
            }
        }
    }

    /// What belongs to one head, so that it lies together.
    fn gather(&mut self, (key, value): (&[f32], &[f32]), width: usize, head: usize) {
        let tokens = key.len() / width;
        let of = |row: &[f32]| row.as_chunks::<HEAD>().0.get(head).copied().unwrap_or([0.0; HEAD]);
        self.values.clear();
        self.values.extend(value.chunks_exact(width).map(of));
        self.keys.clear();
        self.keys.resize(tokens * HEAD, 0.0);
        for (token, key) in key.chunks_exact(width).map(of).enumerate() {
            for (row, number) in self.keys.chunks_exact_mut(tokens).zip(key) {
                row.iter_mut().skip(token).take(1).for_each(|place| *place = number);
            }
        }
        self.weights.resize(tokens, 0.0);
    }

    fn token(&mut self, query: &[f32; HEAD]) -> [f32; HEAD] {
        let scale = (HEAD as f32).sqrt().recip();
        self.weights.fill(0.0);
        let rows = self.keys.chunks_exact(AT_ONCE * self.weights.len().max(1));
        for (rows, [q0, q1, q2, q3]) in rows.zip(query.as_chunks::<AT_ONCE>().0) {
            let mut rows = rows.chunks_exact(self.weights.len());
            let [k0, k1, k2, k3] = std::array::from_fn(|_| rows.next().unwrap_or_default());
            let keys = k0.iter().zip(k1).zip(k2.iter().zip(k3));
            for (weight, ((k0, k1), (k2, k3))) in self.weights.iter_mut().zip(keys) {
                *weight += q0 * k0 + q1 * k1 + (q2 * k2 + q3 * k3);
            }
        }
        let most = self.weights.iter().copied().fold(f32::MIN, f32::max);
        self.weights.iter_mut().for_each(|weight| *weight = exp((*weight - most) * scale));
        let whole = sum(&self.weights);
        let mut taken = [0.0; HEAD];
        for (weight, value) in self.weights.iter().zip(&self.values) {
            for (taken, value) in taken.iter_mut().zip(value) {
                *taken += weight * value;
            }
        }
        taken.map(|taken| taken / whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_takes_over_what_fits() {
        let width = 2 * HEAD;
        let row = |at: usize, size: f32| -> Vec<f32> {
            (0..width).map(|n| if n % HEAD == at { size } else { 0.0 }).collect()
        };
        let keys = [row(0, 90.0), row(1, 90.0), row(2, 90.0)].concat();
        let values = [row(5, 1.0), row(6, 2.0), row(7, 3.0)].concat();
        let queries = [row(2, 90.0), row(0, 90.0), row(9, 1.0)].concat();
        let mut attended = Vec::new();
        Heads::default().attend((&queries, &keys, &values), width, &mut attended);
        let third = [row(5, 1.0 / 3.0), row(6, 2.0 / 3.0), row(7, 1.0)];
        let third: Vec<f32> = (0..width).map(|n| third.iter().map(|row| row[n]).sum()).collect();
        let expected = [row(7, 3.0), row(5, 1.0), third].concat();
        let near = |(one, other): (&f32, &f32)| (one - other).abs() < 1e-5;
        assert!(attended.iter().zip(&expected).all(near), "{attended:?}");
        Heads::default().attend((&[], &[], &[]), width, &mut attended);
        assert!(attended.is_empty());
    }
}
