//! Everything that one ruling is given, as it stands now.

use crate::{error::StoreError, store::Store};
use wiiiv_domain::{Blueprint, BudgetWindow, ProjectId, SessionId, TaskId, Timestamp};
use wiiiv_gate::EvidenceSet;

impl Store {
    /// For a plan: opinions on its spec, approvals of it, its windows' budgets, its session's
    /// standing.
    pub async fn evidence(
        &self,
        blueprint: &Blueprint,
        now: Timestamp,
    ) -> Result<EvidenceSet, StoreError> {
        let spec = blueprint.spec_snapshot.spec.digest()?;
        let windows = windows(blueprint.project, blueprint.task, now);
        Ok(EvidenceSet {
            deliberation: self.opinions(blueprint.project, spec).await?,
            approvals: self.approvals_given(blueprint.id).await?,
            budget: self.budget(&windows).await?,
            standing: self.standing(blueprint.session).await?,
        })
    }

    /// For a model call: budgets and standing, which is all that it is judged by.
    pub async fn evidence_for_call(
        &self,
        (project, session, task): (ProjectId, SessionId, TaskId),
        now: Timestamp,
    ) -> Result<EvidenceSet, StoreError> {
        let budget = self.budget(&windows(project, task, now)).await?;
        Ok(EvidenceSet::bare(budget, self.standing(session).await?))
    }
}

fn windows(project: ProjectId, task: TaskId, now: Timestamp) -> [BudgetWindow; 2] {
    [BudgetWindow::run(project, task), BudgetWindow::day(project, now)]
}
