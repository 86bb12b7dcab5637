//! Plain data: all that the evaluator gets. The audit stores its digest; replays, `why`, forecasts
//! and tests supply it too. It holds no text of a value.

use crate::{
    evidence::{DelegatedRight, Rights},
    log::audit_seq::AuditSeq,
    rules::RiskFacts,
    standing::{BudgetView, Standing},
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use wiiiv_domain::{
    Amount, ApprovalId, ArgPlace, BlueprintDigest, BlueprintId, CallId, Capability, Consensus,
    ContentDigest, DacsSource, DeliberationDigest, Effect, ExecutionId, ExecutorId, GrantId,
    HttpMethod, ModelSlot, Persona, ProjectId, ProviderName, RulesHash, Scheme, SpecDigest, StepId,
    StepType, TaskId, TaskType, Timestamp, TurnId, UserId, Vote,
};

/// All that the evaluator gets. Its digest goes into the audit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GateFacts {
    /// [`GateFacts::VERSION`] of the build that made it.
    pub version: u32,
    /// The subject's project.
    pub project: ProjectId,
    /// The session's standing.
    pub standing: Standing,
    /// The session's risk score is at its hard stop.
    pub risk_hold: bool,
    /// What the budget windows hold.
    pub budget: BudgetView,
    /// What is ruled on.
    pub subject: SubjectFacts,
}

impl GateFacts {
    /// Version of the facts that this build makes.
    pub const VERSION: u32 = 1;
}

/// What is ruled on, by kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum SubjectFacts {
    /// A whole plan.
    Blueprint(Box<PlanFacts>),
    /// One attempt of a step.
    Step(Box<StepFacts>),
    /// One call of a model.
    ModelCall(CallFacts),
}

/// A plan, in facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanFacts {
    /// The plan.
    pub blueprint: BlueprintId,
    /// Its digest, computed by the keeper.
    pub digest: BlueprintDigest,
    /// The task that it serves.
    pub task: TaskId,
    /// The kind of task.
    pub task_type: TaskType,
    /// Who asked for it.
    pub requester: UserId,
    /// Who else wrote values of it.
    // Facts from before this field keep their digest.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub editors: BTreeSet<UserId>,
    /// Whether it is risky, and by which rules.
    pub risk: RiskFacts,
    /// What its review comes to.
    pub dacs: DacsFacts,
    /// Its steps, in order.
    pub nodes: Vec<NodeFacts>,
    /// Recorded approvals of this plan, sorted by question and person.
    pub approvals: Vec<ApprovalFacts>,
    /// There was another one, in a right that is lent no more.
    // Facts from before this field keep their digest.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub delegation_ended: bool,
    /// Recorded grants of its requester that name a step of it or all of it, the first to end first.
    // Facts from before this field keep their digest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grants: Vec<GrantFacts>,
    /// The execution that is resumed, and the digest that it began with.
    pub resumes: Option<(ExecutionId, BlueprintDigest)>,
    /// The worst case of its cost.
    pub estimate: Amount,
    /// Every contradiction found.
    pub faults: Vec<PlanFault>,
}

/// A contradiction in a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanFault {
    /// Its version is not [`Blueprint::VERSION`](wiiiv_domain::Blueprint::VERSION).
    Version,
    /// It has no step.
    NoNodes,
    /// It has more than [`NODES_MAX`](wiiiv_domain::NODES_MAX) steps.
    TooManyNodes,
    /// Two steps have one name.
    RepeatedStep,
}

/// A review, counted and recounted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DacsFacts {
    /// Digest of the spec.
    pub spec: SpecDigest,
    /// Digest of the review's result.
    pub deliberation: DeliberationDigest,
    /// Which personas voted.
    pub source: DacsSource,
    /// The rules of the verdict.
    pub judged_by: RulesHash,
    /// The rules that this opening has.
    pub rules: RulesHash,
    /// The consensus that the snapshot states.
    pub claimed: Consensus,
    /// What the snapshot's own opinions come to.
    pub counted: Consensus,
    /// What the rule personas say now.
    pub recounted: Consensus,
    /// The consensus of recorded model opinions.
    pub model: Option<Consensus>,
    /// What the rule personas say now.
    pub votes: Vec<VoteFacts>,
}

/// One vote, without the reason's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VoteFacts {
    /// Who votes.
    pub persona: Persona,
    /// The vote.
    pub vote: Vote,
    /// Codes of the rules that matched.
    pub concerns: Vec<String>,
}

