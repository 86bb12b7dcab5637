//! Inputs and effects of the ConversationFlowController: plain data. There is no variant that
//! could carry memory, profile or retrieved text.

use crate::{
    dacs::{Consensus, Grounds},
    deny::DenyCode,
    digest::{BlueprintDigest, SpecDigest},
    id::{BlueprintId, ExecutionId, TaskId, TurnId},
    policy::ProviderName,
    proposal::{JobName, Proposal},
    recall::Recall,
    signal::UserSignal,
    slots::SlotName,
    spec::Spec,
    task::{TaskType, TaskTypes},
};
use serde::{Deserialize, Serialize};

/// llm.md 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalFailure {
    RateLimited,
    Unavailable,
    Timeout,
    InvalidOutput,
    /// The answer has the key in it that it was asked with.
    KeySaid,
    /// The provider does not take the request as it stands, and would not take it later.
    Rejected,
    Refused,
    ContextTooLong,
    Auth,
    /// What the call may cost does not fit into what is left.
    Budget,
    /// A cap of money, and no price.
    Unpriced,
    /// The account at the provider has no credit.
    Unpaid,
    /// The provider has no such model, or none at that address.
    Unserved,
    /// Nobody is asked while the project is halted.
    Halted,
    /// The policy names another model there by now.
    NotAllowed,
}

impl ProposalFailure {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RateLimited => "rate_limited",
            Self::Unavailable => "unavailable",
            Self::Timeout => "timeout",
            Self::InvalidOutput => "invalid_output",
            Self::KeySaid => "key_said",
            Self::Rejected => "rejected",
            Self::Refused => "refused",
            Self::ContextTooLong => "context_too_long",
            Self::Auth => "auth",
            Self::Budget => "budget",
            Self::Unpriced => "unpriced",
            Self::Unpaid => "unpaid",
            Self::Unserved => "unserved",
            Self::Halted => "halted",
            Self::NotAllowed => "not_allowed",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ProposalOutcome {
    Proposal {
        proposal: Proposal,
    },
    Failed {
        failure: ProposalFailure,
    },
    /// Code answers in a model's place, from the record.
    Told {
        message: String,
    },
}

/// What policy asks for before this blueprint may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Asks {
    /// The confirmation is `never`, and nothing about it is risky.
    Nothing,
    /// The requester's own yes.
    Requester,
    /// Somebody else's.
    AnotherPerson,
    /// Policy refuses it: nothing that policy will refuse is ever put before a person.
    Refused,
}

impl Asks {
    pub const ALL: [Self; 4] = [Self::Nothing, Self::Requester, Self::AnotherPerson, Self::Refused];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Requester => "requester",
            Self::AnotherPerson => "another_person",
            Self::Refused => "refused",
        }
    }
}

