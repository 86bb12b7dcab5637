//! Reads of a session's stored records, one accessor each.

use std::sync::{Mutex, PoisonError};
use wiiiv_domain::{
    ApprovalId, BlueprintId, ExecutionId, ProjectId, SessionId, StepId, StepOutput,
};
use wiiiv_gate::{PendingQuestion, Standing};
use wiiiv_hlx::{EarlierRun, EarlierStep};
use wiiiv_store::{
    AttemptRow, ExecutionRow, FinishedRun, SessionRow, Store, StoreError, StoredBlueprint,
};

pub struct Records {
    store: Store,
    project: ProjectId,
    session: SessionId,
    /// As last read; the session's own boundaries alone end a run.
    earlier_runs: Mutex<Option<Vec<EarlierRun>>>,
}

impl Records {
    pub const fn new(store: Store, row: &SessionRow) -> Self {
        Self { store, project: row.project, session: row.id, earlier_runs: Mutex::new(None) }
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

    /// Runs of the session that can be referred to.
    pub async fn earlier_runs(&self) -> Result<Vec<EarlierRun>, StoreError> {
        let read = || self.earlier_runs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(runs) = read().as_ref() {
            return Ok(runs.clone());
        }
        let runs = self.store.runs_of(self.session).await?;
        let runs: Vec<EarlierRun> = runs.into_iter().map(earlier_run).collect();
        *read() = Some(runs.clone());
        Ok(runs)
    }

    /// To be called where a run ends, before that is committed.
    pub fn forget_runs(&mut self) {
        *self.earlier_runs.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

fn earlier_run(run: FinishedRun) -> EarlierRun {
    let step = |(step, out): (StepId, StepOutput)| EarlierStep {
        step,
        media_type: out.media_type,
        size_bytes: out.size_bytes,
        foreign: out.foreign,
    };
    let steps = run.steps.into_iter().map(step).collect();
    EarlierRun { execution: run.execution, finished_at: run.finished_at, steps }
}
