//! One worker of a suite: it plays one run after the other on its own servers.

use super::{
    adversary::adversary,
    faults::{Template, play_boundary},
    mode::Mode,
    recorded_answers::recordable,
    replay::replay,
    run_report::{RunDetails, RunReport},
    suite_plan::{Job, SuitePlan, Variant},
    twins::twin_verdict,
    wording::{self, reworded},
};
use crate::{
    harness::{Patience, PlayError, ProjectSetup, Servers, revision},
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
use wiiiv_fakes::ProviderAnswer;

/// Runs on one server. After each run everything that the server stores is searched for secrets, so each
/// run on the same server takes longer than the one before.
const RUNS_A_SERVER: usize = 64;
/// Limit of one run.
const RUN_WITHIN: Duration = Duration::from_secs(300);
/// Limit of one run with a real model, which is slow in every turn.
const LIVE_RUN_WITHIN: Duration = Duration::from_secs(1_800);
/// Limit of all kill points of one boundary.
const BOUNDARY_WITHIN: Duration = Duration::from_secs(1_800);

pub(super) struct Worker<'a> {
    pub(super) plan: &'a SuitePlan,
    pub(super) jobs: Arc<[Job]>,
    pub(super) next: Arc<AtomicUsize>,
    pub(super) build: Arc<str>,
    pub(super) reports: mpsc::Sender<RunReport>,
}

impl Worker<'_> {
    pub(super) async fn work(self) -> Result<(), PlayError> {
        let (mut servers, mut runs) = (None, 0_usize);
        loop {
            if runs.is_multiple_of(RUNS_A_SERVER) {
                servers = None;
            }
            runs += 1;
            let at = self.next.fetch_add(1, Ordering::SeqCst);
            let Some(job) = self.jobs.get(at) else { return Ok(()) };
            let started = Instant::now();
            let result = self.play(&mut servers, job, at).await?;
            let report = self.report(job, result, started.elapsed());
            if self.reports.send(report).await.is_err() {
                return Ok(());
            }
        }
    }

    async fn play(
        &self,
        servers: &mut Option<Servers>,
        job: &Job,
        at: usize,
    ) -> Result<(Verdict, RunDetails), PlayError> {
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
                let open = match servers.take() {
                    Some(open) => open,
                    None => self.open().await?,
                };
                let open = servers.insert(open);
                let within = if open.live.is_some() { LIVE_RUN_WITHIN } else { RUN_WITHIN };
                timeout(within, self.run(open, job, &label)).await
            }
        };
        let result = match played {
            Ok(Ok(result)) => result,
            Ok(Err(error)) => (Verdict::Error { why: error.to_string() }, RunDetails::default()),
            Err(_) => {
                let why = "it did not end in time".to_owned();
                (Verdict::Error { why }, RunDetails::default())
            }
        };
        // The next run must not suffer from the state of this server.
        if matches!(result.0, Verdict::Error { .. }) {
            *servers = None;
        }
        Ok(result)
    }

    async fn open(&self) -> Result<Servers, PlayError> {
        let patience = match self.plan.mode {
            Mode::Adversary => Patience::Short,
            Mode::Replay
            | Mode::Faults
            | Mode::Twins
            | Mode::Wording
            | Mode::Live
            | Mode::Record => Patience::Usual,
        };
        let (live, rules) = (self.plan.live.as_ref(), self.plan.rules.as_ref());
        Servers::open(&self.plan.program, patience, live, rules).await
    }

    async fn run(
        &self,
        servers: &Servers,
        job: &Job,
        label: &str,
    ) -> Result<(Verdict, RunDetails), PlayError> {
        let folder = &self.plan.folder;
        let scenario = &self.played(job);
        let setup = ProjectSetup::create(servers, scenario, label, self.plan.seed).await?;
        let mut played = match &job.variant {
            Variant::Hostile(hostile) => adversary(servers, &setup, scenario, *hostile).await?,
            Variant::Recorded
            | Variant::Boundary(_)
            | Variant::Twin(_)
            | Variant::Wording
            | Variant::Live => replay(servers, &setup, scenario, folder).await?,
        };
        if let Variant::Twin(twin) = &job.variant {
            played.verdict = twin_verdict(twin, played.verdict);
        }
        servers.cassettes.remove(label);
        let recordable = match self.plan.mode {
            Mode::Record => recordable(servers, &setup, &played.answers)?,
            Mode::Replay
            | Mode::Adversary
            | Mode::Faults
            | Mode::Twins
            | Mode::Wording
            | Mode::Live => Vec::new(),
        };
        let details = RunDetails {
            invariants: played.invariants,
            model_answers: played.answers,
            recordable,
            ..RunDetails::of(&played.window, &setup)
        };
        Ok((played.verdict, details))
    }

    fn played(&self, job: &Job) -> Scenario {
        match &job.variant {
            Variant::Twin(twin) => job.scenario.with_twin(twin),
            Variant::Wording => reworded(&job.scenario, self.plan.seed, job.repeat),
            // A hostile model takes the place of any other.
            Variant::Hostile(_) => {
                Scenario { provider: Provider::Recorded, ..job.scenario.clone() }
            }
            Variant::Live => {
                let live = job.scenario.for_live_model();
                match &self.plan.rules {
                    Some(rules) => rules.applied_to(live),
                    None => live,
                }
            }
            Variant::Recorded | Variant::Boundary(_) => job.scenario.clone(),
        }
    }

    async fn boundary(
        &self,
        job: &Job,
        boundary: &'static str,
        label: &str,
    ) -> Result<(Verdict, RunDetails), PlayError> {
        let servers = self.open().await?;
        let template = Template::create(servers, &job.scenario, label, self.plan.seed).await?;
        play_boundary(&template, &job.scenario, &self.plan.folder, boundary).await
    }

    fn report(
        &self,
        job: &Job,
        (verdict, details): (Verdict, RunDetails),
        took: Duration,
    ) -> RunReport {
        let played = self.played(job);
        let utterances = match job.variant {
            Variant::Wording => wording::utterances(&played),
            Variant::Recorded
            | Variant::Hostile(_)
            | Variant::Boundary(_)
            | Variant::Twin(_)
            | Variant::Live => Vec::new(),
        };
        let (provider, model) = self.model(job, &played);
        let all: Vec<ProviderAnswer> = details.model_answers.iter().flatten().cloned().collect();
        RunReport {
            scenario: job.scenario.id.clone(),
            mode: self.plan.mode,
            variant: job.variant.name(),
            repeat: job.repeat,
            verdict,
            duration_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            seed: self.plan.seed,
            build: self.build.to_string(),
            policy_hash: details.policy_hash,
            prompt_hash: details.prompt_hash,
            provider,
            model,
            revision: revision(&all),
            invariants: details.invariants,
            kills: details.kills,
            said: utterances,
            answers: details.recordable,
            visited: details.visited,
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
