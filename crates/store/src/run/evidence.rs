//! Reads all evidence for one ruling.

use crate::{error::StoreError, store::Store};
use wiiiv_domain::{Blueprint, BudgetWindow, Timestamp};
use wiiiv_gate::{EvidenceSet, ModelCall};

impl Store {
    /// For a plan: opinions on its spec, approvals of it, grants that its requester holds, its windows'
    /// budgets, its session's standing.
    pub async fn evidence(
        &self,
        blueprint: &Blueprint,
        now: Timestamp,
    ) -> Result<EvidenceSet, StoreError> {
        let (approvals, delegation_ended) =
            self.approvals_given(blueprint.project, blueprint.id).await?;
        let rest = self.evidence_unasked(blueprint, now).await?;
        Ok(EvidenceSet { approvals, delegation_ended, ..rest })
    }

    /// For a plan that nobody was asked about yet.
    pub async fn evidence_unasked(
        &self,
        blueprint: &Blueprint,
        now: Timestamp,
    ) -> Result<EvidenceSet, StoreError> {
        let spec = &blueprint.spec_snapshot.spec;
        let requester = blueprint.spec_snapshot.requester;
        let windows = BudgetWindow::all(blueprint.project, requester, blueprint.task, now);
        Ok(EvidenceSet {
            deliberation: self.opinions_on(blueprint.project, spec).await?,
            approvals: Vec::new(),
            delegation_ended: false,
            grants: self.grants_held(blueprint.project, requester, now).await?,
            budget: self.budget(&windows).await?,
            standing: self.standing(blueprint.session).await?,
        })
    }

    /// For a model call: budgets and standing, which is all that it is judged by.
    pub async fn evidence_for_call(
        &self,
        call: &ModelCall,
        now: Timestamp,
    ) -> Result<EvidenceSet, StoreError> {
        let windows = BudgetWindow::all(call.project, call.user, call.task, now);
        let budget = self.budget(&windows).await?;
        Ok(EvidenceSet::bare(budget, self.standing(call.session).await?))
    }
}
