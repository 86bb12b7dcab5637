//! Random numbers that depend on the run's seed alone, so that a run can be repeated.

/// `SplitMix64`.
#[derive(Debug, Clone)]
pub(crate) struct SeededRandom(u64);

impl SeededRandom {
    /// `label`: the purpose; numbers of different purposes are independent.
    pub(crate) fn new(seed: u64, label: &str) -> Self {
        let mixed = label.bytes().fold(seed, |state, byte| Self(state ^ u64::from(byte)).number());
        Self(mixed)
    }

    pub(crate) const fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A word of so many letters and digits.
    pub(crate) fn word(&mut self, letters: usize) -> String {
        const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
        let letter = |number: u64| {
            let at = usize::try_from(number % 32).unwrap_or_default();
            char::from(ALPHABET.get(at).copied().unwrap_or(b'a'))
        };
        (0..letters).map(|_| letter(self.number())).collect()
    }

    /// One of them; `None` where there is none.
    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        let nth = usize::try_from(self.number()).unwrap_or_default().checked_rem(items.len())?;
        items.get(nth).copied()
    }

    /// By Fisher and Yates.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            let bound = u64::try_from(end).unwrap_or_default().saturating_add(1);
            items.swap(end, usize::try_from(self.number() % bound).unwrap_or_default());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SeededRandom;

    #[test]
    fn the_same_seed_draws_the_same_and_labels_keep_apart() {
        let word = |seed, label| SeededRandom::new(seed, label).word(20);
        assert_eq!(word(7, "a"), word(7, "a"));
        assert_ne!(word(7, "a"), word(7, "b"));
        assert_ne!(word(7, "a"), word(8, "a"));
    }

    #[test]
    fn a_shuffle_loses_nothing() {
        let mut items: Vec<u32> = (0..50).collect();
        SeededRandom::new(1, "order").shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
