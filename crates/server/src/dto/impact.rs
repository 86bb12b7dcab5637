//! Wire forms of what another policy would have changed in recorded rulings.

use super::{forecast::GateLabel, mirror::mirror, policy::ChangeView};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::{Asks, TaskType};
use wiiiv_governor::{ChangedRuling, Impact, Outcome};

/// Rulings that are told in full, the newest; the others are counted.
const EXAMPLES_MAX: usize = 20;

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
    /// The first step of the plan that would be refused; `null` where no step would.
    pub step: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImpactView {
    /// Of the policy, against the one in force.
    pub changes: Vec<ChangeView>,
    pub since: String,
    /// Rulings on plans that were judged again.
    pub judged: u32,
    /// Of these, how many would have been another one.
    pub changed: u32,
    /// Rulings whose plan is no longer kept.
    pub erased: u32,
    /// Rulings that this build judges otherwise than they were, even under the policy of then.
    pub other_rules: u32,
    /// There are older ones in that time; only the newest were judged.
    pub more: bool,
    pub counts: Vec<ImpactCount>,
    /// The newest of those that would be another one.
    pub examples: Vec<ImpactExample>,
}

impl ImpactView {
    pub(crate) fn of(impact: &Impact, changes: Vec<ChangeView>) -> Self {
        let mut counts: BTreeMap<(ImpactKind, Option<&'static str>, AsksView), u32> =
            BTreeMap::new();
        for ruling in &impact.changed {
            let code = ruling.would_be.denials.first().map(|(_, code)| code.as_str());
            let of = (kind(ruling), code, ruling.would_be.asks.into());
            let count = counts.entry(of).or_default();
            *count = count.saturating_add(1);
        }
        let count = |((kind, code, asks), count)| ImpactCount { kind, code, asks, count };
        Self {
            changes,
            since: impact.since.to_string(),
            judged: number(impact.judged),
            changed: number(impact.changed.len()),
            erased: number(impact.erased),
            other_rules: number(impact.other_rules),
            more: impact.more,
            counts: counts.into_iter().map(count).collect(),
            examples: impact.changed.iter().take(EXAMPLES_MAX).map(example).collect(),
        }
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
