//! The smallest change that would have let a refused plan or step through. Each is proved: the recorded ruling is
//! judged again with it, by the same functions as the gates.

use super::policies::{Policies, PolicyChangeError};
use crate::run;
use wiiiv_domain::{
    Asks, Blueprint, BudgetWindow, DenyCode, FailureCategory, FineRuleName, ForeignTargets,
    GateName, HostRule, ProjectPolicy, Scheme, StepParams, StepType, TaskType, WindowKind,
};
use wiiiv_gate::{
    ApprovalBasis, CostFinding, CostLine, DecisionRecord, FineRules, Hold, PastRuling, Policy,
    RefusedPlace, Replayed, Resolved, RuledOn, Supposed,
};

/// Looks for what else is lacking once something is changed: fine rules are asked about what the lists allow.
const ROUNDS_MAX: usize = 8;
/// No longer list is a small change, or helps anybody.
const CHANGES_MAX: usize = 16;

/// One thing that would have to be otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// One more of `allowedStepTypes`.
    StepType(StepType),
    /// One more of `allowedHosts`.
    Host(Box<HostRule>),
    /// One more of `allowedPaths`.
    Path(String),
    /// This cap is at least that.
    Cap { field: CapField, least: u64 },
    /// The fine rule is not there.
    Rule(FineRuleName),
    /// `approval.foreignTargets` asks, and does not deny.
    ForeignAsked,
    /// Not among `requireVerifiedModel`.
    Unverified(TaskType),
    /// A yes of whom [`Enough::asks`] names, in time.
    Approval,
    /// What is halted is resumed.
    Resumed,
    /// The session's risk is cleared.
    Cleared,
}

/// A cap of the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CapField {
    /// As the policy document names it: `tokenBudget` or `costLimit`.
    pub group: &'static str,
    pub name: &'static str,
}

/// What is enough, against the policy in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enough {
    /// Each of them is needed; empty where the policy in force would allow it as it is.
    pub changes: Vec<Change>,
    /// Whose yes is asked for then.
    pub asks: Asks,
}

/// Why nothing is shown as enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unproved {
    /// This build judges it otherwise than it was judged, even under the policy of then.
    OtherRules,
    /// No change of policy, no yes and no act of a role would have been enough: another request is.
    AnotherRequest,
    /// The values that a step was ruled on cannot be had again.
    NotKept,
}

/// How a line for one place is written.
pub type PlaceRule = fn(&str, Option<Scheme>, Option<u16>) -> HostRule;

impl Policies<'_> {
    /// For a ruling on this plan, or on a step of it, that denied.
    pub async fn enough(
        self,
        record: &DecisionRecord,
        plan: &Blueprint,
        place: PlaceRule,
    ) -> Result<Result<Enough, Unproved>, PolicyChangeError> {
        let store = &self.runtime.deps.store;
        let then = store.policy_version(plan.project, record.policy).await?;
        let then = then.ok_or(PolicyChangeError::NotFound)?;
        let then = self.compiled(then.body().document().rules(record.by_override))?;
        let approvals = store.approvals_ever_given(plan.project, plan.id).await?;
        let grants = store.grants_behind(plan.project, record).await?;
        let inputs = match self.inputs(record, plan).await? {
            Ok(inputs) => inputs,
            Err(unproved) => return Ok(Err(unproved)),
        };
        let inputs = inputs.as_ref();
        let past = PastRuling { record, plan, approvals: &approvals, grants: &grants, inputs };
        let told = self.runtime.deps.keeper.replay(&past, &then);
        if !told.is_ok_and(|told| told.is_as(record)) {
            return Ok(Err(Unproved::OtherRules));
        }
        let current = store.policy(plan.project).await?;
        let search = Search { policies: self, past, place };
        Ok(search.smallest(current.body().document().general()))
    }

    /// `None` of a ruling on a whole plan.
    async fn inputs(
        self,
        record: &DecisionRecord,
        plan: &Blueprint,
    ) -> Result<Result<Option<Resolved>, Unproved>, PolicyChangeError> {
        let RuledOn::Step { execution, step, .. } = &record.subject else { return Ok(Ok(None)) };
        let Some(node) = plan.node(step) else { return Ok(Err(Unproved::NotKept)) };
        match run::recorded(self.runtime, (plan.session, *execution), node).await {
            Ok(found) => Ok(Ok(Some(found))),
            // It may be had the next time.
            Err(failure) if failure.category == FailureCategory::IoError => {
                Err(PolicyChangeError::Unavailable(failure.message))
            }
            Err(_) => Ok(Err(Unproved::NotKept)),
        }
    }
}

