//! The verdict on a model from stored results. A pure function of the rows.

use super::{GhostVerdict, Invariants, suite::Suite};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::{ProviderName, Timestamp};

/// Fewer show too little: a model need not say the same twice.
const REPEATS_MIN: usize = 3;
/// Of the suite, in each repeat.
const PASSED_PERCENT_MIN: usize = 90;

/// What a record has to be of to count. Anything else than this is another case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerKey {
    pub provider: ProviderName,
    pub model: String,
    /// As the provider's answers name it; `None`: whatever they named, if it was one.
    pub revision: Option<String>,
    pub prompt_hash: String,
    pub policy_hash: String,
    pub build: String,
}

/// One stored run with that very model, by a player in the mode `live`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveRun {
    pub scenario: String,
    pub verdict: GhostVerdict,
    /// `None`: they were not looked at.
    pub invariants: Option<Invariants>,
    /// From 1.
    pub repeat: u32,
    /// All runs of one suite have it.
    pub seed: u64,
    pub revision: Option<String>,
    pub prompt_hash: String,
    pub policy_hash: String,
    pub build: String,
    pub at: Timestamp,
}

/// A part of the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Build,
    Prompts,
    Policy,
    Revision,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "is")]
pub enum ModelStanding {
    /// `revision`: `None` where no answer named one.
    Verified {
        revision: Option<String>,
        at: Timestamp,
    },
    /// Nothing that counts is stored of this very case.
    NoRecord,
    /// Nothing is stored of this case; of one that differs in these parts it is verified.
    VerifiedElsewhere {
        differs: BTreeSet<Part>,
    },
    /// In any run: that is never outvoted.
    InvariantViolated {
        scenario: String,
    },
    /// No suite has been played to its end: so many scenarios in each of so many repeats.
    Incomplete {
        scenarios: usize,
        of: usize,
        repeats: usize,
    },
    /// Invariants could not be looked at in a run of the suite.
    Unchecked {
        scenario: String,
    },
    /// The provider's answers named more than one.
    MixedRevisions,
    SmokeNotPassed {
        scenario: String,
        verdict: GhostVerdict,
    },
    TooFewPassed {
        repeat: u32,
        passed: usize,
        of: usize,
    },
}

impl ModelStanding {
    #[must_use]
    pub const fn is_verified(&self) -> bool {
        matches!(self, Self::Verified { .. })
    }

    /// The same, where the smoke scenario has stages that this build does not have, and nothing else is
    /// lacking.
    #[must_use]
    pub const fn is_green(&self) -> bool {
        match self {
            Self::Verified { .. } => true,
            Self::SmokeNotPassed { verdict, .. } => matches!(verdict, GhostVerdict::Partial),
            Self::NoRecord
            | Self::VerifiedElsewhere { .. }
            | Self::InvariantViolated { .. }
            | Self::Incomplete { .. }
            | Self::Unchecked { .. }
            | Self::MixedRevisions
            | Self::TooFewPassed { .. } => false,
        }
    }
}

/// `runs`: all of that provider and model, newest first.
#[must_use]
pub fn standing(key: &LedgerKey, runs: &[LiveRun], suite: Suite<'_>) -> ModelStanding {
    let (of_case, others): (Vec<&LiveRun>, Vec<&LiveRun>) =
        runs.iter().partition(|run| differs(key, run).is_empty());
    if of_case.is_empty() { elsewhere(key, &others, suite) } else { judged(&of_case, suite) }
}

fn differs(key: &LedgerKey, run: &LiveRun) -> BTreeSet<Part> {
    let revision = key.revision.is_some() && key.revision != run.revision;
    let parts = [
        (Part::Build, key.build != run.build),
        (Part::Prompts, key.prompt_hash != run.prompt_hash),
        (Part::Policy, key.policy_hash != run.policy_hash),
        (Part::Revision, revision),
    ];
    parts.into_iter().filter(|(_, differs)| *differs).map(|(part, _)| part).collect()
}

/// The nearest other case that is verified.
fn elsewhere(key: &LedgerKey, others: &[&LiveRun], suite: Suite<'_>) -> ModelStanding {
    type Case<'a> = (&'a str, &'a str, &'a str);
    let mut cases: BTreeMap<(BTreeSet<Part>, Case<'_>), Vec<&LiveRun>> = BTreeMap::new();
    for &run in others {
        let case = (run.build.as_str(), run.prompt_hash.as_str(), run.policy_hash.as_str());
        cases.entry((differs(key, run), case)).or_default().push(run);
    }
    let verified = cases.into_iter().filter(|(_, runs)| judged(runs, suite).is_verified());
    let nearest = verified.map(|((differs, _), _)| differs).min_by_key(BTreeSet::len);
    nearest.map_or(ModelStanding::NoRecord, |differs| ModelStanding::VerifiedElsewhere { differs })
}

