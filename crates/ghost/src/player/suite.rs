//! A suite: scenarios times variants times repeats, spread over workers with a server each.

use super::{
    crash::BOUNDARIES, error::PlayError, hostile::Hostile, live::LiveModel, mode::Mode,
    run::RunReport, seed::Draw, worker::Worker,
};
use crate::scenario::{Scenario, Twin};
use futures::future::join_all;
use sha2::{Digest as _, Sha256};
use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicUsize},
};
use tokio::sync::mpsc;
use wiiiv_domain::build_name;

pub const JOBS_MAX: usize = 64;

#[derive(Debug, Clone)]
pub struct SuitePlan {
    /// The product's own program.
    pub program: PathBuf,
    /// Of the scenario files: what `json_file` is looked up in.
    pub folder: PathBuf,
    pub scenarios: Vec<Scenario>,
    pub mode: Mode,
    /// In `wording`, how many people say it in words of their own.
    pub repeat: u32,
    /// Servers at the same time.
    pub jobs: usize,
    pub seed: u64,
    /// Of all runs only so many, drawn by the seed.
    pub sample: Option<u32>,
    /// Who answers in `live` and `record`.
    pub live: Option<LiveModel>,
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
    /// How many runs it has.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.jobs_in_order().len()
    }

    /// Chosen scenarios that have nothing to play in this mode.
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
            // What it answers would be told to nobody.
            Mode::Record if scenario.is_offline() => Vec::new(),
            Mode::Live | Mode::Record => vec![Variant::Live],
            Mode::Adversary => Hostile::ALL.map(Variant::Hostile).into(),
            // Nothing that hangs on the clock can be taken up at any moment.
            Mode::Faults if !scenario.stands_a_crash() => Vec::new(),
            Mode::Faults => BOUNDARIES.map(Variant::Boundary).into(),
            Mode::Twins => {
                scenario.twins.iter().cloned().map(Box::new).map(Variant::Twin).collect()
            }
            // A recorded model hears nothing of what is said.
            Mode::Wording if !scenario.is_offline() => Vec::new(),
            Mode::Wording => vec![Variant::Wording],
        }
    }

    fn jobs_in_order(&self) -> Vec<Job> {
        let mut jobs = Vec::new();
        for repeat in 1..=self.repeat {
            for scenario in &self.scenarios {
                let variants = self.variants(scenario);
                let job = |variant| Job { scenario: scenario.clone(), variant, repeat };
                jobs.extend(variants.into_iter().map(job));
            }
        }
        Draw::of(self.seed, "order").shuffle(&mut jobs);
        if let Some(size) = self.sample {
            jobs = evenly(jobs, |job| job.variant.name());
            jobs.truncate(usize::try_from(size).unwrap_or(usize::MAX));
        }
        // A long one that began last would be waited for alone.
        jobs.sort_by_key(|job| Reverse(job.scenario.turns.len()));
        jobs
    }
}

/// Each kind in turn, so that a beginning of any length holds as many of one as of another.
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

/// Tells each report as soon as it is there; the order is the seed's and the workers'.
pub async fn play(plan: &SuitePlan, told: mpsc::Sender<RunReport>) -> Result<(), PlayError> {
    let jobs: Arc<[Job]> = plan.jobs_in_order().into();
    let build: Arc<str> = build_of(&plan.program)?.into();
    let next = Arc::new(AtomicUsize::new(0));
    let count = plan.jobs.clamp(1, JOBS_MAX).min(jobs.len().max(1));
    let workers = (0..count).map(|_| {
        let (jobs, next, build) = (Arc::clone(&jobs), Arc::clone(&next), Arc::clone(&build));
        Worker { plan, jobs, next, build, told: told.clone() }.work()
    });
    join_all(workers).await.into_iter().collect()
}

fn build_of(program: &Path) -> Result<String, PlayError> {
    const PIECE_BYTES: usize = 64 * 1024;
    let mut file = File::open(program).map_err(PlayError::path(program))?;
    let (mut hasher, mut piece) = (Sha256::new(), vec![0; PIECE_BYTES]);
    loop {
        let length = file.read(&mut piece).map_err(PlayError::path(program))?;
        match piece.get(..length) {
            Some([]) | None => return Ok(build_name(hasher.finalize().into())),
            Some(bytes) => hasher.update(bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{build_of, evenly};
    use std::fs;

    #[test]
    fn a_sample_holds_every_kind_as_often_and_loses_nothing() {
        let kind = |item: &&str| item[..1].to_owned();
        let items = vec!["a1", "a2", "a3", "b1", "c1", "b2", "c2", "a4"];
        let even = evenly(items, kind);
        assert_eq!(even, ["a1", "b1", "c1", "a2", "b2", "c2", "a3", "a4"]);
    }

    #[test]
    fn another_program_is_another_build() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        let build = |bytes: &str| {
            fs::write(&program, bytes).unwrap();
            build_of(&program).unwrap()
        };
        assert_eq!(build("a"), build("a"));
        assert_ne!(build("a"), build("b"));
        assert!(build_of(&folder.path().join("none")).is_err());
    }
}
