//! The verdict on a model from stored results. A pure function of the rows.

use super::{
    GhostVerdict, Invariants,
    suite::{Chosen, Suite},
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::{ProviderName, TaskType, Timestamp};

/// Fewer show too little: a model need not say the same twice.
const REPEATS_MIN: usize = 3;

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

/// One stored run with that very model, by a player in the mode `live`, that counts: a runner's key signed it.
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
    /// No scenario that this build can play whole, and the rules let be played, speaks for this kind of task; or
    /// too few are left to speak for all kinds together.
    NoScenario,
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
}

/// `runs`: all of that provider and model, newest first. `task`: what the scenarios have to speak for; `None`:
/// all of them.
#[must_use]
pub fn standing(
    key: &LedgerKey,
    runs: &[LiveRun],
    suite: Suite<'_>,
    task: Option<TaskType>,
) -> ModelStanding {
    let chosen = suite.of(task);
    let too_few = task.is_none() && chosen.counted.len() < suite.counted_min;
    if too_few || chosen.counted.is_empty() {
        return ModelStanding::NoScenario;
    }
    let (of_case, others): (Vec<&LiveRun>, Vec<&LiveRun>) =
        runs.iter().partition(|run| differs(key, run).is_empty());
    match of_case.is_empty() {
        true => elsewhere(key, &others, &chosen),
        false => judged(&of_case, &chosen),
    }
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
fn elsewhere(key: &LedgerKey, others: &[&LiveRun], chosen: &Chosen<'_>) -> ModelStanding {
    type Case<'a> = (&'a str, &'a str, &'a str);
    let mut cases: BTreeMap<(BTreeSet<Part>, Case<'_>), Vec<&LiveRun>> = BTreeMap::new();
    for &run in others {
        let case = (run.build.as_str(), run.prompt_hash.as_str(), run.policy_hash.as_str());
        cases.entry((differs(key, run), case)).or_default().push(run);
    }
    let verified = cases.into_iter().filter(|(_, runs)| judged(runs, chosen).is_verified());
    let nearest = verified.map(|((differs, _), _)| differs).min_by_key(BTreeSet::len);
    nearest.map_or(ModelStanding::NoRecord, |differs| ModelStanding::VerifiedElsewhere { differs })
}

/// `runs`: of one case, newest first. The newest suite that was played to its end decides; a violated
/// invariant does in any run.
fn judged(runs: &[&LiveRun], chosen: &Chosen<'_>) -> ModelStanding {
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
        seeds.into_iter().map(|seed| Played::of(runs, seed, chosen)).collect();
    match played.iter().find(|played| played.is_complete()) {
        Some(played) => played.standing(),
        None => played.first().map_or(ModelStanding::NoRecord, Played::lacking),
    }
}

/// One suite, as far as it was played: by repeat, the runs of each of its scenarios.
struct Played<'a> {
    chosen: &'a Chosen<'a>,
    /// What has to be played: what counts, and the smoke scenario.
    needed: BTreeSet<&'a str>,
    repeats: BTreeMap<u32, BTreeMap<&'a str, Vec<&'a LiveRun>>>,
}

impl<'a> Played<'a> {
    fn of(runs: &[&'a LiveRun], seed: u64, chosen: &'a Chosen<'a>) -> Self {
        let needed: BTreeSet<&str> = chosen.counted.iter().copied().chain(chosen.smoke).collect();
        let mut repeats: BTreeMap<u32, BTreeMap<&str, Vec<&LiveRun>>> = BTreeMap::new();
        let of_suite = |run: &&&LiveRun| needed.contains(run.scenario.as_str());
        for run in runs.iter().filter(|run| run.seed == seed).filter(of_suite) {
            let scenarios = repeats.entry(run.repeat).or_default();
            scenarios.entry(run.scenario.as_str()).or_default().push(run);
        }
        Self { chosen, needed, repeats }
    }

    fn is_complete(&self) -> bool {
        let whole = self.repeats.values().all(|of| of.len() == self.needed.len());
        whole && self.repeats.len() >= REPEATS_MIN
    }

    fn lacking(&self) -> ModelStanding {
        let in_all = |id: &&&str| self.repeats.values().all(|of| of.contains_key(**id));
        let scenarios = match self.repeats.is_empty() {
            true => 0,
            false => self.needed.iter().filter(in_all).count(),
        };
        ModelStanding::Incomplete { scenarios, of: self.needed.len(), repeats: self.repeats.len() }
    }

    fn runs(&self) -> impl Iterator<Item = &'a LiveRun> {
        self.repeats.values().flat_map(BTreeMap::values).flatten().copied()
    }

    fn standing(&self) -> ModelStanding {
        if let Some(run) = self.runs().find(|run| run.invariants.is_none()) {
            return ModelStanding::Unchecked { scenario: run.scenario.clone() };
        }
        let revisions: BTreeSet<&String> =
            self.runs().filter_map(|r| r.revision.as_ref()).collect();
        if revisions.len() > 1 {
            return ModelStanding::MixedRevisions;
        }
        if let Some(run) = self.runs().find(|run| self.fails_smoke(run)) {
            let (scenario, verdict) = (run.scenario.clone(), run.verdict);
            return ModelStanding::SmokeNotPassed { scenario, verdict };
        }
        let of = self.chosen.counted.len();
        for (&repeat, scenarios) in &self.repeats {
            // Told twice it has passed twice.
            let counts = |(id, runs): &(&&str, &Vec<&LiveRun>)| {
                self.chosen.counted.contains(*id) && runs.iter().all(|run| passed(run))
            };
            let passed = scenarios.iter().filter(counts).count();
            if passed * 100 < of * self.chosen.green_percent {
                return ModelStanding::TooFewPassed { repeat, passed, of };
            }
        }
        let at = self.runs().map(|run| run.at).max();
        let revision = revisions.first().map(|revision| (*revision).clone());
        at.map_or(ModelStanding::NoRecord, |at| ModelStanding::Verified { revision, at })
    }

    /// Where this build has its stages it has to pass; as far as it has them, elsewhere. Under rules that do
    /// not let it be played it is left out like any other.
    fn fails_smoke(&self, run: &LiveRun) -> bool {
        let good = match run.verdict {
            GhostVerdict::Pass => true,
            GhostVerdict::Partial => self.chosen.smoke_is_partial,
            GhostVerdict::Fail | GhostVerdict::Error => false,
        };
        self.chosen.smoke == Some(run.scenario.as_str()) && !good
    }
}

/// There is no soft verdict: PARTIAL is none that counts.
const fn passed(run: &LiveRun) -> bool {
    matches!(run.verdict, GhostVerdict::Pass)
}

#[cfg(test)]
mod tests;
