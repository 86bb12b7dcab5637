//! What recorded rulings would have been under another policy.

mod early;
mod steps;
mod versions;

use super::policies::{Policies, PolicyChangeError};
use crate::clock;
pub use early::EarlyFate;
use std::collections::BTreeMap;
use versions::{Versions, ruling, unavailable};
use wiiiv_domain::{
    Asks, Blueprint, BlueprintId, DenyCode, ExecutionId, GateName, ProjectId, ProjectPolicy,
    StepId, TaskType, Timestamp,
};
use wiiiv_gate::{Decision, PastRuling, Policy, Replayed, RuledOn};
use wiiiv_store::{AuditRow, StoreError};

/// The longest time that is looked back over, in days.
pub const IMPACT_DAYS_MAX: u32 = 90;
/// Rulings of one kind that one look judges or counts; the newest are.
const RULINGS_MAX: usize = 2_000;
/// Rulings on steps: for each of them the outputs that it was made on are read again.
const STEPS_MAX: usize = 500;
const PAGE_ROWS: u64 = 200;

/// What another policy would have changed.
#[derive(Debug)]
pub struct Impact {
    /// The time from which rulings were looked at.
    pub since: Timestamp,
    /// Rulings on plans that were judged again.
    pub judged: usize,
    /// Those that would have ended otherwise, or asked somebody else, they or a step of their run; newest first.
    /// What would be so under the policy in force, too, is not the proposal's doing, and left out.
    pub changed: Vec<ChangedRuling>,
    /// Rulings on steps that were judged again, of runs that would have begun.
    pub steps: usize,
    /// The same, whose values are no longer kept, or which this build judges otherwise than they were judged.
    pub steps_not_judged: usize,
    /// Requests that were refused before a plan was drawn, by what would have become of them and the code of
    /// then.
    pub early: BTreeMap<(EarlyFate, DenyCode), usize>,
    /// Model calls that were refused, by the code of then. They are not judged: ADR 0052.
    pub calls: BTreeMap<DenyCode, usize>,
    /// Whose plan or request is no longer kept.
    pub erased: usize,
    /// Rulings on plans that this build does not judge as they were judged then, under the policy of then.
    pub other_rules: usize,
    /// There are older ones in that time, which were not looked at.
    pub more: bool,
}

impl Impact {
    const fn of_nothing(since: Timestamp) -> Self {
        Self {
            since,
            judged: 0,
            changed: Vec::new(),
            steps: 0,
            steps_not_judged: 0,
            early: BTreeMap::new(),
            calls: BTreeMap::new(),
            erased: 0,
            other_rules: 0,
            more: false,
        }
    }
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
    /// Of the plan, or of the step of its run that was refused.
    pub was: Outcome,
    /// Likewise.
    pub would_be: Outcome,
    /// The first step that would be refused, in the order of the plan, or that would have ended otherwise in
    /// its run.
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
    /// Judges the rulings on plans of these days, those on the steps of their runs, and the requests that came to
    /// no plan, by the same functions as the gates, under `policy`, and permits nothing. `only`: of plans of that
    /// type. What this build does not judge as it was judged is left out and counted: a difference would not be
    /// the policy's.
    pub async fn impact(
        self,
        project: ProjectId,
        policy: &ProjectPolicy,
        (days, only): (u32, Option<TaskType>),
    ) -> Result<Impact, PolicyChangeError> {
        let proposed = self.compiled(policy)?;
        let current = self.runtime.deps.store.policy(project).await?;
        let in_force = self.compiled(&current.body().document().policy)?;
        let days = i64::from(days.min(IMPACT_DAYS_MAX));
        let since = clock::now().plus_seconds(-days * 24 * 3_600);
        let from = self.runtime.deps.store.first_record_since(project, since).await?;
        let versions = Versions::new(self, project);
        let found = Impact::of_nothing(since);
        let policies = (proposed, in_force);
        let mut look =
            Look { policies: self, project, rules: policies, from, only, versions, found };
        look.plans().await?;
        look.early().await?;
        // No override of one type covers a call.
        if only.is_none() {
            look.calls().await?;
        }
        Ok(look.found)
    }
}

/// One look back.
struct Look<'a> {
    policies: Policies<'a>,
    project: ProjectId,
    /// The proposed ones, and those in force: what these have changed already is not the proposal's doing.
    rules: (Policy, Policy),
    /// Number of the first record of that time.
    from: u64,
    /// Plans of this type are looked at, and no others.
    only: Option<TaskType>,
    versions: Versions<'a>,
    found: Impact,
}