/// A policy with something taken for granted beside it.
#[derive(Debug, Clone)]
struct Trial {
    policy: ProjectPolicy,
    supposed: Supposed,
}

struct Search<'a> {
    policies: Policies<'a>,
    past: PastRuling<'a>,
    place: PlaceRule,
}

impl Search<'_> {
    fn smallest(&self, current: &ProjectPolicy) -> Result<Enough, Unproved> {
        let mut changes = self.found(current)?;
        // One that the others make needless is left out.
        let mut at = 0;
        while at < changes.len() {
            let without: Vec<Change> = changes
                .iter()
                .enumerate()
                .filter(|(n, _)| *n != at)
                .map(|(_, c)| c.clone())
                .collect();
            if self.allowed(current, &without).is_some() { changes = without } else { at += 1 }
        }
        let (policy, replayed) = self.allowed(current, &changes).ok_or(Unproved::AnotherRequest)?;
        // A line that no policy may hold is no advice.
        if policy != *current && self.policies.check(&policy).is_err() {
            return Err(Unproved::AnotherRequest);
        }
        Ok(Enough { changes, asks: replayed.asks })
    }

    /// Changes that are enough together.
    fn found(&self, current: &ProjectPolicy) -> Result<Vec<Change>, Unproved> {
        let mut changes = Vec::new();
        for _ in 0..ROUNDS_MAX {
            let (_, replayed) = self.replayed(current, &changes).ok_or(Unproved::AnotherRequest)?;
            if replayed.findings.allowed() {
                return Ok(changes);
            }
            let known = changes.len();
            for change in self.lacking(&replayed).ok_or(Unproved::AnotherRequest)? {
                if !changes.contains(&change) {
                    changes.push(change);
                }
            }
            if changes.len() == known || changes.len() > CHANGES_MAX {
                break;
            }
        }
        Err(Unproved::AnotherRequest)
    }

    fn allowed(
        &self,
        current: &ProjectPolicy,
        changes: &[Change],
    ) -> Option<(ProjectPolicy, Replayed)> {
        self.replayed(current, changes).filter(|(_, replayed)| replayed.findings.allowed())
    }

    /// `None` where it cannot be judged: the policy does not compile, or a rule cannot be taken out.
    fn replayed(
        &self,
        current: &ProjectPolicy,
        changes: &[Change],
    ) -> Option<(ProjectPolicy, Replayed)> {
        let mut trial = Trial { policy: current.clone(), supposed: Supposed::default() };
        for change in changes {
            trial.take(change)?;
        }
        let Trial { policy, supposed } = trial;
        let deps = &self.policies.runtime.deps;
        let compiled = Policy::compile(policy.clone(), &deps.prices).ok()?;
        let replayed = deps.keeper.replay_supposing(&self.past, &compiled, supposed).ok()?;
        Some((policy, replayed))
    }

    /// For every denial what would do; `None` where there is one that nothing would help.
    fn lacking(&self, replayed: &Replayed) -> Option<Vec<Change>> {
        let mut lacking = Vec::new();
        for (gate, _) in replayed.findings.denials() {
            match gate {
                // What was reviewed has to be another.
                GateName::Dacs => return None,
                // No yes helps where policy denies it whatever anybody says.
                GateName::UserApproval
                    if replayed.findings.approval.basis == ApprovalBasis::ForeignTarget =>
                {
                    lacking.push(Change::ForeignAsked);
                }
                GateName::UserApproval => lacking.push(Change::Approval),
                GateName::Permission => {
                    let refusals = replayed.findings.permission.refusals.iter();
                    for change in refusals.map(|refusal| self.for_refusal(refusal)) {
                        lacking.push(change?);
                    }
                }
                GateName::Cost => lacking.extend(raised(&replayed.findings.cost)?),
            }
        }
        Some(lacking)
    }

    fn for_refusal(&self, refusal: &RefusedPlace) -> Option<Change> {
        let node = refusal.step.as_ref().and_then(|step| self.past.plan.node(step));
        match refusal.code {
            DenyCode::StepTypeNotAllowed => Some(Change::StepType(node?.params.step_type())),
            DenyCode::HostNotAllowed => match &node?.params {
                StepParams::ApiCall { url, .. } | StepParams::WebFetch { url } => {
                    let rule = (self.place)(&url.host, Some(url.scheme), url.port);
                    Some(Change::Host(Box::new(rule)))
                }
                StepParams::FileRead { .. }
                | StepParams::FileWrite { .. }
                | StepParams::FileDelete { .. }
                | StepParams::Transform { .. } => None,
            },
            DenyCode::PathNotAllowed => Some(Change::Path(refusal.what.clone())),
            DenyCode::PolicyForbids => refusal.rule.clone().map(Change::Rule),
            DenyCode::ModelUnverified => {
                Some(Change::Unverified(self.past.plan.spec_snapshot.spec.task_type))
            }
            DenyCode::Halted => Some(Change::Resumed),
            DenyCode::SessionRiskHold => Some(Change::Cleared),
            DenyCode::DacsNo
            | DenyCode::DacsRevision
            | DenyCode::DacsMissing
            | DenyCode::ApprovalMissing
            | DenyCode::ApprovalExpired
            | DenyCode::ApprovalStaleDigest
            | DenyCode::ApproverNotAllowed
            | DenyCode::DelegationEnded
            | DenyCode::TaintedArgument
            | DenyCode::PluginNotAllowed
            | DenyCode::DatabaseNotAllowed
            | DenyCode::BindingNotAllowed
            | DenyCode::PreimageChanged
            | DenyCode::SystemChanged
            | DenyCode::EvidenceMismatch
            | DenyCode::RequesterNotAllowed
            | DenyCode::TokenBudgetExceeded
            | DenyCode::CostLimitExceeded
            | DenyCode::ModelUnpriced
            | DenyCode::RateLimitExceeded => None,
        }
    }
}

