//! One worker of a suite: a server, and one run after the other in it.

use super::{
    adversary::adversary,
    crash::Kill,
    error::PlayError,
    faults::{Template, exhaust},
    ground::Patience,
    house::House,
    keep::kept,
    live::revision,
    mode::Mode,
    replay::{Played, replay},
    run::{Invariants, RunReport},
    stage::Stage,
    suite::{Job, SuitePlan, Variant},
    twins::bitten,
    wording::{reworded, utterances},
};
use crate::{
    coverage::Visited,
    model::Heard,
    scenario::{Provider, Scenario},
    verdict::Verdict,
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{sync::mpsc, time::timeout};
use wiiiv_domain::ProviderName;

/// Runs of one server. Behind each of them everything that the server keeps is searched for secrets: a
/// server that keeps all runs of a long suite makes each of them slower than the one before.
const RUNS_A_SERVER: usize = 64;
/// One run, whatever it waits for.
const RUN_WITHIN: Duration = Duration::from_secs(300);
/// One run with a real model, which takes its time in every turn.
const LIVE_RUN_WITHIN: Duration = Duration::from_secs(1_800);
/// All kill points of one boundary.
const BOUNDARY_WITHIN: Duration = Duration::from_secs(1_800);

pub(super) struct Worker<'a> {
    pub(super) plan: &'a SuitePlan,
    pub(super) jobs: Arc<[Job]>,
    pub(super) next: Arc<AtomicUsize>,
    pub(super) build: Arc<str>,
    pub(super) told: mpsc::Sender<RunReport>,
}

/// What is known of a run beside its verdict, whatever was played.
#[derive(Default)]
struct Came {
    kills: Vec<Kill>,
    visited: Visited,
    policy_hash: String,
    prompt_hash: String,
    invariants: Option<Invariants>,
    heard: Vec<Vec<Heard>>,
    /// Of what was heard, what a scenario may keep.
    answers: Vec<Vec<String>>,
}

impl Came {
    fn of(played: Played, policy_hash: &str) -> (Verdict, Self) {
        let came = Self {
            visited: Visited::of(&played.window),
            prompt_hash: played.window.prompt_hash(),
            kills: Vec::new(),
            policy_hash: policy_hash.to_owned(),
            invariants: played.invariants,
            heard: played.heard,
            answers: Vec::new(),
        };
        (played.verdict, came)
    }
}

