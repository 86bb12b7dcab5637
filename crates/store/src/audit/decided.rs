//! What an id, or the number of a record, leads to where somebody asks why; and what is told of one turn.

use super::{AuditFilter, AuditRow, Chain, find::escaped};
use crate::{
    database::{
        entity::{audit_record, model_call},
        number::to_db,
        statement::query,
    },
    error::StoreError,
    store::Store,
};
use sea_orm::{
    ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
};
use serde_json::Value;
use uuid::Uuid;
use wiiiv_domain::{ApprovalId, BlueprintId, ExecutionId, ProjectId, SessionId, TaskId, TurnId};

const DECISION: &str = "decision";
/// Records of a model call that tell what it was asked with.
const CALLED: [&str; 2] = ["model.called", "model.cut_off"];
/// Records that are read behind the beginning of a turn: others write into the same chain meanwhile.
const TURN_RECORDS_MAX: u64 = 10_000;
/// Records that are told of one turn, and calls that are told of one task.
const TOLD_MAX: u64 = 200;
/// A turn's id is drawn shortly before its first record is written, in milliseconds.
const AHEAD_MS: i64 = 60_000;

/// What a decision was about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided {
    Plan(BlueprintId),
    Turn(SessionId, TurnId),
}

/// How somebody names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecidedBy {
    /// A run, a plan, a question or a turn.
    Id(Uuid),
    /// The number of a ruling's record.
    Record(u64),
}

impl Store {
    /// In this project alone.
    pub async fn decided(
        &self,
        project: ProjectId,
        by: DecidedBy,
    ) -> Result<Option<Decided>, StoreError> {
        match by {
            DecidedBy::Id(id) => self.decided_by_id(project, id).await,
            DecidedBy::Record(seq) => {
                let before = Some(seq.saturating_add(1));
                let filter = AuditFilter { before, limit: Some(1), ..AuditFilter::default() };
                let found = self.audit_search(Chain::Project(project), &filter).await?;
                let found = found.into_iter().find(|row| row.seq == seq && row.kind == DECISION);
                Ok(found.and_then(|row| subject(&row.body)))
            }
        }
    }

    async fn decided_by_id(
        &self,
        project: ProjectId,
        id: Uuid,
    ) -> Result<Option<Decided>, StoreError> {
        let plan = match self.execution(ExecutionId::from(id)).await? {
            Some(run) => Some(run.blueprint),
            None => self
                .approval(ApprovalId::from(id))
                .await?
                .map(|asked| asked.request.blueprint)
                .or(Some(BlueprintId::from(id))),
        };
        if let Some(plan) = plan
            && let Some(row) = self.blueprint_row(plan).await?
        {
            return Ok((row.project == project).then_some(Decided::Plan(row.id)));
        }
        let sql = "SELECT event.session FROM session JOIN session_event event \
                   ON event.session = session.id AND event.opens = $2 \
                   WHERE session.project = $1 LIMIT 1";
        let values = vec![project.uuid().into(), id.into()];
        let row = query(self.reader(), sql, values).await?;
        let session = row.map(|row| row.get::<Uuid>(0)).transpose()?;
        Ok(session.map(|session| Decided::Turn(session.into(), id.into())))
    }

    /// What the audit tells of one turn, oldest first: its acceptance, its model calls and their rulings,
    /// its end.
    pub async fn records_of_turn(
        &self,
        project: ProjectId,
        turn: TurnId,
    ) -> Result<Vec<AuditRow>, StoreError> {
        use audit_record::Column;
        let Some(drawn) = turn.uuid().get_timestamp() else { return Ok(Vec::new()) };
        let (seconds, _) = drawn.to_unix();
        let drawn = i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(1_000);
        let chain = Chain::Project(project);
        let from = self.first_since(chain, drawn.saturating_sub(AHEAD_MS)).await?;
        let named = format!("%\"turn\":\"{}\"%", escaped(&turn.to_string()));
        let rows = audit_record::Entity::find()
            .filter(Column::Chain.eq(chain.to_string()))
            .filter(Column::Seq.gte(to_db(from)?))
            .filter(Column::Seq.lt(to_db(from.saturating_add(TURN_RECORDS_MAX))?))
            .filter(Column::Line.like(named))
            .order_by_asc(Column::Seq)
            .limit(TOLD_MAX)
            .all(self.reader())
            .await?;
        rows.into_iter()
            .map(|row| AuditRow::sealed(row, Some(self.direct().record_seals())))
            .collect()
    }

    /// What the audit tells of the model calls that were ruled on for a task, in whichever turn, oldest first.
    pub async fn calls_for_task(
        &self,
        project: ProjectId,
        task: TaskId,
    ) -> Result<Vec<AuditRow>, StoreError> {
        use audit_record::Column;
        let calls = model_call::Entity::find()
            .select_only()
            .column(model_call::Column::Id)
            .filter(model_call::Column::Task.eq(task.uuid()))
            .order_by_asc(model_call::Column::Id)
            .limit(TOLD_MAX)
            .into_tuple::<Uuid>()
            .all(self.reader())
            .await?;
        let rows = audit_record::Entity::find()
            .filter(Column::Chain.eq(Chain::Project(project).to_string()))
            .filter(Column::About.is_in(calls))
            .filter(Column::Kind.is_in(CALLED))
            .order_by_asc(Column::Seq)
            .all(self.reader())
            .await?;
        rows.into_iter()
            .map(|row| AuditRow::sealed(row, Some(self.direct().record_seals())))
            .collect()
    }

    /// The number of the first record of that time or later: times rise with the numbers, so halving
    /// finds it, and no index is kept for it.
    pub(super) async fn first_since(&self, chain: Chain, at: i64) -> Result<u64, StoreError> {
        let (mut low, mut high) = (1, self.audit_size(chain).await?.saturating_add(1));
        while low < high {
            let middle = low + (high - low) / 2;
            let sql = "SELECT at FROM audit_record WHERE chain = $1 AND seq = $2";
            let values = vec![chain.to_string().into(), to_db(middle)?.into()];
            let row = query(self.reader(), sql, values).await?;
            let then: i64 = row.ok_or_else(|| StoreError::corrupt("the audit chain"))?.get(0)?;
            if then < at { low = middle + 1 } else { high = middle }
        }
        Ok(low)
    }
}

fn subject(body: &Value) -> Option<Decided> {
    let subject = body.get("subject")?;
    let id = |of: &Value, name: &str| Uuid::parse_str(of.get(name)?.as_str()?).ok();
    match subject.get("kind")?.as_str()? {
        "blueprint" | "step" => Some(Decided::Plan(id(subject, "blueprint")?.into())),
        "model_call" => {
            Some(Decided::Turn(id(body, "session")?.into(), id(subject, "turn")?.into()))
        }
        _ => None,
    }
}
