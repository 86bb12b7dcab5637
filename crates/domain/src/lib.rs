//! The product's types: plain data that all other crates share.
//!
//! - [`Spec`]: what is to be done; [`Envelope`] bounds it, [`Slots`] hold its values.
//! - [`Blueprint`]: a frozen plan of [`Node`]s; its digest names it.
//! - [`ProjectPolicy`]: a project's rules; [`DenyCode`]: why a gate denies.
//! - [`Proposal`]: a model's answer, untrusted; [`FlowInput`] and [`FlowEffect`]: the flow's data.
//! - [`System`]: a registered service; [`BudgetWindow`] and [`Amount`]: spending.
//! - [`canonical()`] and the digest types: RFC 8785 JSON and SHA-256; [`telemetry`]: names of
//!   metrics.
//!
//! No clock, no randomness, no I/O: the time, ids and salts are arguments.
//! Begin reading at `spec.rs`, then `plan.rs` and `flow.rs`.

#![warn(missing_docs)]

#[macro_use]
mod checked_text;
#[macro_use]
mod named;

mod answer;
mod approval_policy;
mod budget;
mod build;
mod canonical;
mod citation;
mod clock;
mod confirmation;
mod dacs;
mod delegation;
mod deny;
mod digest;
mod edit;
mod effect;
mod envelope;
mod event;
mod executor;
mod field;
mod fine_rule;
mod flow;
mod ghost_statement;
mod grant;
mod guardrail;
mod halt;
mod host_name;
mod http_method;
mod id;
mod jq_vocabulary;
mod key;
mod label;
mod lang;
mod limits;
mod memory;
mod model_role;
mod money;
mod outcome;
mod path;
mod plan;
mod plan_sources;
mod policy;
mod policy_document;
mod policy_override;
mod policy_rules;
mod profile;
mod proposal;
mod provenance;
mod provider_name;
mod recall;
mod recipient;
mod replay_seed;
mod request;
mod scheme;
mod scope;
mod session_risk;
mod signal;
mod slots;
mod spec;
mod spent;
mod state;
mod step_id;
mod step_type;
mod system;
mod system_name;
mod task;
pub mod telemetry;
mod unquoted;
mod value;

