//! Executions: runs of plans.

use crate::{
    approval::release::release,
    audit::{Chain, DECISION, Voucher, examine_run},
    budget,
    database::{
        column::{digest, document, time},
        entity::{audit_record, blueprint, execution, step_output},
        number::from_db,
        page::Page,
        statement::{Reads as _, only, query, query_all},
    },
    error::StoreError,
    run::{start::start_of, state::ExecutionState},
    store::Store,
    writer::{boundary::AuditEntry, write_transaction::WriteTransaction},
};
use sea_orm::{
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
    QueryTrait as _,
};
use uuid::Uuid;
use wiiiv_domain::{
    BlueprintDigest, BlueprintId, ContentDigest, ExecutionId, ProjectId, RunOutcome, SessionId,
    StepId, StepOutcome, StepOutput, Timestamp, UserId,
};
use wiiiv_gate::{ExecutionStarted, Recorded};

/// Earlier runs that a session can refer to, newest first.
pub const EARLIER_RUNS_MAX: usize = 50;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutionRow {
    pub id: ExecutionId,
    pub blueprint: BlueprintId,
    pub project: ProjectId,
    pub session: SessionId,
    pub digest: BlueprintDigest,
    pub state: ExecutionState,
    pub outcome: Option<RunOutcome>,
    pub started_at: Timestamp,
    pub finished_at: Option<Timestamp>,
    /// Its decision record in the project's chain.
    pub decision: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExecutionFilter {
    pub project: Option<ProjectId>,
    pub session: Option<SessionId>,
    pub state: Option<ExecutionState>,
    /// Any of these plans.
    pub plans: Option<Vec<BlueprintId>>,
    /// Of plans that this person asked for.
    pub requester: Option<UserId>,
    pub from: Option<Timestamp>,
    /// Not at it, only before it.
    pub until: Option<Timestamp>,
    pub page: Page,
}

/// A finished run, as far as later tasks of its session may refer to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedRun {
    pub execution: ExecutionId,
    pub finished_at: Timestamp,
    pub steps: Vec<(StepId, StepOutput)>,
}

impl Store {
    pub async fn execution(&self, id: ExecutionId) -> Result<Option<ExecutionRow>, StoreError> {
        let row = only(execution::Entity::find_by_id(id.uuid()), self.direct()).await?;
        row.map(ExecutionRow::read).transpose()
    }

    pub async fn execution_of(
        &self,
        blueprint: BlueprintId,
    ) -> Result<Option<ExecutionRow>, StoreError> {
        let of = execution::Column::Blueprint.eq(blueprint.uuid());
        let row = only(execution::Entity::find().filter(of), self.direct()).await?;
        row.map(ExecutionRow::read).transpose()
    }

    /// Newest first.
    pub async fn executions(
        &self,
        filter: &ExecutionFilter,
    ) -> Result<Vec<ExecutionRow>, StoreError> {
        use execution::Column;
        let mut query = execution::Entity::find();
        if let Some(project) = filter.project {
            query = query.filter(Column::Project.eq(project.uuid()));
        }
        if let Some(session) = filter.session {
            query = query.filter(Column::Session.eq(session.uuid()));
        }
        if let Some(state) = filter.state {
            query = query.filter(Column::State.eq(state));
        }
        if let Some(plans) = &filter.plans {
            let ids: Vec<Uuid> = plans.iter().map(|plan| plan.uuid()).collect();
            query = query.filter(Column::Blueprint.is_in(ids));
        }
        if let Some(requester) = filter.requester {
            let asked = blueprint::Entity::find()
                .select_only()
                .column(blueprint::Column::Id)
                .filter(blueprint::Column::Requester.eq(requester.uuid()));
            query = query.filter(Column::Blueprint.in_subquery(asked.into_query()));
        }
        if let Some(from) = filter.from {
            query = query.filter(Column::StartedAt.gte(from.unix_ms()));
        }
        if let Some(until) = filter.until {
            query = query.filter(Column::StartedAt.lt(until.unix_ms()));
        }
        if let Some(before) = filter.page.before {
            query = query.filter(Column::Id.lt(before));
        }
        let query = query.order_by_desc(Column::Id).limit(filter.page.rows());
        query.all(self.reader()).await?.into_iter().map(ExecutionRow::read).collect()
    }

    /// Of one session, oldest first: running, or in doubt.
    pub async fn unfinished_executions(
        &self,
        session: SessionId,
    ) -> Result<Vec<ExecutionRow>, StoreError> {
        use execution::Column;
        let open = [ExecutionState::Running, ExecutionState::Indeterminate];
        let rows = execution::Entity::find()
            .filter(Column::Session.eq(session.uuid()))
            .filter(Column::State.is_in(open))
            .order_by_asc(Column::Id)
            .all(self.reader())
            .await?;
        rows.into_iter().map(ExecutionRow::read).collect()
    }

