//! The plans of what was reviewed: what an older record does not say of its task, and whether it ran.

use super::log::{Divergence, EVALUATIONS_MAX};
use crate::{
    database::{
        column::{digest, from_word},
        number::to_db,
        statement::query_all,
    },
    error::StoreError,
    store::Store,
};
use std::collections::{BTreeMap, BTreeSet};
use uuid::{Builder, Uuid};
use wiiiv_domain::{BlueprintId, ProjectId, SessionId, SpecDigest, TaskType, Timestamp, UserId};

/// Of one spec.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawnPlan {
    /// The newest.
    pub id: BlueprintId,
    pub task_type: TaskType,
    /// Any of them was begun.
    pub ran: bool,
}

/// By conversation and spec.
pub type DrawnPlans = BTreeMap<(SessionId, SpecDigest), DrawnPlan>;

impl Store {
    /// Newest first.
    pub async fn divergences(&self, project: ProjectId) -> Result<Vec<Divergence>, StoreError> {
        Ok(self.rollout_log(project).await?.divergences())
    }

    /// The same; what an older record does not say of its task, its plan does. All plans since then are read.
    pub async fn typed_divergences(
        &self,
        project: ProjectId,
    ) -> Result<Vec<Divergence>, StoreError> {
        let mut found = self.divergences(project).await?;
        let untold = found.iter().filter(|one| one.first.task_type.is_none());
        let Some(oldest) = untold.map(|one| one.first.at).min() else { return Ok(found) };
        let (plans, _) = self.plans_drawn_since(project, oldest).await?;
        for one in &mut found {
            let plan = plans.get(&(one.first.session, one.first.spec));
            one.first.task_type = one.first.task_type.or(plan.map(|plan| plan.task_type));
        }
        Ok(found)
    }

    /// Conversations in that project that this person began.
    pub async fn sessions_begun_by(
        &self,
        project: ProjectId,
        user: UserId,
    ) -> Result<BTreeSet<SessionId>, StoreError> {
        let sql = "SELECT id FROM session WHERE project = $1 AND owner = $2";
        let values = vec![project.uuid().into(), user.uuid().into()];
        let rows = query_all(self.reader(), sql, values).await?;
        rows.iter().map(|row| Ok(row.get::<Uuid>(0)?.into())).collect()
    }

    /// As many as evaluations are read, the first ones; and whether there are more.
    pub(super) async fn plans_drawn_since(
        &self,
        project: ProjectId,
        since: Timestamp,
    ) -> Result<(DrawnPlans, bool), StoreError> {
        let sql = "SELECT plan.session, plan.spec_digest, plan.id, plan.task_type, run.id \
                   FROM blueprint plan LEFT JOIN execution run ON run.blueprint = plan.id \
                   WHERE plan.project = $1 AND plan.id >= $2 ORDER BY plan.id LIMIT $3";
        let most = to_db(EVALUATIONS_MAX as u64)?;
        let values = vec![project.uuid().into(), first_id_of(since).into(), most.into()];
        let rows = query_all(self.reader(), sql, values).await?;
        let (mut plans, is_cut) = (DrawnPlans::new(), rows.len() >= EVALUATIONS_MAX);
        for row in rows {
            let spec = digest(row.get(1)?, SpecDigest::from_bytes, "a spec's digest")?;
            let id = row.get::<Uuid>(2)?.into();
            let task_type = from_word(&row.get::<String>(3)?, "a task type")?;
            let ran = row.get::<Option<Uuid>>(4)?.is_some();
            let newest = DrawnPlan { id, task_type, ran };
            plans
                .entry((row.get::<Uuid>(0)?.into(), spec))
                .and_modify(|plan| *plan = DrawnPlan { ran: ran || plan.ran, ..newest })
                .or_insert(newest);
        }
        Ok((plans, is_cut))
    }
}

/// Ids rise with the time that they were made at: an index is read from there on.
fn first_id_of(at: Timestamp) -> Uuid {
    let ms = u64::try_from(at.unix_ms()).unwrap_or(0);
    Builder::from_unix_timestamp_millis(ms, &[0; 10]).into_uuid()
}