impl Worker<'_> {
    pub(super) async fn work(self) -> Result<(), PlayError> {
        let (mut house, mut runs) = (None, 0_usize);
        loop {
            if runs.is_multiple_of(RUNS_A_SERVER) {
                house = None;
            }
            runs += 1;
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
    ) -> Result<(Verdict, Came), PlayError> {
        let label = format!("{}-{at}", job.scenario.id);
        let played = match &job.variant {
            Variant::Boundary(boundary) => {
                timeout(BOUNDARY_WITHIN, self.boundary(job, boundary, &label)).await
            }
            Variant::Recorded
            | Variant::Hostile(_)
            | Variant::Twin(_)
            | Variant::Wording
            | Variant::Live => {
                let open = match house.take() {
                    Some(open) => open,
                    None => self.open().await?,
                };
                let open = house.insert(open);
                let within = if open.live.is_some() { LIVE_RUN_WITHIN } else { RUN_WITHIN };
                timeout(within, self.run(open, job, &label)).await
            }
        };
        let came = match played {
            Ok(Ok(came)) => came,
            Ok(Err(error)) => (Verdict::Error { why: error.to_string() }, Came::default()),
            Err(_) => {
                let why = "it did not end in time".to_owned();
                (Verdict::Error { why }, Came::default())
            }
        };
        // The next run does not suffer from what this one did to its server.
        if matches!(came.0, Verdict::Error { .. }) {
            *house = None;
        }
        Ok(came)
    }

    async fn open(&self) -> Result<House, PlayError> {
        let patience = match self.plan.mode {
            Mode::Adversary => Patience::Short,
            Mode::Replay
            | Mode::Faults
            | Mode::Twins
            | Mode::Wording
            | Mode::Live
            | Mode::Record => Patience::Usual,
        };
        House::open(&self.plan.program, patience, self.plan.live.as_ref()).await
    }

    async fn run(
        &self,
        house: &House,
        job: &Job,
        label: &str,
    ) -> Result<(Verdict, Came), PlayError> {
        let folder = &self.plan.folder;
        let scenario = &self.played(job);
        let stage = Stage::set(house, scenario, label, self.plan.seed).await?;
        let mut played = match &job.variant {
            Variant::Hostile(hostile) => adversary(house, &stage, scenario, *hostile).await?,
            Variant::Recorded
            | Variant::Boundary(_)
            | Variant::Twin(_)
            | Variant::Wording
            | Variant::Live => replay(house, &stage, scenario, folder).await?,
        };
        if let Variant::Twin(twin) = &job.variant {
            played.verdict = bitten(twin, played.verdict);
        }
        house.cassettes.take_away(label);
        let answers = match self.plan.mode {
            Mode::Record => kept(house, &stage, &played.heard)?,
            Mode::Replay
            | Mode::Adversary
            | Mode::Faults
            | Mode::Twins
            | Mode::Wording
            | Mode::Live => Vec::new(),
        };
        let (verdict, came) = Came::of(played, &stage.policy_hash);
        Ok((verdict, Came { answers, ..came }))
    }

    fn played(&self, job: &Job) -> Scenario {
        match &job.variant {
            Variant::Twin(twin) => twin.of(&job.scenario),
            Variant::Wording => reworded(&job.scenario, self.plan.seed, job.repeat),
            // A hostile model is in place of any other.
            Variant::Hostile(_) => {
                Scenario { provider: Provider::Recorded, ..job.scenario.clone() }
            }
            Variant::Live => job.scenario.asked_live(),
            Variant::Recorded | Variant::Boundary(_) => job.scenario.clone(),
        }
    }

    async fn boundary(
        &self,
        job: &Job,
        boundary: &'static str,
        label: &str,
    ) -> Result<(Verdict, Came), PlayError> {
        let house = self.open().await?;
        let template = Template::set(house, &job.scenario, label, self.plan.seed).await?;
        let done = exhaust(&template, &job.scenario, &self.plan.folder, boundary).await?;
        let came = Came {
            kills: done.kills,
            visited: done.visited,
            policy_hash: template.stage().policy_hash.clone(),
            prompt_hash: done.prompt_hash,
            ..Came::default()
        };
        Ok((done.verdict, came))
    }

    fn report(&self, job: &Job, (verdict, came): (Verdict, Came), took: Duration) -> RunReport {
        let played = self.played(job);
        let said = match job.variant {
            Variant::Wording => utterances(&played),
            Variant::Recorded
            | Variant::Hostile(_)
            | Variant::Boundary(_)
            | Variant::Twin(_)
            | Variant::Live => Vec::new(),
        };
        let (provider, model) = self.model(job, &played);
        let all: Vec<Heard> = came.heard.iter().flatten().cloned().collect();
        RunReport {
            scenario: job.scenario.id.clone(),
            mode: self.plan.mode,
            variant: job.variant.name(),
            repeat: job.repeat,
            verdict,
            duration_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            seed: self.plan.seed,
            build: self.build.to_string(),
            policy_hash: came.policy_hash,
            prompt_hash: came.prompt_hash,
            provider,
            model,
            revision: revision(&all),
            invariants: came.invariants,
            kills: came.kills,
            said,
            answers: came.answers,
            visited: came.visited,
        }
    }

    fn model(&self, job: &Job, played: &Scenario) -> (Option<ProviderName>, String) {
        if let Variant::Hostile(hostile) = &job.variant {
            return (None, format!("hostile:{}", hostile.as_str()));
        }
        let (provider, model) = match &self.plan.live {
            Some(live) => (live.provider, live.model.as_str()),
            None => played.provider.model(),
        };
        (Some(provider), model.to_owned())
    }
}