/// Why no blueprint could be drawn.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum NotDrawn {
    /// This build has no executor for the task type.
    NoExecutor { task_type: TaskType },
    /// A slot has no usable value; the code says why.
    Slot { name: SlotName, code: String },
    /// A step would leave the spec's envelope.
    OutsideEnvelope { what: String },
    /// What policy refuses in advance.
    Denied { code: DenyCode, what: String },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum RulingOutcome {
    /// Sent only with an `Authorized<Blueprint>` in hand.
    Allow { execution: ExecutionId },
    Deny {
        codes: Vec<DenyCode>,
        /// Of a NO of the review. Absent in journals of version 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        under: Option<Grounds>,
    },
    /// 503: nothing was decided; back to the state before.
    Unavailable,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum RunOutcome {
    Succeeded,
    /// A stable code of the step failure or of the gate that ended it.
    Failed {
        code: String,
    },
    Cancelled,
    /// A side effect is in doubt and waits for a person.
    Indeterminate,
}

/// INVARIANT: every asynchronous answer names what it answers; one that names anything but the
/// current is journalled and ignored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "input")]
pub enum FlowInput {
    Signal(UserSignal),
    Proposed {
        turn: TurnId,
        outcome: ProposalOutcome,
    },
    /// A binding verdict.
    Verdict {
        spec: SpecDigest,
        consensus: Consensus,
        concerns: Vec<String>,
        /// Of a NO. Absent in journals of version 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        under: Option<Grounds>,
    },
    /// In `observe`: would have been NO or REVISION on a spec that is not risky.
    Shadowed {
        spec: SpecDigest,
        consensus: Consensus,
    },
    Drawn {
        spec: SpecDigest,
        blueprint: BlueprintId,
        digest: BlueprintDigest,
        asks: Asks,
    },
    NotDrawable {
        spec: SpecDigest,
        reasons: Vec<NotDrawn>,
    },
    /// By the person that policy asks for, through the inbox.
    Approved {
        digest: BlueprintDigest,
    },
    Refused {
        digest: BlueprintDigest,
    },
    Expired {
        digest: BlueprintDigest,
    },
    Ruling {
        digest: BlueprintDigest,
        ruling: RulingOutcome,
    },
    Finished {
        execution: ExecutionId,
        outcome: RunOutcome,
    },
    /// The policy version or the rules are others than those of a NO of this session.
    Regrounded {
        under: Grounds,
    },
}

/// Why a model is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Why {
    Message,
    /// A run has ended: its facts are shown as data.
    Facts {
        execution: ExecutionId,
    },
    /// A message that follows what DACS wants changed.
    Revision {
        concerns: Vec<String>,
    },
    /// Nobody is asked: code answers from the record.
    Recall {
        recall: Recall,
    },
    /// It could not be drawn.
    Undrawable {
        reasons: Vec<NotDrawn>,
    },
}