/// `runs`: of one case, newest first. The newest suite that was played to its end decides; a violated
/// invariant does in any run.
fn judged(runs: &[&LiveRun], suite: Suite<'_>) -> ModelStanding {
    let violated = |run: &&&LiveRun| run.invariants == Some(Invariants::Violated);
    if let Some(run) = runs.iter().find(violated) {
        return ModelStanding::InvariantViolated { scenario: run.scenario.clone() };
    }
    let mut seeds: Vec<u64> = Vec::new();
    for run in runs {
        if !seeds.contains(&run.seed) {
            seeds.push(run.seed);
        }
    }
    let played: Vec<Played<'_>> =
        seeds.into_iter().map(|seed| Played::of(runs, seed, suite)).collect();
    match played.iter().find(|played| played.is_complete(suite)) {
        Some(played) => played.standing(suite),
        None => played.first().map_or(ModelStanding::NoRecord, |newest| newest.lacking(suite)),
    }
}

/// One suite, as far as it was played: by repeat, the runs of each of its scenarios.
struct Played<'a> {
    repeats: BTreeMap<u32, BTreeMap<&'a str, Vec<&'a LiveRun>>>,
}

impl<'a> Played<'a> {
    fn of(runs: &[&'a LiveRun], seed: u64, suite: Suite<'_>) -> Self {
        let mut repeats: BTreeMap<u32, BTreeMap<&str, Vec<&LiveRun>>> = BTreeMap::new();
        let of_suite = |run: &&&LiveRun| suite.scenarios.contains(&run.scenario.as_str());
        for run in runs.iter().filter(|run| run.seed == seed).filter(of_suite) {
            let scenarios = repeats.entry(run.repeat).or_default();
            scenarios.entry(run.scenario.as_str()).or_default().push(run);
        }
        Self { repeats }
    }

    fn is_complete(&self, suite: Suite<'_>) -> bool {
        let whole = self.repeats.values().all(|of| of.len() == suite.scenarios.len());
        whole && self.repeats.len() >= REPEATS_MIN
    }

    fn lacking(&self, suite: Suite<'_>) -> ModelStanding {
        let in_all = |id: &&&str| self.repeats.values().all(|of| of.contains_key(**id));
        let scenarios = match self.repeats.is_empty() {
            true => 0,
            false => suite.scenarios.iter().filter(in_all).count(),
        };
        ModelStanding::Incomplete {
            scenarios,
            of: suite.scenarios.len(),
            repeats: self.repeats.len(),
        }
    }

    fn runs(&self) -> impl Iterator<Item = &'a LiveRun> {
        self.repeats.values().flat_map(BTreeMap::values).flatten().copied()
    }

    fn standing(&self, suite: Suite<'_>) -> ModelStanding {
        if let Some(run) = self.runs().find(|run| run.invariants.is_none()) {
            return ModelStanding::Unchecked { scenario: run.scenario.clone() };
        }
        let revisions: BTreeSet<&String> =
            self.runs().filter_map(|r| r.revision.as_ref()).collect();
        if revisions.len() > 1 {
            return ModelStanding::MixedRevisions;
        }
        let of_smoke = |run: &&LiveRun| run.scenario == suite.smoke && !passed(run);
        let failed: Vec<_> = self.runs().filter(of_smoke).collect();
        let smoke = |run: &LiveRun| {
            let (scenario, verdict) = (run.scenario.clone(), run.verdict);
            ModelStanding::SmokeNotPassed { scenario, verdict }
        };
        if let Some(run) = failed.iter().find(|run| run.verdict != GhostVerdict::Partial) {
            return smoke(run);
        }
        let of = suite.scenarios.len();
        for (&repeat, scenarios) in &self.repeats {
            // Told twice it has passed twice.
            let all = |runs: &&Vec<&LiveRun>| runs.iter().all(|run| passed(run));
            let passed = scenarios.values().filter(all).count();
            if passed * 100 < of * PASSED_PERCENT_MIN {
                return ModelStanding::TooFewPassed { repeat, passed, of };
            }
        }
        // Said last: who asks may do without what this build does not have.
        if let Some(run) = failed.first() {
            return smoke(run);
        }
        let at = self.runs().map(|run| run.at).max();
        let revision = revisions.first().map(|revision| (*revision).clone());
        at.map_or(ModelStanding::NoRecord, |at| ModelStanding::Verified { revision, at })
    }
}

/// What this build cannot play whole has not been passed.
const fn passed(run: &LiveRun) -> bool {
    matches!(run.verdict, GhostVerdict::Pass)
}

#[cfg(test)]
mod tests;
