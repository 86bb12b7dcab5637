//! How cosines lie: their mean and how far they stray from it.

/// How many, their sum, and the sum of their squares.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Spread {
    count: u32,
    sum: f64,
    squares: f64,
}

impl Spread {
    pub(crate) fn add(&mut self, cosine: f32) {
        let cosine = f64::from(cosine);
        self.count += 1;
        self.sum += cosine;
        self.squares += cosine * cosine;
    }

    pub(crate) fn join(&mut self, other: Self) {
        self.count = self.count.saturating_add(other.count);
        self.sum += other.sum;
        self.squares += other.squares;
    }

    pub(crate) const fn count(&self) -> u32 {
        self.count
    }

    /// How many standard deviations a cosine lies above the mean; `None` where all are the same, or there are
    /// fewer than two.
    pub(crate) fn distance(&self, cosine: f32) -> Option<f64> {
        let count = f64::from(self.count);
        let mean = self.sum / count;
        let deviation = (self.squares / count - mean * mean).max(0.0).sqrt();
        (self.count > 1 && deviation > 1e-6).then(|| (f64::from(cosine) - mean) / deviation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_is_counted_in_deviations() {
        let mut spread = Spread::default();
        assert_eq!(spread.distance(0.5), None);
        [0.1, 0.3].into_iter().for_each(|cosine| spread.add(cosine));
        let mut other = Spread::default();
        [0.1, 0.3].into_iter().for_each(|cosine| other.add(cosine));
        spread.join(other);
        assert_eq!(spread.count(), 4);
        let distance = spread.distance(0.5).expect("they stray");
        assert!((distance - 3.0).abs() < 1e-5, "{distance}");
    }

    #[test]
    fn equal_cosines_say_nothing() {
        let mut spread = Spread::default();
        [0.1, 0.1, 0.1].into_iter().for_each(|cosine| spread.add(cosine));
        assert_eq!(spread.distance(0.9), None);
    }
}
