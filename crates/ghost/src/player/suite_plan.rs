//! The runs of a suite: scenarios times variants times repeats.

use super::{hostile::Hostile, kill_point::BOUNDARIES, mode::Mode};
use crate::{
    harness::{LiveModel, PlayedRules},
    scenario::{Scenario, Twin},
    seeded_random::SeededRandom,
};
use std::{cmp::Reverse, collections::BTreeMap, path::PathBuf};

#[derive(Debug, Clone)]
pub struct SuitePlan {
    /// The product's own program.
    pub program: PathBuf,
    /// The folder of the scenario files, with every `json_file`.
    pub folder: PathBuf,
    pub scenarios: Vec<Scenario>,
    pub mode: Mode,
    /// How often each run is played; in `wording`, each time in other words.
    pub repeat: u32,
    /// Servers at the same time.
    pub jobs: usize,
    pub seed: u64,
    /// Plays only so many of the runs, selected by the seed.
    pub sample: Option<u32>,
    /// The model that answers in `live` and `record`.
    pub live: Option<LiveModel>,
    /// The rules that `live` is played under; `None`: those of a new project.
    pub rules: Option<PlayedRules>,
}

#[derive(Clone)]
pub(super) enum Variant {
    Recorded,
    Hostile(Hostile),
    Boundary(&'static str),
    Twin(Box<Twin>),
    Wording,
    Live,
}

impl Variant {
    pub(super) fn name(&self) -> String {
        match self {
            Self::Recorded | Self::Live => String::new(),
            Self::Hostile(hostile) => hostile.as_str().to_owned(),
            Self::Boundary(boundary) => (*boundary).to_owned(),
            Self::Twin(twin) => twin.wrong.clone(),
            Self::Wording => "wording".to_owned(),
        }
    }
}

pub(super) struct Job {
    pub(super) scenario: Scenario,
    pub(super) variant: Variant,
    pub(super) repeat: u32,
}

impl SuitePlan {
    /// The number of its runs.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.jobs_in_order().len()
    }

    /// Scenarios of the plan without a run in this mode.
    #[must_use]
    pub fn passed_over(&self) -> Vec<&str> {
        let none = |scenario: &&Scenario| self.variants(scenario).is_empty();
        self.scenarios.iter().filter(none).map(|scenario| scenario.id.as_str()).collect()
    }

    fn variants(&self, scenario: &Scenario) -> Vec<Variant> {
        match self.mode {
            Mode::Replay => vec![Variant::Recorded],
            Mode::Live | Mode::Record if self.live.is_none() || scenario.recorded_only => {
                Vec::new()
            }
            // No model answers, so there is nothing to record.
            Mode::Record if scenario.is_offline() => Vec::new(),
            Mode::Live | Mode::Record => vec![Variant::Live],
            Mode::Adversary => Hostile::ALL.map(Variant::Hostile).into(),
            Mode::Faults if !scenario.survives_a_crash() => Vec::new(),
            Mode::Faults => BOUNDARIES.map(Variant::Boundary).into(),
            Mode::Twins => {
                scenario.twins.iter().cloned().map(Box::new).map(Variant::Twin).collect()
            }
            // A recorded model gives the same answers to any words.
            Mode::Wording if !scenario.is_offline() => Vec::new(),
            Mode::Wording => vec![Variant::Wording],
        }
    }

    pub(super) fn jobs_in_order(&self) -> Vec<Job> {
        let mut jobs = Vec::new();
        for repeat in 1..=self.repeat {
            for scenario in &self.scenarios {
                let variants = self.variants(scenario);
                let job = |variant| Job { scenario: scenario.clone(), variant, repeat };
                jobs.extend(variants.into_iter().map(job));
            }
        }
        SeededRandom::new(self.seed, "order").shuffle(&mut jobs);
        if let Some(size) = self.sample {
            jobs = evenly(jobs, |job| job.variant.name());
            jobs.truncate(usize::try_from(size).unwrap_or(usize::MAX));
        }
        // Longest first: a long run that began last would run alone.
        jobs.sort_by_key(|job| Reverse(job.scenario.turns.len()));
        jobs
    }
}

/// Alternates the kinds, so that every beginning of the list has equally many of each kind.
fn evenly<T>(items: Vec<T>, kind: impl Fn(&T) -> String) -> Vec<T> {
    let mut seen = BTreeMap::<String, usize>::new();
    let mut numbered: Vec<(usize, T)> = Vec::with_capacity(items.len());
    for item in items {
        let nth = seen.entry(kind(&item)).or_default();
        *nth += 1;
        numbered.push((*nth, item));
    }
    numbered.sort_by_key(|(nth, _)| *nth);
    numbered.into_iter().map(|(_, item)| item).collect()
}

#[cfg(test)]
mod tests {
    use super::evenly;

    #[test]
    fn a_sample_holds_every_kind_as_often_and_loses_nothing() {
        let kind = |item: &&str| item[..1].to_owned();
        let items = vec!["a1", "a2", "a3", "b1", "c1", "b2", "c2", "a4"];
        let even = evenly(items, kind);
        assert_eq!(even, ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "a4"]);
    }
}