pub use answer::{AnswerCheck, AnswerFinding, AnswerPolicy, AnswerStage};
pub use approval_policy::{
    ApprovalBy, ApprovalPolicy, ApprovalRule, EscalateTo, Escalation, ForeignTargets,
};
pub use budget::{Amount, BudgetWindow, BudgetWindowError, Usage, WindowKind};
pub use build::build_name;
pub use canonical::{CanonicalError, INTEGER_MAX, canonical, canonical_value, sorted};
pub use citation::Citation;
pub use clock::{Timestamp, TimestampError};
pub use confirmation::Confirmation;
pub use dacs::{
    Consensus, DacsResult, DacsSource, Grounds, ModelReview, Opinion, Persona, ReviewingModel, Vote,
};
pub use delegation::{DELEGATION_DAYS_MAX, DELEGATION_REASON_CHARS_MAX, OnBehalfOf};
pub use deny::{DenyCode, GateName};
pub use digest::{
    BlueprintDigest, ContentDigest, DeliberationDigest, DigestError, GrantDigest, ParseDigestError,
    PolicyDigest, PromptHash, RulesHash, SpecDigest, StateHash, WorkflowDigest,
};
pub use edit::{Edits, PlanEdit, SlotChange};
pub use effect::{Capability, Effect, Risk};
pub use envelope::Envelope;
pub use event::{DecisionNote, EventBody, SessionEvent, Speaker, Tally};
pub use executor::{ExecutorId, ExecutorMeta};
pub use field::{Field, FieldValue, Scalar, VALUES_MAX};
pub use fine_rule::{FINE_RULES_BYTES_MAX, FINE_RULES_MAX, FineRuleName, FineRuleNameError};
pub use flow::{
    Asks, FlowEffect, FlowInput, FlowLimits, NotDrawn, ProposalFailure, ProposalOutcome, ReplyCode,
    RulingOutcome, RunOutcome, TaskOutcome, Why,
};
pub use ghost_statement::GhostStatement;
pub use grant::{
    ExactTarget, GRANT_SECONDS_MAX, GRANT_USES_MAX, GrantScope, GrantTerms, GrantedStep,
    RequestPlace, SystemRevision,
};
pub use guardrail::Guardrail;
pub use halt::{HALT_REASON_CHARS_MAX, HaltScope};
pub use http_method::HttpMethod;
pub use id::{
    ApprovalId, BlueprintId, CallId, DelegationId, DocumentId, ExecutionId, GhostResultId, GrantId,
    IdError, IngestJobId, OverrideId, PolicyVersionId, ProjectId, RulingId, RunnerKeyId, SessionId,
    TaskId, TokenId, TurnId, UserId,
};
pub use jq_vocabulary::{JQ_REFUSED_DEFINITIONS, JQ_REFUSED_FUNCTIONS};
pub use key::{KeyHolder, KeySource, KeyVerdict};
pub use label::{LABEL_CHARS_MAX, LABELS_MAX, SystemError};
pub use lang::Lang;
pub use limits::{
    BOUND_BYTES_MAX, JOBS_LATER_MAX, MESSAGE_CHARS_MAX, NODES_MAX, PROPOSAL_BYTES_MAX,
    SLOT_CHARS_MAX, SLOT_NAME_CHARS_MAX, SLOTS_MAX, STEP_OUTPUT_BYTES_MAX,
};
pub use memory::{
    MEMORY_CHARS_MAX, MemoryOwner, MemoryScope, MemoryText, MemoryTextError, composed,
    is_hangul_filler,
};
pub use model_role::{ModelPlace, ModelSlot};
pub use money::{Currency, ModelPrice, PriceTable, PriceTier, worst_case};
pub use outcome::{FailureCategory, StepFailure, StepOutcome, StepOutput};
pub use path::{PATH_COMPONENT_BYTES_MAX, PATH_COMPONENTS_MAX, PathError, WorkspacePath};
pub use plan::{
    Blueprint, Node, NodeKind, PlanDigests, PreImage, Retry, SpecSnapshot, StepParams, UrlTemplate,
};
pub use policy::{
    CostLimit, DacsStage, HostRule, ModelFallback, ModelPersonas, ProjectPolicy, TokenBudget,
    operation_line,
};
pub use policy_document::PolicyDocument;
pub use policy_override::{
    OVERRIDE_SECONDS_MAX, OVERRIDE_SECONDS_MIN, OverrideEnd, OverrideMark, OverrideProposal,
    OverrideScope, TemporaryPolicy,
};
pub use policy_rules::RULE_FIELDS;
pub use profile::{
    Merge, NoteRefused, PROFILE_CHANGES_MAX, PROFILE_PENDING_MAX, PROFILE_SLOTS_MAX,
    PROFILE_VALUE_CHARS_MAX, PROFILE_VALUES_MAX, PendingChange, ProfileAge, ProfileChange,
    ProfileDay, ProfileDocument, ProfileDone, ProfileEdit, ProfileEntry, ProfileFault,
    ProfileLabel, ProfileLatestDay, ProfileName, ProfileNote, ProfileNoteOp, ProfileRange,
    ProfileSchema, ProfileSchemaFault, ProfileSlot, ProfileSlotKind, ProfileSlotPolicy,
    ProfileText, ProfileWords, SlotContent, SlotOutcome, merged,
};
pub use proposal::{Action, JobName, LaterJob, Proposal, TaskSwitch};
pub use provenance::{ArgPlace, ArgSources, SourceKind, Sources, ValueSource, ValueSources};
pub use provider_name::ProviderName;
pub use recall::Recall;
pub use recipient::{ANY_TEXT, exact_members, is_recipient};
pub use replay_seed::{RefusedSpecs, Reopening, ReplaySeed};
pub use request::{
    BODY_SCHEMA_BYTES_MAX, FORM_FIELDS_MAX, FieldKind, FieldPlace, FormAnswer, FormField,
    RequestBody, RequestForm,
};
pub use scheme::Scheme;
pub use scope::{Scope, ScopeError};
pub use session_risk::{
    RISK_REASON_CHARS_MAX, RISK_TEXT_BYTES_MAX, RiskCleared, RiskHistory, RiskSource, SignalCount,
};
pub use signal::{SignalKind, UserSignal};
pub use slots::{SlotError, SlotName, Slots};
pub use spec::{Salt, Spec};
pub use spent::{Spent, Terms};
pub use state::StateName;
pub use step_id::{BlueprintError, StepId};
pub use step_type::StepType;
pub use system::{
    Authentication, BaseUrl, FIELDS_MAX, OPERATIONS_MAX, Operation, Parameter, ParameterPlace,
    RequestTarget, SYSTEMS_MAX, System, SystemStanding,
};
pub use system_name::SystemName;
pub use task::{TaskType, TaskTypes};
pub use unquoted::unquoted;
pub use value::{Arg, Binding, Source, ValueKind};