/// A recorded yes, in facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApprovalFacts {
    /// The question.
    pub id: ApprovalId,
    /// Digest that the yes is for.
    pub digest: BlueprintDigest,
    /// Who said yes.
    pub approver: UserId,
    /// Their rights when they said it.
    pub rights: Rights,
    /// When they said it.
    pub at: Timestamp,
    /// From here on it no longer counts.
    pub expires_at: Timestamp,
    /// Its place in the audit chain.
    pub recorded_at: AuditSeq,
    /// The right that it was said in, where that is another person's.
    // Facts from before this field keep their digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_behalf: Option<DelegatedRight>,
}

/// A recorded grant that names something of this plan, in facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GrantFacts {
    /// The grant.
    pub id: GrantId,
    /// Who said yes beforehand.
    pub granter: UserId,
    /// Their rights when they said it.
    pub rights: Rights,
    /// What of the plan it names.
    pub covers: GrantCover,
    /// How often it still counts.
    pub left: u32,
    /// Before this it covers nothing.
    // Facts from before this field keep their digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_before: Option<Timestamp>,
    /// From here on it no longer counts.
    pub expires_at: Timestamp,
    /// Its place in the audit chain.
    pub recorded_at: AuditSeq,
}

/// What of a plan a grant names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "steps")]
pub enum GrantCover {
    /// These steps go to its target.
    Steps(BTreeSet<StepId>),
    /// The plan has exactly its steps.
    Whole,
}

/// One step of a plan, in facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NodeFacts {
    /// Its name.
    pub step: StepId,
    /// Its type.
    pub step_type: StepType,
    /// The effect that the plan declares.
    pub effect: Effect,
    /// The least effect that its parameters have.
    pub acts: Effect,
    /// The capability that the executor must have.
    pub needs: Capability,
    /// The executor of its type; `None` if this build has none.
    pub executor: Option<ExecutorFacts>,
    /// The contract version that the plan was drawn for.
    pub contract: Option<u32>,
    /// Where its effect goes.
    pub target: Target,
    /// Its arguments that come from earlier outputs.
    pub bound: Vec<BoundFacts>,
    /// The places of its written values that did not come from the user's words.
    // Facts from before this field keep their digest.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub foreign: BTreeSet<ArgPlace>,
}

/// An executor as the keeper's own list describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExecutorFacts {
    /// The executor.
    pub id: ExecutorId,
    /// Version of its contract.
    pub contract: u32,
    /// All that it declares it can do.
    pub capabilities: BTreeSet<Capability>,
}

/// Where a step's effect goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "kind")]
pub enum Target {
    /// Nowhere: it computes.
    Inside,
    /// A file; `name` is `None` until it is resolved.
    Path {
        /// Directory below the workspace; empty for its root.
        directory: String,
        /// The file name.
        name: Option<String>,
    },
    /// An address.
    Place {
        /// The request method.
        method: HttpMethod,
        /// `http` or `https`.
        scheme: Scheme,
        /// Host name or address, lower case.
        host: String,
        /// `None` means the scheme's default port.
        port: Option<u16>,
        /// As it is sent, percent-encoded and without the query; `None` until it is resolved.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path: Option<String>,
    },
}

/// One bound argument; its text is not here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BoundFacts {
    /// As [`wiiiv_domain::StepParams::args`] names it.
    pub arg: String,
    /// The bound that the plan declares, in bytes.
    pub max_bytes: u64,
    /// Length of the value in bytes; `None` until it is resolved.
    pub bytes: Option<u64>,
    /// Whether the resolved value would be syntax where it is used.
    pub is_syntax: bool,
}

/// One attempt of a step, in facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StepFacts {
    /// The run.
    pub execution: ExecutionId,
    /// The plan that runs.
    pub blueprint: BlueprintId,
    /// Who asked for the plan.
    pub requester: UserId,
    /// Number of the attempt, from 1.
    pub attempt: u32,
    /// The step, on resolved values.
    pub node: NodeFacts,
    /// SHA-256 of each resolved value, salted with its session's salt.
    pub values: BTreeMap<String, ContentDigest>,
}

/// One model call, in facts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CallFacts {
    /// The call.
    pub call: CallId,
    /// The person whose budget it counts in.
    pub user: UserId,
    /// The task that it serves.
    pub task: TaskId,
    /// The turn that asks.
    pub turn: TurnId,
    /// What the model is asked for.
    pub slot: ModelSlot,
    /// The provider.
    pub provider: ProviderName,
    /// The model, as the provider calls it.
    pub model: String,
    /// The most input tokens of one attempt.
    pub max_input_tokens: u64,
    /// The most output tokens of one attempt.
    pub max_output_tokens: u64,
    /// The most attempts that may cost something.
    pub attempts: u32,
}
