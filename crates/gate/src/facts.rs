//! Plain data: all that the evaluator sees. The audit keeps its digest; replay, `why`, forecasts
//! and tests feed it in. No text of a value stands here.

use crate::{
    audit_seq::AuditSeq,
    evidence::Rights,
    rules::RiskFacts,
    standing::{BudgetView, Standing},
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::{
    Amount, ApprovalId, BlueprintDigest, BlueprintId, CallId, Capability, Consensus, ContentDigest,
    DacsSource, DeliberationDigest, Effect, ExecutionId, ExecutorId, HttpMethod, ModelSlot,
    Persona, ProjectId, ProviderName, RulesHash, Scheme, SpecDigest, StepId, StepType, TaskId,
    TaskType, Timestamp, TurnId, UserId, Vote,
};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GateFacts {
    pub version: u32,
    pub project: ProjectId,
    pub standing: Standing,
    /// The session's risk score is at its hard stop.
    pub risk_hold: bool,
    pub budget: BudgetView,
    pub subject: SubjectFacts,
}

impl GateFacts {
    pub const VERSION: u32 = 1;
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum SubjectFacts {
    Blueprint(Box<PlanFacts>),
    Step(Box<StepFacts>),
    ModelCall(CallFacts),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanFacts {
    pub blueprint: BlueprintId,
    pub digest: BlueprintDigest,
    pub task: TaskId,
    pub task_type: TaskType,
    pub requester: UserId,
    pub risk: RiskFacts,
    pub dacs: DacsFacts,
    pub nodes: Vec<NodeFacts>,
    pub approvals: Vec<ApprovalFacts>,
    /// The execution that is resumed, and the digest that it began with.
    pub resumes: Option<(ExecutionId, BlueprintDigest)>,
    pub estimate: Amount,
    pub faults: Vec<PlanFault>,
}

/// A plan that contradicts itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanFault {
    Version,
    NoNodes,
    TooManyNodes,
    RepeatedStep,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DacsFacts {
    pub spec: SpecDigest,
    pub deliberation: DeliberationDigest,
    pub source: DacsSource,
    /// The rules that the verdict was made by, and those of today.
    pub judged_by: RulesHash,
    pub rules: RulesHash,
    /// As the snapshot says, and as its own opinions come to.
    pub claimed: Consensus,
    pub counted: Consensus,
    /// The rule personas, asked again.
    pub recounted: Consensus,
    /// What recorded model opinions come to.
    pub model: Option<Consensus>,
    pub votes: Vec<VoteFacts>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VoteFacts {
    pub persona: Persona,
    pub vote: Vote,
    pub concerns: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApprovalFacts {
    pub id: ApprovalId,
    pub digest: BlueprintDigest,
    pub approver: UserId,
    pub rights: Rights,
    pub at: Timestamp,
    pub expires_at: Timestamp,
    pub recorded_at: AuditSeq,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NodeFacts {
    pub step: StepId,
    pub step_type: StepType,
    /// As the plan declares it.
    pub effect: Effect,
    /// The least that its parameters amount to.
    pub acts: Effect,
    pub needs: Capability,
    pub executor: Option<ExecutorFacts>,
    /// The contract version that the plan was drawn for.
    pub contract: Option<u32>,
    pub target: Target,
    pub bound: Vec<BoundFacts>,
}

/// The keeper's own, whatever a plan says of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExecutorFacts {
    pub id: ExecutorId,
    pub contract: u32,
    pub capabilities: BTreeSet<Capability>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "kind")]
pub enum Target {
    Inside,
    /// `name`: `None` while it is bound and not resolved.
    Path {
        directory: String,
        name: Option<String>,
    },
    Place {
        method: HttpMethod,
        scheme: Scheme,
        host: String,
        port: Option<u16>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BoundFacts {
    /// As [`wiiiv_domain::StepParams::args`] names it.
    pub arg: String,
    pub max_bytes: u64,
    /// `None` while it is not resolved.
    pub bytes: Option<u64>,
    /// The resolved value would be syntax where it stands.
    pub is_syntax: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StepFacts {
    pub execution: ExecutionId,
    pub blueprint: BlueprintId,
    pub attempt: u32,
    pub node: NodeFacts,
    /// SHA-256 of each resolved value, salted with its session's salt.
    pub values: BTreeMap<String, ContentDigest>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CallFacts {
    pub call: CallId,
    /// Whose budget it counts in.
    pub user: UserId,
    pub task: TaskId,
    pub turn: TurnId,
    pub slot: ModelSlot,
    pub provider: ProviderName,
    pub model: String,
    pub max_input_tokens: u64,
    pub max_output_tokens: u64,
    pub attempts: u32,
}
