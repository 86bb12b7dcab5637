//! What a session reads: its records, and its project's policy and systems.

use crate::{policies::PolicyUnavailable, runtime::Runtime, systems::RegisteredSystems};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use wiiiv_domain::{
    ApprovalId, BlueprintDigest, BlueprintId, ExecutionId, ProjectId, SessionId, Spec,
};
use wiiiv_gate::{PendingQuestion, PolicySnapshot, Standing};
use wiiiv_hlx::{EarlierRun, EarlierStep};
use wiiiv_store::{
    ApprovalFilter, AttemptRow, EARLIER_RUNS_MAX, ExecutionState, FinishedRun, SessionRow, Store,
    StoreError,
};

/// A run that came to an end.
#[derive(Clone)]
pub struct PastRun {
    pub earlier: EarlierRun,
    pub asked: AskedFor,
}

/// What a run was asked for, and whether it did it.
#[derive(Clone)]
pub struct AskedFor {
    pub spec: Arc<Spec>,
    pub succeeded: bool,
}

pub struct Records {
    runtime: Arc<Runtime>,
    project: ProjectId,
    session: SessionId,
    past: Mutex<Past>,
}

/// The session's ended runs, which its own boundaries alone add to.
#[derive(Default)]
struct Past {
    /// Newest first; `None`: to be read.
    runs: Option<Arc<Vec<EarlierRun>>>,
    asked: BTreeMap<ExecutionId, AskedFor>,
    /// The one whose end is written next.
    ending: Option<PastRun>,
}

impl Records {
    pub fn new(runtime: Arc<Runtime>, row: &SessionRow) -> Self {
        Self { runtime, project: row.project, session: row.id, past: Mutex::default() }
    }

    pub fn store(&self) -> &Store {
        &self.runtime.deps.store
    }

    pub async fn policy(&self) -> Result<Arc<PolicySnapshot>, PolicyUnavailable> {
        self.runtime.policies.current(self.project).await
    }

    /// The project's, as they are registered today.
    pub async fn systems(&self) -> Result<RegisteredSystems, StoreError> {
        self.runtime.systems.current(self.project).await
    }

    /// Risk and taint.
    pub async fn standing(&self) -> Result<Standing, StoreError> {
        self.store().standing(self.session).await
    }

    pub async fn is_halted(&self) -> Result<bool, StoreError> {
        Ok(self.standing().await?.halted)
    }

    /// The question that the plan was put with, unless a yes to it was taken back: that is given back to nobody.
    pub async fn approval_of(
        &self,
        blueprint: BlueprintId,
        digest: BlueprintDigest,
    ) -> Result<Option<ApprovalId>, StoreError> {
        let (session, blueprint) = (Some(self.session), Some(blueprint));
        let asked = ApprovalFilter { session, blueprint, ..ApprovalFilter::default() };
        let rows = self.store().approvals(&asked).await?;
        let mut rows = rows.into_iter();
        let put = rows.find(|row| row.request.digest == digest && row.revoked.is_none());
        Ok(put.map(|row| row.request.id))
    }

    /// A question as it was put, to be answered.
    pub async fn question(&self, id: ApprovalId) -> Result<Option<PendingQuestion>, StoreError> {
        self.store().question(self.project, id).await
    }

    pub async fn attempts(&self, execution: ExecutionId) -> Result<Vec<AttemptRow>, StoreError> {
        self.store().attempts_in(self.project, execution).await
    }

    /// Runs of the session that can be referred to, newest first.
    pub async fn earlier_runs(&self) -> Result<Arc<Vec<EarlierRun>>, StoreError> {
        if let Some(runs) = &self.past().runs {
            return Ok(runs.clone());
        }
        let runs = self.store().runs_of(self.session).await?;
        let runs = Arc::new(runs.into_iter().map(earlier_run).collect());
        self.past().runs = Some(Arc::clone(&runs));
        Ok(runs)
    }

    /// What an ended run of the session was asked for.
    pub async fn asked_for(&self, run: ExecutionId) -> Result<Option<AskedFor>, StoreError> {
        if let Some(asked) = self.past().asked.get(&run) {
            return Ok(Some(asked.clone()));
        }
        let Some(row) = self.store().execution(run).await? else { return Ok(None) };
        let Some(stored) = self.store().blueprint(row.blueprint).await? else { return Ok(None) };
        let succeeded = row.state == ExecutionState::Succeeded;
        let asked = AskedFor { spec: Arc::new(stored.blueprint.spec_snapshot.spec), succeeded };
        // One in doubt may still succeed.
        if row.finished_at.is_some() {
            self.past().keep(run, asked.clone());
        }
        Ok(Some(asked))
    }

    /// Of the run whose end is written next.
    pub fn note_ending(&self, run: PastRun) {
        self.past().ending = Some(run);
    }

    /// To be called where a run's end goes to be committed.
    pub fn run_ends(&self) {
        let mut past = self.past();
        match past.ending.take() {
            Some(PastRun { earlier, asked }) => {
                past.keep(earlier.execution, asked);
                if let Some(runs) = past.runs.as_mut().map(Arc::make_mut) {
                    runs.truncate(EARLIER_RUNS_MAX - 1);
                    runs.insert(0, earlier);
                }
            }
            None => (past.runs, past.asked) = (None, BTreeMap::new()),
        }
    }

    fn past(&self) -> MutexGuard<'_, Past> {
        self.past.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Past {
    /// The oldest goes: ids grow with time.
    fn keep(&mut self, run: ExecutionId, asked: AskedFor) {
        self.asked.insert(run, asked);
        if self.asked.len() > EARLIER_RUNS_MAX {
            self.asked.pop_first();
        }
    }
}

fn earlier_run(run: FinishedRun) -> EarlierRun {
    let steps = run.steps.into_iter().map(|(step, out)| EarlierStep::of(step, &out)).collect();
    EarlierRun { execution: run.execution, finished_at: run.finished_at, steps }
}