impl Look<'_> {
    async fn plans(&mut self) -> Result<(), PolicyChangeError> {
        let store = &self.policies.runtime.deps.store;
        let (mut before, mut seen) = (None, 0);
        loop {
            let page = (before, PAGE_ROWS);
            let rows = store.rulings_on_plans(self.project, self.from, page).await?;
            let Some(last) = rows.last() else { return Ok(()) };
            before = Some(last.seq);
            for row in rows {
                if seen == RULINGS_MAX {
                    self.found.more = true;
                    return Ok(());
                }
                // One of another type is read all the same.
                seen += 1;
                self.judge(row).await?;
            }
        }
    }

    async fn judge(&mut self, row: AuditRow) -> Result<(), PolicyChangeError> {
        let seq = row.seq;
        let record = ruling(row)?;
        let RuledOn::Blueprint { blueprint, execution, resumes, .. } = &record.subject else {
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
        let past = PastRuling {
            record: &record,
            plan: &plan,
            approvals: &approvals,
            grants: &grants,
            inputs: None,
        };
        let was = deps.keeper.replay(&past, self.versions.of(&record).await?);
        let Some(was) = was.ok().filter(|was| was.is_as(&record)) else {
            self.found.other_rules += 1;
            return Ok(());
        };
        self.found.judged += 1;
        let (proposed, in_force) = &self.rules;
        let would_be = deps.keeper.replay(&past, proposed).map_err(unavailable)?;
        let already = deps.keeper.replay(&past, in_force).map_err(unavailable)?;
        let execution = execution.filter(|_| record.outcome == Decision::Allow);
        let mut changed = ChangedRuling {
            seq,
            at: record.at,
            execution,
            was: Outcome::of(&was),
            would_be: Outcome::of(&would_be),
            step: first_refused(&plan, &would_be),
            plan,
        };
        let mut is_in_force = Outcome::of(&already) == changed.would_be;
        // Whatever was ruled on the steps of a run hangs on the ruling that began it.
        if let Some(run) = execution
            && changed.would_be.allowed
            && !resumes
        {
            is_in_force &= self.steps(run, &mut changed).await?;
        }
        if changed.was != changed.would_be && !is_in_force {
            self.found.changed.push(changed);
        }
        Ok(())
    }

    /// The run would have begun: the first step that would have ended otherwise says how. Gives whether the
    /// policy in force would end it so too; where there is no such step, it does.
    async fn steps(
        &mut self,
        run: ExecutionId,
        of: &mut ChangedRuling,
    ) -> Result<bool, PolicyChangeError> {
        if self.found.steps + self.found.steps_not_judged >= STEPS_MAX {
            self.found.more = true;
            return Ok(true);
        }
        let judging = (self.policies, &mut self.versions);
        let told = steps::look(judging, &self.rules, (&of.plan, run)).await?;
        self.found.steps += told.judged;
        self.found.steps_not_judged += told.not_judged;
        self.found.more |= told.more;
        let Some(first) = told.first else { return Ok(true) };
        for (outcome, judged) in [(&mut of.was, first.was), (&mut of.would_be, first.would_be)] {
            if !judged.findings.allowed() {
                *outcome = Outcome::of(&judged);
            }
        }
        of.step = Some(first.step);
        Ok(first.is_in_force)
    }

    async fn early(&mut self) -> Result<(), PolicyChangeError> {
        let place = (self.policies.runtime, self.project);
        let judging = (&mut self.versions, &self.rules);
        let told = early::look(place, judging, (self.from, self.only)).await?;
        self.found.early = told.counts;
        self.found.erased += told.erased;
        self.found.more |= told.more;
        Ok(())
    }

    async fn calls(&mut self) -> Result<(), PolicyChangeError> {
        let store = &self.policies.runtime.deps.store;
        let (mut before, mut seen) = (None, 0);
        loop {
            let page = (before, PAGE_ROWS);
            let rows = store.refused_calls(self.project, self.from, page).await?;
            let Some(last) = rows.last() else { return Ok(()) };
            before = Some(last.seq);
            for row in rows {
                if seen == RULINGS_MAX {
                    self.found.more = true;
                    return Ok(());
                }
                seen += 1;
                let codes = ruling(row)?.codes();
                if let Some(code) = codes.first() {
                    *self.found.calls.entry(*code).or_default() += 1;
                }
            }
        }
    }

    async fn plan(&self, id: BlueprintId) -> Result<Option<Blueprint>, StoreError> {
        let stored = self.policies.runtime.deps.store.blueprint(id).await?;
        Ok(stored.map(|stored| stored.blueprint))
    }
}

fn first_refused(plan: &Blueprint, replayed: &Replayed) -> Option<StepId> {
    let refused = |id: &StepId| {
        replayed.findings.permission.refusals.iter().any(|one| one.step.as_ref() == Some(id))
    };
    plan.nodes.iter().map(|node| &node.id).find(|id| refused(id)).cloned()
}