    /// Whether the session has a run whose result can be referred to.
    pub async fn has_succeeded(&self, session: SessionId) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM execution \
                   WHERE session = $1 AND state = 'succeeded')";
        let row = query(self.direct(), sql, vec![session.uuid().into()]).await?;
        row.ok_or_else(StoreError::given_up)?.get(0)
    }

    /// The evidence that it began; what resuming it needs. Refused where the run, or an attempt of it,
    /// is not as the audit tells: nothing goes on that was put back.
    pub async fn execution_started(
        &self,
        id: ExecutionId,
    ) -> Result<Option<Recorded<ExecutionStarted>>, StoreError> {
        let row = only(execution::Entity::find_by_id(id.uuid()), self.direct()).await?;
        let Some(row) = row else { return Ok(None) };
        let chain = Chain::Project(row.project.into());
        let key = (chain.to_string(), row.at_seq);
        let record = only(audit_record::Entity::find_by_id(key), self.direct()).await?;
        let seals = self.direct().seals();
        let voucher = Voucher::of_record((chain, row.at_seq), DECISION, record, seals)?;
        let digest = start_of(&voucher)?;
        let started: Recorded<ExecutionStarted> =
            self.registrar().restore(voucher.at, &row.evidence, digest)?;
        examine_run(self.direct(), &row).await?;
        let same = started.body().execution() == id
            && started.body().blueprint().uuid() == row.blueprint
            && started.body().digest().bytes().as_slice() == row.digest;
        same.then_some(Some(started)).ok_or_else(|| voucher.changed())
    }

    /// What a step of a run put out, as its attempt has it in the audit.
    pub async fn output(
        &self,
        execution: ExecutionId,
        step: &StepId,
    ) -> Result<Option<(StepOutput, Vec<u8>)>, StoreError> {
        let attempts = self.attempts(execution).await?;
        let told = attempts.into_iter().rev().find_map(|row| match row.outcome {
            Some(StepOutcome::Success { output }) if row.step == *step => Some(output),
            Some(_) | None => None,
        });
        let Some(told) = told else { return Ok(None) };
        let bytes = self.output_of(execution, step, &told).await?;
        Ok(bytes.map(|bytes| (told, bytes)))
    }

    /// The same where the caller has the attempt: bytes of another digest are refused.
    pub async fn output_of(
        &self,
        execution: ExecutionId,
        step: &StepId,
        told: &StepOutput,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let key = (execution.uuid(), step.as_str().to_owned());
        let row = only(step_output::Entity::find_by_id(key), self.direct()).await?;
        let Some(row) = row else { return Ok(None) };
        if told.digest != ContentDigest::of_bytes(&row.bytes) {
            return Err(StoreError::corrupt(format!("the output of the step `{step}`")));
        }
        Ok(Some(row.bytes))
    }

    /// The session's newest runs that came to an end, each with its outputs' descriptions: the
    /// bytes may be large, and stay where they are.
    pub async fn runs_of(&self, session: SessionId) -> Result<Vec<FinishedRun>, StoreError> {
        let sql = format!(
            "SELECT run.id, run.finished_at, step_output.step, step_output.output FROM \
             (SELECT id, finished_at FROM execution \
              WHERE session = $1 AND finished_at IS NOT NULL \
              ORDER BY finished_at DESC LIMIT {EARLIER_RUNS_MAX}) AS run \
             LEFT JOIN step_output ON step_output.execution = run.id \
             ORDER BY run.finished_at DESC, run.id, step_output.step"
        );
        let values = vec![session.uuid().into()];
        let mut runs: Vec<FinishedRun> = Vec::new();
        for row in query_all(self.direct(), &sql, values).await? {
            let execution = row.get::<Uuid>(0)?.into();
            if runs.last().is_none_or(|run| run.execution != execution) {
                let finished_at = time(row.get(1)?);
                runs.push(FinishedRun { execution, finished_at, steps: Vec::new() });
            }
            let step: Option<String> = row.get(2)?;
            let output: Option<String> = row.get(3)?;
            if let (Some(run), Some(step), Some(output)) = (runs.last_mut(), step, output) {
                let step = StepId::parse(&step);
                let step = step.map_err(|_| StoreError::corrupt("a step's id"))?;
                run.steps.push((step, document(&output, "a step's output")?));
            }
        }
        Ok(runs)
    }
}

/// An execution whose outcome is in doubt is not finished: a person's word lets it go on. What it gives
/// back is to be on record.
pub(crate) async fn finish(
    tx: &mut WriteTransaction,
    id: ExecutionId,
    outcome: &RunOutcome,
    now: Timestamp,
) -> Result<Option<AuditEntry>, StoreError> {
    let state = ExecutionState::after(outcome);
    let ended = state != ExecutionState::Indeterminate;
    let update = "UPDATE execution SET state = $2, outcome = $3, finished_at = $4 \
                  WHERE id = $1 AND state IN ('running', 'indeterminate') \
                  RETURNING EXISTS (SELECT 1 FROM hold WHERE holder = $1)";
    let values = vec![
        id.uuid().into(),
        state.into(),
        serde_json::to_string(outcome)?.into(),
        ended.then_some(now.unix_ms()).into(),
    ];
    let Some(row) = query(&tx.db, update, values).await? else {
        return Err(StoreError::NotFound { what: "unfinished execution" });
    };
    let holds: bool = row.get(0)?;
    if ended && holds {
        budget::release_execution(tx, id, now).await?;
    }
    match outcome {
        RunOutcome::Failed { .. } => release(&tx.db, id, now).await,
        RunOutcome::Succeeded | RunOutcome::Cancelled | RunOutcome::Indeterminate => Ok(None),
    }
}

impl ExecutionRow {
    fn read(row: execution::Model) -> Result<Self, StoreError> {
        let outcome = row.outcome.as_deref();
        Ok(Self {
            id: row.id.into(),
            blueprint: row.blueprint.into(),
            project: row.project.into(),
            session: row.session.into(),
            digest: digest(row.digest, BlueprintDigest::from_bytes, "an execution's digest")?,
            state: row.state,
            outcome: outcome.map(|text| document(text, "a run's outcome")).transpose()?,
            started_at: time(row.started_at),
            finished_at: row.finished_at.map(time),
            decision: from_db(row.at_seq),
        })
    }
}
