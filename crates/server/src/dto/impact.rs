//! Wire forms of what another policy would have changed in recorded rulings.

use super::{
    forecast::GateLabel,
    mirror::mirror,
    policy::{ChangeView, PolicyNotice},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::{Asks, DenyCode, ProjectPolicy, RULE_FIELDS, TaskType};
use wiiiv_governor::{ChangedRuling, EarlyFate, Impact, Outcome};

/// Rulings that are told in full, the newest; the others are counted.
const EXAMPLES_MAX: usize = 20;
/// Keys that work through model calls, their prompts and answers, the ledger, profiles or GHOST results. None of these is
/// judged again.
const NEVER_JUDGED: [&str; 15] = [
    "tokenBudget",
    "costLimit",
    "modelPrices",
    "llmProvider",
    "llmBaseUrl",
    "governorModel",
    "generatorModel",
    "embeddingModel",
    "modelFallbacks",
    "requireVerifiedModel",
    "minimumGreen",
    "profileSchema",
    "guardrails",
    "answers",
    "ragForInformation",
];

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskImpact {
    /// A policy document, whole, that is not in force.
    #[schema(value_type = Object)]
    pub policy: Value,
    /// How far back, 0 to 90; without it 30.
    pub days: Option<u32>,
    /// Plans of this type alone, as an override of one type covers them.
    #[schema(value_type = Option<String>)]
    pub task_type: Option<TaskType>,
}

/// Whose yes is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AsksView {
    Nothing,
    Requester,
    AnotherPerson,
    Refused,
}

mirror!(Asks => AsksView: Nothing, Requester, AnotherPerson, Refused);

/// How a ruling would differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ImpactKind {
    /// It was not refused, and would be.
    Refused,
    /// It was refused, and would not be.
    Accepted,
    /// Somebody else would be asked, or nobody.
    AskedOtherwise,
    /// Refused as before, with other codes.
    RefusedOtherwise,
    /// The same is asked for, and what was answered would no longer count, or would now.
    AnsweredOtherwise,
}

/// What would have become of a request that was refused before a plan was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EarlyFateView {
    /// A plan would have been drawn, and then asked about and ruled on like any other: not that it would have run.
    Drawn,
    /// The rules would have let it go on to model personas.
    ToModels,
    /// There would have been no plan either.
    Refused,
    /// It cannot be judged again.
    NotJudged,
}