/// The caps that are too low, at what this very plan needs; `None` where its cost is not known.
fn raised(cost: &CostFinding) -> Option<Vec<Change>> {
    let Hold::Take(lines) = &cost.hold else { return None };
    let mut caps = Vec::new();
    for line in lines {
        let [tokens, money] = fields(line);
        let needed = line.used_tokens.checked_add(cost.estimate.tokens)?;
        if line.cap.tokens.is_some_and(|cap| needed > cap) {
            caps.push(Change::Cap { field: tokens, least: needed });
        }
        let Some(cap) = line.cap.micros else { continue };
        let needed = line.used_micros.checked_add(cost.estimate.micros?)?;
        if needed > cap {
            caps.push(Change::Cap { field: money, least: needed });
        }
    }
    (!caps.is_empty()).then_some(caps)
}

const TOKENS: &str = "tokenBudget";
const MONEY: &str = "costLimit";

const fn fields(line: &CostLine) -> [CapField; 2] {
    let BudgetWindow { window, user, .. } = &line.window;
    let (tokens, money) = match (window, user) {
        (WindowKind::Run(_), _) => ("perRun", "perRunMicros"),
        (WindowKind::Day(_), None) => ("perDay", "perDayMicros"),
        (WindowKind::Month(_), None) => ("perMonth", "perMonthMicros"),
        (WindowKind::Day(_), Some(_)) => ("perUserDay", "perUserDayMicros"),
        (WindowKind::Month(_), Some(_)) => ("perUserMonth", "perUserMonthMicros"),
    };
    [CapField { group: TOKENS, name: tokens }, CapField { group: MONEY, name: money }]
}

impl Trial {
    /// `None` where it cannot be made.
    fn take(&mut self, change: &Change) -> Option<()> {
        let policy = &mut self.policy;
        match change {
            Change::StepType(of) => {
                policy.allowed_step_types.insert(*of);
            }
            Change::Host(rule) => policy.allowed_hosts.push(rule.as_ref().clone()),
            Change::Path(path) => policy.allowed_paths.push(path.clone()),
            Change::Cap { field, least } => *cap(policy, *field)? = Some(*least),
            Change::Rule(name) => {
                policy.fine_rules = FineRules::text_without(&policy.fine_rules, name)?;
            }
            Change::ForeignAsked => policy.approval.foreign_targets = ForeignTargets::Ask,
            Change::Unverified(task) => {
                policy.require_verified_model.remove(task);
            }
            Change::Approval => self.supposed.approved = true,
            Change::Resumed => self.supposed.resumed = true,
            Change::Cleared => self.supposed.cleared = true,
        }
        Some(())
    }
}

fn cap(policy: &mut ProjectPolicy, field: CapField) -> Option<&mut Option<u64>> {
    let (tokens, money) = (&mut policy.token_budget, &mut policy.cost_limit);
    match field.name {
        "perRun" => Some(&mut tokens.per_run),
        "perDay" => Some(&mut tokens.per_day),
        "perMonth" => Some(&mut tokens.per_month),
        "perUserDay" => Some(&mut tokens.per_user_day),
        "perUserMonth" => Some(&mut tokens.per_user_month),
        "perRunMicros" => Some(&mut money.per_run_micros),
        "perDayMicros" => Some(&mut money.per_day_micros),
        "perMonthMicros" => Some(&mut money.per_month_micros),
        "perUserDayMicros" => Some(&mut money.per_user_day_micros),
        "perUserMonthMicros" => Some(&mut money.per_user_month_micros),
        _ => None,
    }
}
