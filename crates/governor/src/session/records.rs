//! Reads of a session's stored records, one accessor each.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use wiiiv_domain::{
    ApprovalId, BlueprintId, ExecutionId, ProjectId, SessionId, Spec, StepId, StepOutput,
};
use wiiiv_gate::{PendingQuestion, Standing};
use wiiiv_hlx::{EarlierRun, EarlierStep};
use wiiiv_store::{
    AttemptRow, EARLIER_RUNS_MAX, ExecutionRow, ExecutionState, FinishedRun, SessionRow, Store,
    StoreError, StoredBlueprint,
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
    store: Store,
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
    pub fn new(store: Store, row: &SessionRow) -> Self {
        Self { store, project: row.project, session: row.id, past: Mutex::default() }
    }

    /// Risk and taint.
    pub async fn standing(&self) -> Result<Standing, StoreError> {
        self.store.standing(self.session).await
    }

    /// A question as it was put, to be answered.
    pub async fn question(&self, id: ApprovalId) -> Result<Option<PendingQuestion>, StoreError> {
        self.store.question(self.project, id).await
    }

    pub async fn execution(&self, id: ExecutionId) -> Result<Option<ExecutionRow>, StoreError> {
        self.store.execution(id).await
    }

    pub async fn attempts(&self, execution: ExecutionId) -> Result<Vec<AttemptRow>, StoreError> {
        self.store.attempts_in(self.project, execution).await
    }

    /// What a step of that run put out, as its attempt says.
    pub async fn output(
        &self,
        execution: ExecutionId,
        step: &StepId,
        told: &StepOutput,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        self.store.output_of(execution, step, told).await
    }

    pub async fn blueprint(&self, id: BlueprintId) -> Result<Option<StoredBlueprint>, StoreError> {
        self.store.blueprint(id).await
    }

    /// Runs of the session that can be referred to, newest first.
    pub async fn earlier_runs(&self) -> Result<Arc<Vec<EarlierRun>>, StoreError> {
        if let Some(runs) = &self.past().runs {
            return Ok(runs.clone());
        }
        let runs = self.store.runs_of(self.session).await?;
        let runs = Arc::new(runs.into_iter().map(earlier_run).collect());
        self.past().runs = Some(Arc::clone(&runs));
        Ok(runs)
    }

    /// What an ended run of the session was asked for.
    pub async fn asked_for(&self, run: ExecutionId) -> Result<Option<AskedFor>, StoreError> {
        if let Some(asked) = self.past().asked.get(&run) {
            return Ok(Some(asked.clone()));
        }
        let Some(row) = self.execution(run).await? else { return Ok(None) };
        let Some(stored) = self.blueprint(row.blueprint).await? else { return Ok(None) };
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
