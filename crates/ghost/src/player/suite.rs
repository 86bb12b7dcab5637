//! A suite: scenarios times variants times repeats, spread over workers with a server each.

use super::{
    adversary::adversary,
    crash::{BOUNDARIES, Kill},
    error::PlayError,
    faults::{Template, exhaust},
    ground::Patience,
    hostile::Hostile,
    house::House,
    mode::Mode,
    replay::{Played, replay},
    run::RunReport,
    seed::Draw,
    stage::Stage,
    twins::bitten,
    wording::{reworded, utterances},
};
use crate::{
    coverage::Visited,
    scenario::{Provider, Scenario, Twin},
    verdict::Verdict,
};
use futures::future::join_all;
use sha2::{Digest as _, Sha256};
use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{sync::mpsc, time::timeout};

/// One run, whatever it waits for.
const RUN_WITHIN: Duration = Duration::from_secs(300);
/// All kill points of one boundary.
const BOUNDARY_WITHIN: Duration = Duration::from_secs(1_800);
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
}

#[derive(Clone)]
enum Variant {
    Recorded,
    Hostile(Hostile),
    Boundary(&'static str),
    Twin(Box<Twin>),
    Wording,
}

impl Variant {
    fn name(&self) -> String {
        match self {
            Self::Recorded => String::new(),
            Self::Hostile(hostile) => hostile.as_str().to_owned(),
            Self::Boundary(boundary) => (*boundary).to_owned(),
            Self::Twin(twin) => twin.wrong.clone(),
            Self::Wording => "wording".to_owned(),
        }
    }
}

struct Job {
    scenario: Scenario,
    variant: Variant,
    repeat: u32,
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
        jobs
    }
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

/// Two programs of one version are two builds: what holds of one need not hold of the other.
fn build_of(program: &Path) -> Result<String, PlayError> {
    const DIGITS: usize = 12;
    const PIECE_BYTES: usize = 64 * 1024;
    let mut file = File::open(program).map_err(PlayError::path(program))?;
    let (mut hasher, mut piece) = (Sha256::new(), vec![0; PIECE_BYTES]);
    loop {
        let length = file.read(&mut piece).map_err(PlayError::path(program))?;
        match piece.get(..length) {
            Some([]) | None => break,
            Some(bytes) => hasher.update(bytes),
        }
    }
    let digest = hex::encode(hasher.finalize());
    let digits = digest.get(..DIGITS).unwrap_or_default();
    Ok(format!("{}-{digits}", env!("CARGO_PKG_VERSION")))
}

struct Worker<'a> {
    plan: &'a SuitePlan,
    jobs: Arc<[Job]>,
    next: Arc<AtomicUsize>,
    build: Arc<str>,
    told: mpsc::Sender<RunReport>,
}

/// What a run came to, whatever was played.
struct Came {
    verdict: Verdict,
    kills: Vec<Kill>,
    visited: Visited,
    policy_hash: String,
    prompt_hash: String,
}

impl Came {
    fn of(played: Played, policy_hash: &str) -> Self {
        Self {
            visited: Visited::of(&played.window),
            prompt_hash: played.window.prompt_hash(),
            verdict: played.verdict,
            kills: Vec::new(),
            policy_hash: policy_hash.to_owned(),
        }
    }
    fn error(why: String) -> Self {
        Self {
            verdict: Verdict::Error { why },
            kills: Vec::new(),
            visited: Visited::default(),
            policy_hash: String::new(),
            prompt_hash: String::new(),
        }
    }
}

