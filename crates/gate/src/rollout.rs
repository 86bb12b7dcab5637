//! When a project's stage may become `enforce`: figures of its reviews, and the reasons against it.

use serde::{Deserialize, Serialize};

/// One million parts: all of them.
pub const WHOLE_PPM: u32 = 1_000_000;
/// The largest upper bound on false denials that may be promoted, in parts per million: 2 %.
pub const BOUND_MAX_PPM: u32 = 20_000;
/// Chance that so few false denials are seen where the rate is the bound: 5 %, for 95 % confidence.
const DOUBT: f64 = 0.05;

/// What is known of a project's reviews.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RolloutFigures {
    /// Requests that were reviewed and are not risky; the same one counts once.
    pub evaluated: u64,
    /// Of these, the ones that the review did not let through.
    pub divergences: u64,
    /// Of these, the ones that no person has looked at.
    pub unreviewed: u64,
    /// Of these, the ones that a person found wrong: false denials.
    pub wrong: u64,
}

impl RolloutFigures {
    /// Exact (Clopper-Pearson) one-sided upper bound on the rate of false denials at 95 % confidence, in
    /// parts per million, rounded up.
    #[must_use]
    pub fn bound_ppm(&self) -> u32 {
        upper_bound_ppm(self.evaluated, self.wrong)
    }
    /// Whether that bound is over what may be promoted.
    #[must_use]
    pub fn exceeds(&self) -> bool {
        self.bound_ppm() > BOUND_MAX_PPM
    }
}

/// Why a promotion is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PromotionRefusal {
    /// The bound on false denials is over 2 %: too few were reviewed, or too many were wrong.
    BoundExceeded,
    /// Divergences wait for a person's verdict.
    DivergencesUnreviewed,
    /// No live GHOST suite is on record that is green for this build, model and these rules.
    NoGhostRun,
}

/// Proof that nothing speaks against a promotion. INVARIANT: made by [`earned`] only.
#[derive(Debug)]
pub struct Earned(());

/// `waived`: two approvers have waived bound and reviews. Nothing stands in for the run.
pub fn earned(
    figures: &RolloutFigures,
    run_is_green: bool,
    waived: bool,
) -> Result<Earned, Vec<PromotionRefusal>> {
    let against = [
        (figures.exceeds() && !waived, PromotionRefusal::BoundExceeded),
        (figures.unreviewed > 0 && !waived, PromotionRefusal::DivergencesUnreviewed),
        (!run_is_green, PromotionRefusal::NoGhostRun),
    ];
    let refused: Vec<_> =
        against.into_iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason).collect();
    if refused.is_empty() { Ok(Earned(())) } else { Err(refused) }
}

/// The least rate at which `wrong` or fewer of `evaluated` would be seen with a chance of at most 5 %.
fn upper_bound_ppm(evaluated: u64, wrong: u64) -> u32 {
    if wrong >= evaluated {
        return WHOLE_PPM;
    }
    // INVARIANT: the chance falls as the rate rises; it is over `DOUBT` at `low` and not at `high`.
    let (mut low, mut high) = (0, WHOLE_PPM);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if chance_of_at_most(wrong, evaluated, f64::from(middle) / f64::from(WHOLE_PPM)) > DOUBT {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

/// P(X <= `most`) of `of` tries, each with this `rate` between 0 and 1. In logarithms, because a single
/// outcome may be less likely than a number can say.
fn chance_of_at_most(most: u64, of: u64, rate: f64) -> f64 {
    let odds = rate.ln() - (-rate).ln_1p();
    let mut outcome = count(of) * (-rate).ln_1p();
    let mut sum = outcome.exp();
    for nth in 0..most {
        outcome += (count(of - nth) / count(nth + 1)).ln() + odds;
        sum += outcome.exp();
    }
    sum
}

/// Numbers of reviews are far below what a float counts exactly.
const fn count(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn percent(evaluated: u64, wrong: u64) -> f64 {
        f64::from(upper_bound_ppm(evaluated, wrong)) / 10_000.0
    }

    #[test]
    fn the_bound_is_that_of_clopper_and_pearson() {
        // 1 - 0.05^(1/n) where none is wrong.
        for (evaluated, wrong, due) in [
            (150, 0, 1.9773),
            (149, 0, 1.9905),
            (148, 0, 2.0038),
            (1, 0, 95.0),
            (236, 1, 1.9941),
            (100, 1, 4.6560),
            (100, 5, 10.2253),
            (10, 9, 99.4884),
            (1_000, 10, 1.6903),
        ] {
            let found = percent(evaluated, wrong);
            assert!((found - due).abs() < 0.000_2, "{wrong} of {evaluated}: {found}, not {due}");
        }
        assert_eq!((percent(0, 0), percent(3, 3), percent(3, 9)), (100.0, 100.0, 100.0));
        let figures = |evaluated| RolloutFigures { evaluated, ..RolloutFigures::default() };
        assert_eq!((figures(149).exceeds(), figures(148).exceeds()), (false, true));
    }

    #[test]
    fn a_large_number_of_reviews_neither_vanishes_nor_overflows() {
        assert!((percent(5_000_000, 100_000) - 2.0103).abs() < 0.000_2);
        assert_eq!(upper_bound_ppm(1 << 40, 0), 1);
    }

    #[test]
    fn each_reason_is_named_and_a_waiver_is_none_for_the_run() {
        use PromotionRefusal::{BoundExceeded, DivergencesUnreviewed, NoGhostRun};
        let good = RolloutFigures { evaluated: 150, ..RolloutFigures::default() };
        let open = RolloutFigures { divergences: 1, unreviewed: 1, ..good };
        let few = RolloutFigures { evaluated: 3, ..open };
        assert!(earned(&good, true, false).is_ok());
        let refused = |figures, green, waived| earned(figures, green, waived).err();
        let all = vec![BoundExceeded, DivergencesUnreviewed, NoGhostRun];
        assert_eq!(refused(&few, false, false), Some(all));
        assert_eq!(refused(&open, true, false), Some(vec![DivergencesUnreviewed]));
        assert_eq!(refused(&few, false, true), Some(vec![NoGhostRun]));
        assert_eq!(refused(&few, true, true), None);
    }

    proptest! {
        #[test]
        fn more_wrong_never_lowers_the_bound_and_more_reviews_never_raise_it(
            evaluated in 1_u64..3_000, share in 0.0_f64..1.0
        ) {
            let wrong = (count(evaluated) * share) as u64;
            let bound = upper_bound_ppm(evaluated, wrong);
            prop_assert!(upper_bound_ppm(evaluated, wrong + 1) >= bound);
            prop_assert!(upper_bound_ppm(evaluated + 1, wrong) <= bound);
            // What was seen is never over its own bound.
            prop_assert!(u128::from(bound) * u128::from(evaluated) >= u128::from(wrong) * 1_000_000);
        }
    }
}
