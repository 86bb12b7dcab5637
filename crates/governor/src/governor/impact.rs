//! What recorded rulings on plans would have been under another policy.

use super::policies::{Policies, PolicyChangeError};
use crate::clock;
use std::{collections::BTreeMap, fmt::Display};
use wiiiv_domain::{
    Asks, Blueprint, BlueprintId, DenyCode, ExecutionId, GateName, OverrideId, PolicyVersionId,
    ProjectId, ProjectPolicy, StepId, TaskType, Timestamp,
};
use wiiiv_gate::{Decision, DecisionRecord, PastRuling, Policy, Replayed, RuledOn};
use wiiiv_store::{AuditRow, StoreError};

/// The longest time that is looked back over, in days.
pub const IMPACT_DAYS_MAX: u32 = 90;
/// Rulings that one look judges; the newest are.
pub const IMPACT_RULINGS_MAX: usize = 2_000;
const PAGE_ROWS: u64 = 200;

/// What another policy would have changed.
#[derive(Debug)]
pub struct Impact {
    /// The time from which rulings were looked at.
    pub since: Timestamp,
    /// Rulings that were judged again.
    pub judged: usize,
    /// Those that would have ended otherwise, or asked somebody else; newest first.
    pub changed: Vec<ChangedRuling>,
    /// Whose plan is no longer kept.
    pub erased: usize,
    /// That this build does not judge as they were judged then, under the policy of then.
    pub other_rules: usize,
    /// There are older ones in that time, which were not looked at.
    pub more: bool,
}

/// One ruling that would have been another.
#[derive(Debug)]
pub struct ChangedRuling {
    /// Its number in the project's audit.
    pub seq: u64,
    pub at: Timestamp,
    pub plan: Blueprint,
    /// The run that began by it.
    pub execution: Option<ExecutionId>,
    pub was: Outcome,
    pub would_be: Outcome,
    /// The first step that would be refused, in the order of the plan.
    pub step: Option<StepId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub allowed: bool,
    /// In the order of the gates.
    pub denials: Vec<(GateName, DenyCode)>,
    pub asks: Asks,
}

impl Outcome {
    fn of(replayed: &Replayed) -> Self {
        let findings = &replayed.findings;
        let (allowed, denials) = (findings.allowed(), findings.denials());
        Self { allowed, denials, asks: replayed.asks }
    }
}

impl Policies<'_> {
    /// Judges the rulings on plans of these days by the same functions as the gates, under `policy`,
    /// and permits nothing. `only`: of plans of that type. A ruling that this build does not judge as it
    /// was judged is left out and counted: a difference would not be the policy's.
    pub async fn impact(
        self,
        project: ProjectId,
        policy: &ProjectPolicy,
        (days, only): (u32, Option<TaskType>),
    ) -> Result<Impact, PolicyChangeError> {
        let proposed = self.compiled(policy)?;
        let days = i64::from(days.min(IMPACT_DAYS_MAX));
        let mut look = Look {
            policies: self,
            project,
            proposed,
            only,
            versions: BTreeMap::new(),
            found: Impact {
                since: clock::now().plus_seconds(-days * 24 * 3_600),
                judged: 0,
                changed: Vec::new(),
                erased: 0,
                other_rules: 0,
                more: false,
            },
        };
        let mut before = None;
        loop {
            let (store, since) = (&self.runtime.deps.store, look.found.since);
            let rows = store.rulings_on_plans(project, since, (before, PAGE_ROWS)).await?;
            let Some(last) = rows.last() else { return Ok(look.found) };
            before = Some(last.seq);
            for row in rows {
                if look.seen() == IMPACT_RULINGS_MAX {
                    look.found.more = true;
                    return Ok(look.found);
                }
                look.judge(row).await?;
            }
        }
    }
}

/// One look back.
struct Look<'a> {
    policies: Policies<'a>,
    project: ProjectId,
    proposed: Policy,
    /// Plans of this type are looked at, and no others.
    only: Option<TaskType>,
    /// The policies of then.
    versions: BTreeMap<(PolicyVersionId, Option<OverrideId>), Policy>,
    found: Impact,
}

impl Look<'_> {
    const fn seen(&self) -> usize {
        self.found.judged + self.found.erased + self.found.other_rules
    }

    async fn judge(&mut self, row: AuditRow) -> Result<(), PolicyChangeError> {
        let unreadable = |e| unavailable(format_args!("ruling `{}` cannot be read: {e}", row.seq));
        let record: DecisionRecord = serde_json::from_value(row.body).map_err(unreadable)?;
        let RuledOn::Blueprint { blueprint, execution, .. } = &record.subject else {
            return Ok(());
        };
        let Some(plan) = self.plan(*blueprint).await? else {
            self.found.erased += 1;
            return Ok(());
        };
        if self.only.is_some_and(|only| only != plan.spec_snapshot.spec.task_type) {
            return Ok(());
        }
        let deps = &self.policies.runtime.deps;
        let approvals = deps.store.approvals_ever_given(self.project, plan.id).await?;
        let grants = deps.store.grants_behind(self.project, &record).await?;
        let past =
            PastRuling { record: &record, plan: &plan, approvals: &approvals, grants: &grants };
        let was = deps.keeper.replay(&past, self.rules_of(&record).await?);
        let Some(was) = was.ok().filter(|was| was.is_as(&record)) else {
            self.found.other_rules += 1;
            return Ok(());
        };
        self.found.judged += 1;
        let would_be = deps.keeper.replay(&past, &self.proposed);
        let would_be = would_be.map_err(unavailable)?;
        let step = first_refused(&plan, &would_be);
        let (was, would_be) = (Outcome::of(&was), Outcome::of(&would_be));
        if was != would_be {
            let execution = execution.filter(|_| record.outcome == Decision::Allow);
            let changed =
                ChangedRuling { seq: row.seq, at: record.at, plan, execution, was, would_be, step };
            self.found.changed.push(changed);
        }
        Ok(())
    }

    async fn plan(&self, id: BlueprintId) -> Result<Option<Blueprint>, StoreError> {
        let stored = self.policies.runtime.deps.store.blueprint(id).await?;
        Ok(stored.map(|stored| stored.blueprint))
    }

    async fn rules_of(&mut self, record: &DecisionRecord) -> Result<&Policy, PolicyChangeError> {
        let (id, by) = (record.policy, record.by_override);
        if !self.versions.contains_key(&(id, by)) {
            let store = &self.policies.runtime.deps.store;
            let kept = store.policy_version(self.project, id).await?;
            let kept =
                kept.ok_or_else(|| unavailable(format_args!("policy version `{id}` is gone")))?;
            let policy = self.policies.compiled(kept.body().document().rules(by))?;
            self.versions.insert((id, by), policy);
        }
        self.versions.get(&(id, by)).ok_or(PolicyChangeError::NotFound)
    }
}

fn unavailable(why: impl Display) -> PolicyChangeError {
    PolicyChangeError::Unavailable(why.to_string())
}

fn first_refused(plan: &Blueprint, replayed: &Replayed) -> Option<StepId> {
    let refused = |id: &StepId| {
        replayed.findings.permission.refusals.iter().any(|one| one.step.as_ref() == Some(id))
    };
    plan.nodes.iter().map(|node| &node.id).find(|id| refused(id)).cloned()
}