mirror!(EarlyFate => EarlyFateView: Drawn, ToModels, Refused, NotJudged);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct GateDenial {
    pub gate: GateLabel,
    pub code: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct OutcomeView {
    pub allowed: bool,
    /// In the order of the gates; the first is the one reported.
    pub denials: Vec<GateDenial>,
    pub asks: AsksView,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ImpactCount {
    pub kind: ImpactKind,
    /// The code that would be reported; `null` where nothing would be denied.
    pub code: Option<&'static str>,
    pub asks: AsksView,
    pub count: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct EarlyCount {
    pub fate: EarlyFateView,
    /// The first code that it was refused with.
    pub code: &'static str,
    pub count: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct RefusedCallCount {
    /// The code that was reported.
    pub code: &'static str,
    pub count: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct ImpactExample {
    pub kind: ImpactKind,
    /// Number of the ruling in the project's audit.
    pub seq: u64,
    pub at: String,
    pub blueprint: Uuid,
    /// The run that began by it; `null` where none did.
    pub execution: Option<Uuid>,
    pub task_type: &'static str,
    pub was: OutcomeView,
    pub would_be: OutcomeView,
    /// The first step of the plan that would be refused, or of its run that would have ended otherwise; `null`
    /// where none would.
    pub step: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImpactView {
    /// Of the policy, against the one in force.
    pub changes: Vec<ChangeView>,
    pub notices: Vec<PolicyNotice>,
    pub since: String,
    /// Rulings on plans that were judged again.
    pub judged: u32,
    /// Of these, how many would have been another one, or had a run of which a step would have ended otherwise.
    pub changed: u32,
    /// Rulings on steps that were judged again, of runs that would have begun.
    pub steps: u32,
    /// Rulings on steps whose values are no longer kept, or that this build judges otherwise than they were.
    pub steps_not_judged: u32,
    /// Requests that were refused before a plan was drawn.
    pub early: Vec<EarlyCount>,
    /// Model calls that were refused. None is judged again.
    pub refused_calls: Vec<RefusedCallCount>,
    /// Those of `changes` of which a part of what they change cannot be told: it shows in model calls, in GHOST
    /// results, or in refusals that were not judged.
    pub untold: Vec<String>,
    /// Rulings whose plan, and reviews whose request, is no longer kept.
    pub erased: u32,
    /// Rulings on plans that this build judges otherwise than they were, even under the policy of then.
    pub other_rules: u32,
    /// There are older ones in that time; only the newest were judged.
    pub more: bool,
    pub counts: Vec<ImpactCount>,
    /// The newest of those that would be another one.
    pub examples: Vec<ImpactExample>,
}

impl ImpactView {
    pub(crate) fn of(impact: &Impact, meant: &ProjectPolicy, changes: Vec<ChangeView>) -> Self {
        let mut counts: BTreeMap<(ImpactKind, Option<&'static str>, AsksView), u32> =
            BTreeMap::new();
        for ruling in &impact.changed {
            let code = ruling.would_be.denials.first().map(|(_, code)| code.as_str());
            let of = (kind(ruling), code, ruling.would_be.asks.into());
            let count = counts.entry(of).or_default();
            *count = count.saturating_add(1);
        }
        let count = |((kind, code, asks), count)| ImpactCount { kind, code, asks, count };
        // A list has a change for each of its lines.
        let untold: BTreeSet<&String> = changes.iter().map(|change| &change.path).collect();
        let untold = untold.into_iter().filter(|path| {
            let key = path.split('.').next().unwrap_or_default();
            is_never_judged(key, meant) || unjudged(impact).any(|code| keys_of(code).contains(&key))
        });
        let early = |((fate, code), count): (&(EarlyFate, DenyCode), &usize)| EarlyCount {
            fate: (*fate).into(),
            code: code.as_str(),
            count: number(*count),
        };
        let call = |(code, count): (&DenyCode, &usize)| RefusedCallCount {
            code: code.as_str(),
            count: number(*count),
        };
        Self {
            untold: untold.cloned().collect(),
            changes,
            notices: PolicyNotice::of(meant),
            since: impact.since.to_string(),
            judged: number(impact.judged),
            changed: number(impact.changed.len()),
            steps: number(impact.steps),
            steps_not_judged: number(impact.steps_not_judged),
            early: impact.early.iter().map(early).collect(),
            refused_calls: impact.calls.iter().map(call).collect(),
            erased: number(impact.erased),
            other_rules: number(impact.other_rules),
            more: impact.more,
            counts: counts.into_iter().map(count).collect(),
            examples: impact.changed.iter().take(EXAMPLES_MAX).map(example).collect(),
        }
    }
}

/// Codes of refusals of which nobody knows what they would have been.
fn unjudged(impact: &Impact) -> impl Iterator<Item = DenyCode> {
    let early = impact.early.keys().filter(|(fate, _)| *fate == EarlyFate::NotJudged);
    early.map(|(_, code)| *code).chain(impact.calls.keys().copied())
}

/// GHOST results hold for the rules that they were made under: with other rules a model counts as unverified.
fn is_never_judged(key: &str, meant: &ProjectPolicy) -> bool {
    let unverifies = !meant.require_verified_model.is_empty() && RULE_FIELDS.contains(&key);
    NEVER_JUDGED.contains(&key) || unverifies
}

/// The keys of a policy that a refusal with this code may rest on.
const fn keys_of(code: DenyCode) -> &'static [&'static str] {
    match code {
        // By the rules, and by what models said.
        DenyCode::DacsNo | DenyCode::DacsRevision | DenyCode::DacsMissing => &[
            "allowedHosts",
            "allowedPaths",
            "allowedDatabases",
            "allowedPlugins",
            "modelPersonas",
            "llmProvider",
            "governorModel",
        ],
        DenyCode::ApprovalMissing
        | DenyCode::ApprovalExpired
        | DenyCode::ApprovalStaleDigest
        | DenyCode::ApproverNotAllowed
        | DenyCode::DelegationEnded
        | DenyCode::TaintedArgument => &["approval", "confirmation"],
        DenyCode::StepTypeNotAllowed => &["allowedStepTypes"],
        DenyCode::PluginNotAllowed => &["allowedPlugins"],
        DenyCode::HostNotAllowed => &["allowedHosts"],
        DenyCode::PathNotAllowed => &["allowedPaths"],
        DenyCode::DatabaseNotAllowed => &["allowedDatabases"],
        // Of a call: the model that is asked is none that the policy names.
        DenyCode::PolicyForbids => {
            &["fineRules", "llmProvider", "governorModel", "generatorModel", "modelFallbacks"]
        }
        DenyCode::TokenBudgetExceeded => &["tokenBudget"],
        DenyCode::CostLimitExceeded | DenyCode::ModelUnpriced => &["costLimit", "modelPrices"],
        DenyCode::ModelUnverified => &["requireVerifiedModel", "minimumGreen"],
        DenyCode::BindingNotAllowed
        | DenyCode::PreimageChanged
        | DenyCode::SystemChanged
        | DenyCode::EvidenceMismatch
        | DenyCode::RequesterNotAllowed
        | DenyCode::Halted
        | DenyCode::SessionRiskHold
        | DenyCode::RateLimitExceeded => &[],
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn kind(ruling: &ChangedRuling) -> ImpactKind {
    let refused = |outcome: &Outcome| outcome.asks == Asks::Refused;
    match (refused(&ruling.was), refused(&ruling.would_be)) {
        (false, true) => ImpactKind::Refused,
        (true, false) => ImpactKind::Accepted,
        (true, true) => ImpactKind::RefusedOtherwise,
        (false, false) if ruling.was.asks != ruling.would_be.asks => ImpactKind::AskedOtherwise,
        (false, false) => ImpactKind::AnsweredOtherwise,
    }
}

fn example(ruling: &ChangedRuling) -> ImpactExample {
    ImpactExample {
        kind: kind(ruling),
        seq: ruling.seq,
        at: ruling.at.to_string(),
        blueprint: ruling.plan.id.uuid(),
        execution: ruling.execution.map(|run| run.uuid()),
        task_type: ruling.plan.spec_snapshot.spec.task_type.as_str(),
        was: outcome(&ruling.was),
        would_be: outcome(&ruling.would_be),
        step: ruling.step.as_ref().map(ToString::to_string),
    }
}

fn outcome(outcome: &Outcome) -> OutcomeView {
    let denials = outcome.denials.iter();
    let denials =
        denials.map(|(gate, code)| GateDenial { gate: (*gate).into(), code: code.as_str() });
    OutcomeView { allowed: outcome.allowed, denials: denials.collect(), asks: outcome.asks.into() }
}