/// Replies that code writes; texts by language are in `config/`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "reply")]
pub enum ReplyCode {
    /// The model's own words, in talk only.
    Model {
        message: String,
    },
    /// What code knows of what was done.
    Told {
        message: String,
    },
    /// A run's facts, rendered by code; the model's words beside them are checked (llm.md 2).
    Facts {
        execution: ExecutionId,
        message: String,
    },
    Cancelled,
    NothingToCancel,
    Refused,
    NothingToConfirm,
    /// The yes names a preview that is no longer the last.
    Stale {
        digest: BlueprintDigest,
    },
    Expired {
        digest: BlueprintDigest,
    },
    /// DACS wants something else: the task is kept, and the user is asked.
    NeedsRevision {
        concerns: Vec<String>,
    },
    /// DACS said NO; this very spec will not be deliberated again.
    DacsNo {
        concerns: Vec<String>,
    },
    NotDrawable {
        reasons: Vec<NotDrawn>,
    },
    /// What DACS said NO to is reviewed again: it was refused under other grounds.
    Reopened {
        from: Grounds,
        to: Grounds,
    },
    Denied {
        codes: Vec<DenyCode>,
    },
    /// Nothing was decided; ask again.
    Unavailable,
    RunFailed {
        execution: ExecutionId,
        code: String,
    },
    RunCancelled {
        execution: ExecutionId,
    },
    RunIndeterminate {
        execution: ExecutionId,
    },
    RoundLimit,
    TooManyTasks {
        suspended: Vec<TaskId>,
    },
    /// A message with several jobs: what was understood, in the order in which it will be done.
    JobsTaken {
        jobs: Vec<JobName>,
    },
    /// More jobs than may wait: none of them was taken.
    TooManyJobs {
        jobs: Vec<JobName>,
        /// How many could wait beside what waits already.
        room: u32,
    },
    /// Jobs of a message that this build has no executor for.
    JobsDeclined {
        jobs: Vec<JobName>,
    },
    /// One of several jobs is over; `next` begins.
    JobClosed {
        job: JobName,
        outcome: TaskOutcome,
        next: Option<JobName>,
        /// Jobs that wait behind `next`.
        left: u32,
    },
    /// The user's cancel stopped the active job, and these that waited behind it.
    JobsDropped {
        jobs: Vec<JobName>,
    },
    /// The user did not want these of several; the others go on.
    JobsLeftOut {
        jobs: Vec<JobName>,
    },
    /// These were asked about, and still wait for their answers while something else was said or
    /// done.
    StillWaits {
        jobs: Vec<JobName>,
        /// Each was put aside, and is gone back to before it is answered.
        aside: bool,
    },
    ModelFailed {
        failure: ProposalFailure,
    },
    /// The model that policy names could not be reached: the built-in understanding speaks.
    Degraded {
        provider: ProviderName,
        model: String,
        failure: ProposalFailure,
    },
    /// The model that policy names could not be reached: another one that it lists is asked.
    FellBack {
        provider: ProviderName,
        model: String,
        to_provider: ProviderName,
        to_model: String,
        failure: ProposalFailure,
    },
    Waiting {
        digest: BlueprintDigest,
    },
    Busy,
    /// Memory has its own room and is not in this build.
    CannotRemember,
    Reset,
    Resumed {
        task: TaskId,
    },
    UnknownTask,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum TaskOutcome {
    Done,
    Cancelled,
    Refused,
    Denied,
    Failed,
    Expired,
    /// A replay differed from the journal, or a person reset the session.
    Abandoned,
}

/// What the governor is to do, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "effect")]
pub enum FlowEffect {
    Propose {
        turn: TurnId,
        why: Why,
    },
    Reply {
        reply: ReplyCode,
    },
    /// `message`: the model's own wording, shown beside the list.
    Ask {
        task_type: TaskType,
        missing: Vec<SlotName>,
        message: String,
    },
    Deliberate {
        task: TaskId,
        spec: Spec,
    },
    Draw {
        task: TaskId,
        spec: Spec,
    },
    /// A question of its own: it buys drawing, nothing else.
    ConfirmWorkOrder {
        task: TaskId,
        spec: Spec,
    },
    Confirm {
        blueprint: BlueprintId,
        digest: BlueprintDigest,
    },
    SeekApproval {
        blueprint: BlueprintId,
        digest: BlueprintDigest,
    },
    /// The question is void or given up: whoever was asked is asked no more.
    Withdraw {
        blueprint: BlueprintId,
        digest: BlueprintDigest,
    },
    Authorize {
        blueprint: BlueprintId,
        digest: BlueprintDigest,
    },
    Run {
        execution: ExecutionId,
        digest: BlueprintDigest,
    },
    /// Stop whatever is in flight for this task: model call, commit or step.
    CancelWork {
        task: TaskId,
        execution: Option<ExecutionId>,
    },
    Suspend {
        task: TaskId,
    },
    Resume {
        task: TaskId,
    },
    Close {
        task: TaskId,
        outcome: TaskOutcome,
    },
}

/// Bounds of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlowLimits {
    /// Suspended tasks of one session.
    pub suspended_max: usize,
    /// Runs of one task.
    pub rounds_max: u32,
    /// Drawings of one round before it asks.
    pub drawings_max: u32,
    /// Specs refused by DACS that one session keeps; at the bound it takes no further EXECUTE.
    pub refused_max: usize,
    /// Task types that this build has executors for; any other is answered at once.
    pub drawable: TaskTypes,
}

impl FlowLimits {
    /// Effects of one input: a reset withdraws and closes every task, cancels the work of the
    /// active one, and says so. Where one job ends, every one that waits behind it may be turned
    /// away at once, each with its reasons, its end and a word on the next.
    #[must_use]
    pub const fn effects_max(&self) -> usize {
        self.suspended_max.saturating_add(1).saturating_mul(3).saturating_add(4)
    }
}

impl Default for FlowLimits {
    fn default() -> Self {
        Self {
            suspended_max: 8,
            rounds_max: 10,
            drawings_max: 3,
            refused_max: 256,
            drawable: TaskTypes::ALL,
        }
    }
}
