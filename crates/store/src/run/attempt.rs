//! Attempts of steps, and a person's decision on one whose effect is in doubt.

use crate::{
    audit,
    database::{
        column::{document, from_word, time, word},
        entity::step_attempt,
        statement::{Reads, Writes, execute, models},
    },
    error::StoreError,
    run::state::AttemptState,
    store::Store,
    writer::boundary::{AuditEntry, Boundary, Writer},
};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _};
use serde_json::json;
use wiiiv_domain::{ContentDigest, ExecutionId, ProjectId, StepId, StepOutcome, Timestamp};
use wiiiv_gate::{Recorded, Resolution, UserEvent, UserEventKind};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptRow {
    pub step: StepId,
    pub attempt: u32,
    pub state: AttemptState,
    pub outcome: Option<StepOutcome>,
    pub resolution: Option<Resolution>,
    pub started_at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

impl AttemptRow {
    /// Its effect may have happened, and nobody has said whether.
    #[must_use]
    pub fn in_doubt(&self) -> bool {
        let unknown = match &self.outcome {
            None => true,
            Some(StepOutcome::Failure { failure }) => failure.effect_unknown,
            Some(StepOutcome::Success { .. } | StepOutcome::Cancelled { .. }) => false,
        };
        self.resolution.is_none() && unknown
    }
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum ResolveRefused {
    #[error("the event is no word on a step in doubt")]
    OtherEvent,
    #[error("no attempt at this step is in doubt")]
    NotInDoubt,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What the audit says of an outcome: the digest of its text as the attempt's row has it.
#[must_use]
pub fn outcome_digest(outcome: &StepOutcome) -> Option<ContentDigest> {
    serde_json::to_vec(outcome).ok().map(|text| ContentDigest::of_bytes(&text))
}

impl Store {
    /// By step, then attempt. Refused where one is not as the audit tells.
    pub async fn attempts(&self, execution: ExecutionId) -> Result<Vec<AttemptRow>, StoreError> {
        match self.execution(execution).await? {
            Some(run) => self.attempts_in(run.project, execution).await,
            None => Ok(Vec::new()),
        }
    }

    /// The same of a run in that project, in one statement.
    pub async fn attempts_in(
        &self,
        project: ProjectId,
        execution: ExecutionId,
    ) -> Result<Vec<AttemptRow>, StoreError> {
        let rows = audit::attempts_told(self.direct(), project, execution).await?;
        rows.into_iter().map(AttemptRow::read).collect()
    }

    /// Takes a recorded `Resolve` event: the newest attempt at that step, if it is in doubt,
    /// carries its word from now on. A step that is still under way is not in doubt.
    pub async fn resolve_attempt(
        &self,
        writer: &Writer,
        boundary: Boundary,
        event: &Recorded<UserEvent>,
    ) -> Result<(), ResolveRefused> {
        if !self.registrar().recorded(event) {
            return Err(StoreError::Foreign { what: "evidence" }.into());
        }
        let UserEventKind::Resolve { execution, step, resolution } = event.body().kind() else {
            return Err(ResolveRefused::OtherEvent);
        };
        let (execution, step, resolution) = (*execution, step.clone(), *resolution);
        let body = json!({
            "event": event.at().to_string(),
            "execution": execution,
            "resolution": resolution,
            "step": step,
        });
        let entry = AuditEntry::new("attempt.resolved", body);
        self.apply_with(writer, boundary, entry, move |db, _, _| {
            Box::pin(async move { resolve(db, execution, &step, resolution).await })
        })
        .await
        .map(drop)
    }
}

/// As their rows say: in a transaction that has records to be written yet.
async fn attempts<C: Reads>(db: &C, execution: ExecutionId) -> Result<Vec<AttemptRow>, StoreError> {
    use step_attempt::Column;
    let rows = step_attempt::Entity::find()
        .filter(Column::Execution.eq(execution.uuid()))
        .order_by_asc(Column::Step)
        .order_by_asc(Column::Attempt);
    models(rows, db).await?.into_iter().map(AttemptRow::read).collect()
}

async fn resolve<C: Writes>(
    db: &C,
    execution: ExecutionId,
    step: &StepId,
    resolution: Resolution,
) -> Result<(), ResolveRefused> {
    let rows = attempts(db, execution).await?;
    let newest = rows.iter().rfind(|row| &row.step == step);
    let newest = newest.filter(|row| row.in_doubt()).ok_or(ResolveRefused::NotInDoubt)?;
    let update = "UPDATE step_attempt SET resolution = $4 \
                  WHERE execution = $1 AND step = $2 AND attempt = $3 AND resolution IS NULL \
                  AND EXISTS (SELECT 1 FROM execution \
                              WHERE id = $1 AND state = 'indeterminate')";
    let values = vec![
        execution.uuid().into(),
        step.as_str().into(),
        i64::from(newest.attempt).into(),
        word(&resolution)?.into(),
    ];
    match execute(db, update, values).await? {
        1 => Ok(()),
        _ => Err(ResolveRefused::NotInDoubt),
    }
}

impl AttemptRow {
    fn read(row: step_attempt::Model) -> Result<Self, StoreError> {
        let resolution = row.resolution.as_deref();
        Ok(Self {
            step: StepId::parse(&row.step).map_err(|_| StoreError::corrupt("a step's id"))?,
            attempt: u32::try_from(row.attempt).map_err(|_| StoreError::corrupt("an attempt"))?,
            state: row.state,
            outcome: row.outcome.as_deref().map(|t| document(t, "an outcome")).transpose()?,
            resolution: resolution.map(|w| from_word(w, "a resolution")).transpose()?,
            started_at: time(row.started_at),
            finished_at: row.finished_at.map(time),
        })
    }
}
