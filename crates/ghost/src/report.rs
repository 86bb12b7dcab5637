//! Reports of a suite: a matrix for people, `JUnit` XML for build servers, counts.

mod junit;
mod matrix;

pub use junit::junit;
pub use matrix::matrix;

use crate::player::RunReport;
use serde::Serialize;

/// How many of each verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    pub pass: usize,
    pub partial: usize,
    pub fail: usize,
    pub error: usize,
    /// Points at which the server was ended.
    pub kills: usize,
}

impl Tally {
    #[must_use]
    pub fn of(reports: &[RunReport]) -> Self {
        use crate::verdict::Verdict;
        let mut tally = Self::default();
        for report in reports {
            tally.kills += report.kills.len();
            match report.verdict {
                Verdict::Pass => tally.pass += 1,
                Verdict::Partial { .. } => tally.partial += 1,
                Verdict::Fail { .. } => tally.fail += 1,
                Verdict::Error { .. } => tally.error += 1,
            }
        }
        tally
    }
    /// Nothing failed, and at least one run passed.
    #[must_use]
    pub const fn is_good(&self) -> bool {
        self.fail == 0 && self.error == 0 && self.pass + self.partial > 0
    }
}

/// Sorts by scenario, variant and repeat.
pub fn sort(reports: &mut [RunReport]) {
    reports.sort_by(|a, b| {
        (&a.scenario, &a.variant, a.repeat).cmp(&(&b.scenario, &b.variant, b.repeat))
    });
}
