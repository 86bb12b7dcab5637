//! How often such a reading is right.

/// What the rules give a reading, and how often readings like it were fully right in words that nobody
/// had tried (`third.toml` and `fourth.toml` at their only unseen try: 330 of 360). Below 0.4 nothing is
/// done without a question, and nothing is claimed.
const KNOTS: [(f32, f32); 6] =
    [(0.0, 0.0), (0.4, 0.4), (0.5, 0.82), (0.7, 0.9), (0.9, 0.95), (1.0, 0.98)];

/// Between the knots in a straight line, so that what is surer by the rules stays surer.
pub(crate) fn likelihood(score: f32) -> f32 {
    let score = score.clamp(0.0, 1.0);
    let mut pairs = KNOTS.iter().zip(KNOTS.iter().skip(1));
    let between = pairs.find(|(_, (to, _))| score <= *to);
    between.map_or(score, |((from, low), (to, high))| {
        low + (high - low) * (score - from) / (to - from)
    })
}

#[cfg(test)]
mod tests;