impl Worker<'_> {
    async fn work(self) -> Result<(), PlayError> {
        let mut house = None;
        loop {
            let at = self.next.fetch_add(1, Ordering::SeqCst);
            let Some(job) = self.jobs.get(at) else { return Ok(()) };
            let started = Instant::now();
            let came = self.come(&mut house, job, at).await?;
            let report = self.report(job, came, started.elapsed());
            if self.told.send(report).await.is_err() {
                return Ok(());
            }
        }
    }

    async fn come(
        &self,
        house: &mut Option<House>,
        job: &Job,
        at: usize,
    ) -> Result<Came, PlayError> {
        let label = format!("{}-{at}", job.scenario.id);
        let played = match &job.variant {
            Variant::Boundary(boundary) => {
                timeout(BOUNDARY_WITHIN, self.boundary(job, boundary, &label)).await
            }
            Variant::Recorded | Variant::Hostile(_) | Variant::Twin(_) | Variant::Wording => {
                let open = match house.take() {
                    Some(open) => open,
                    None => self.open().await?,
                };
                let open = house.insert(open);
                timeout(RUN_WITHIN, self.run(open, job, &label)).await
            }
        };
        let came = match played {
            Ok(Ok(came)) => came,
            Ok(Err(error)) => Came::error(error.to_string()),
            Err(_) => Came::error("it did not end in time".to_owned()),
        };
        // The next run does not suffer from what this one did to its server.
        if matches!(came.verdict, Verdict::Error { .. }) {
            *house = None;
        }
        Ok(came)
    }

    async fn open(&self) -> Result<House, PlayError> {
        let patience = match self.plan.mode {
            Mode::Adversary => Patience::Short,
            Mode::Replay | Mode::Faults | Mode::Twins | Mode::Wording => Patience::Usual,
        };
        House::open(&self.plan.program, patience).await
    }

    async fn run(&self, house: &House, job: &Job, label: &str) -> Result<Came, PlayError> {
        let folder = &self.plan.folder;
        let scenario = &self.played(job);
        let stage = Stage::set(house, scenario, label, self.plan.seed).await?;
        let mut played = match &job.variant {
            Variant::Hostile(hostile) => adversary(house, &stage, scenario, *hostile).await?,
            Variant::Recorded | Variant::Boundary(_) | Variant::Twin(_) | Variant::Wording => {
                replay(house, &stage, scenario, folder).await?
            }
        };
        if let Variant::Twin(twin) = &job.variant {
            played.verdict = bitten(twin, played.verdict);
        }
        house.cassettes.take_away(label);
        Ok(Came::of(played, &stage.policy_hash))
    }

    fn played(&self, job: &Job) -> Scenario {
        match &job.variant {
            Variant::Twin(twin) => twin.of(&job.scenario),
            Variant::Wording => reworded(&job.scenario, self.plan.seed, job.repeat),
            // A hostile model is in place of any other.
            Variant::Hostile(_) => {
                Scenario { provider: Provider::Recorded, ..job.scenario.clone() }
            }
            Variant::Recorded | Variant::Boundary(_) => job.scenario.clone(),
        }
    }

    async fn boundary(
        &self,
        job: &Job,
        boundary: &'static str,
        label: &str,
    ) -> Result<Came, PlayError> {
        let house = self.open().await?;
        let template = Template::set(house, &job.scenario, label, self.plan.seed).await?;
        let done = exhaust(&template, &job.scenario, &self.plan.folder, boundary).await?;
        Ok(Came {
            verdict: done.verdict,
            kills: done.kills,
            visited: done.visited,
            policy_hash: template.stage().policy_hash.clone(),
            prompt_hash: done.prompt_hash,
        })
    }

    fn report(&self, job: &Job, came: Came, took: Duration) -> RunReport {
        let played = self.played(job);
        let said = match job.variant {
            Variant::Wording => utterances(&played),
            Variant::Recorded | Variant::Hostile(_) | Variant::Boundary(_) | Variant::Twin(_) => {
                Vec::new()
            }
        };
        RunReport {
            scenario: job.scenario.id.clone(),
            mode: self.plan.mode,
            variant: job.variant.name(),
            repeat: job.repeat,
            verdict: came.verdict,
            duration_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            seed: self.plan.seed,
            build: self.build.to_string(),
            policy_hash: came.policy_hash,
            prompt_hash: came.prompt_hash,
            model: match &job.variant {
                Variant::Hostile(hostile) => format!("hostile:{}", hostile.as_str()),
                Variant::Recorded | Variant::Boundary(_) | Variant::Twin(_) | Variant::Wording => {
                    played.provider.model().to_owned()
                }
            },
            kills: came.kills,
            said,
            visited: came.visited,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::build_of;
    use std::fs;

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
