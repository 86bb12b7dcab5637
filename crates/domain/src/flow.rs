//! Inputs and effects of the ConversationFlowController: plain data. No variant can carry memory,
//! profile or retrieved text.

use crate::{
    dacs::{Consensus, Grounds},
    deny::DenyCode,
    digest::{BlueprintDigest, SpecDigest},
    edit::{PlanEdit, SlotChange},
    fine_rule::FineRuleName,
    id::{BlueprintId, ExecutionId, TaskId, TurnId, UserId},
    proposal::{JobName, Proposal},
    provider_name::ProviderName,
    recall::Recall,
    signal::UserSignal,
    slots::SlotName,
    spec::Spec,
    task::{TaskType, TaskTypes},
};
use serde::{Deserialize, Serialize};

named! {
    /// Why a model gave no proposal (llm.md 2).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ProposalFailure {
        /// The provider refused the call for its rate limit.
        RateLimited = "rate_limited",
        /// The provider could not be reached, or answered with a server error.
        Unavailable = "unavailable",
        /// No answer came in time.
        Timeout = "timeout",
        /// The answer does not have the form of a proposal.
        InvalidOutput = "invalid_output",
        /// The answer contains the key of the request.
        KeySaid = "key_said",
        /// The provider rejects the request as it is; a retry would fail alike.
        Rejected = "rejected",
        /// The model refused to answer.
        Refused = "refused",
        /// The prompt is longer than the model's window.
        ContextTooLong = "context_too_long",
        /// The provider did not accept the key.
        Auth = "auth",
        /// The call's worst case does not fit into the budget.
        Budget = "budget",
        /// Policy caps money, and the model has no price.
        Unpriced = "unpriced",
        /// The account at the provider has no credit.
        Unpaid = "unpaid",
        /// The provider has no such model, or none at that address.
        Unserved = "unserved",
        /// The project is halted: no model is called.
        Halted = "halted",
        /// The policy has named another model since.
        NotAllowed = "not_allowed",
    }
}

/// What came of asking for a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ProposalOutcome {
    /// A model answered.
    Proposal {
        /// Its answer, parsed.
        proposal: Proposal,
    },
    /// No usable answer came.
    Failed {
        /// Why none came.
        failure: ProposalFailure,
    },
    /// Code answers from the record in the model's place.
    Told {
        /// The text to show.
        message: String,
    },
}

named! {
    /// Whose yes policy asks for before this plan may run.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Asks {
        /// Nobody's: policy asks for no confirmation, and no risk requires one.
        Nothing = "nothing",
        /// The requester's own yes.
        Requester = "requester",
        /// Another person's yes.
        AnotherPerson = "another_person",
        /// Policy refuses the plan, so nobody is asked.
        Refused = "refused",
    }
}

/// Why no blueprint could be drawn.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum NotDrawn {
    /// This build has no executor for the task type.
    NoExecutor {
        /// The type that has none.
        task_type: TaskType,
    },
    /// A slot has no usable value; the code says why.
    Slot {
        /// The slot.
        name: SlotName,
        /// Stable code of the fault, e.g. `PATH_EMPTY`.
        code: String,
    },
    /// A step would leave the spec's envelope.
    OutsideEnvelope {
        /// The effect, host or path that is outside.
        what: String,
    },
    /// Policy refuses it in advance.
    Denied {
        /// The code that the gate would give.
        code: DenyCode,
        /// The host, path or step type in question; of a fine rule, its name and advice.
        what: String,
        /// The fine rule that forbids it, where one does.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<FineRuleName>,
    },
}

/// What the gates ruled on a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum RulingOutcome {
    /// The gates allow. Sent only with an `Authorized<Blueprint>` in hand.
    Allow {
        /// Id of the run that the permit is for.
        execution: ExecutionId,
    },
    /// At least one gate denied.
    Deny {
        /// Every denial, first gate first.
        codes: Vec<DenyCode>,
        /// The grounds of a review's NO. Absent in journals of version 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        under: Option<Grounds>,
    },
    /// Nothing was decided (503): the flow returns to the state before.
    Unavailable,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum RunOutcome {
    /// Every step succeeded or was skipped.
    Succeeded,
    /// A step failed or a gate denied.
    Failed {
        /// Upper case, e.g. `HTTP_STATUS`.
        code: String,
    },
    /// A person stopped it.
    Cancelled,
    /// Whether a side effect happened is unknown; a person must resolve it.
    Indeterminate,
}

/// What the flow receives. INVARIANT: every asynchronous answer names what it answers; an answer to
/// anything but the current request is journalled and ignored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "input")]
pub enum FlowInput {
    /// A message or a button of the user.
    Signal(UserSignal),
    /// The model call of a turn ended.
    Proposed {
        /// The turn that asked.
        turn: TurnId,
        /// The answer, or why there is none.
        outcome: ProposalOutcome,
    },
    /// The review's verdict binds.
    Verdict {
        /// The spec that was reviewed.
        spec: SpecDigest,
        /// The result of the votes.
        consensus: Consensus,
        /// Codes of the rules that objected.
        concerns: Vec<String>,
        /// The grounds of a NO. Absent in journals of version 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        under: Option<Grounds>,
    },
    /// In `observe`: the review would have ended in NO or REVISION; the spec is not risky.
    Shadowed {
        /// The spec that was reviewed.
        spec: SpecDigest,
        /// What the result would have been.
        consensus: Consensus,
    },
    /// A plan was drawn from a spec.
    Drawn {
        /// The spec.
        spec: SpecDigest,
        /// The new plan.
        blueprint: BlueprintId,
        /// Its digest.
        digest: BlueprintDigest,
        /// Whose yes it needs.
        asks: Asks,
    },
    /// No plan could be drawn.
    NotDrawable {
        /// The spec.
        spec: SpecDigest,
        /// Every reason found.
        reasons: Vec<NotDrawn>,
    },
    /// The person that policy asks for said yes in the inbox.
    Approved {
        /// Digest of the approved plan.
        digest: BlueprintDigest,
    },
    /// The person said no.
    Refused {
        /// Digest of the refused plan.
        digest: BlueprintDigest,
    },
    /// The question was not answered in time.
    Expired {
        /// Digest of the plan that it asked about.
        digest: BlueprintDigest,
    },
    /// In place of an answer, values of the plan were changed: it is void, and another is made.
    Edited {
        /// Digest of the plan that was asked about.
        digest: BlueprintDigest,
        /// The new values.
        edit: PlanEdit,
    },
    /// The gates ruled on a plan.
    Ruling {
        /// Digest of the plan.
        digest: BlueprintDigest,
        /// What they ruled.
        ruling: RulingOutcome,
    },
    /// A run ended.
    Finished {
        /// The run.
        execution: ExecutionId,
        /// How it ended.
        outcome: RunOutcome,
    },
    /// Policy version or rules differ from those of an earlier NO of this session.
    Regrounded {
        /// The grounds in force now.
        under: Grounds,
    },
}

/// What a model is called for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Why {
    /// A new message of the user.
    Message,
    /// A run ended: its facts go to the model as data.
    Facts {
        /// The run.
        execution: ExecutionId,
    },
    /// A message that answers the review's request for changes.
    Revision {
        /// Codes of the rules that objected.
        concerns: Vec<String>,
    },
    /// Nothing: code answers from the record.
    Recall {
        /// What was asked about.
        recall: Recall,
    },
    /// The plan could not be drawn.
    Undrawable {
        /// Every reason found.
        reasons: Vec<NotDrawn>,
    },
}

/// Replies that code writes; their texts in each language are in `config/`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "reply")]
pub enum ReplyCode {
    /// The model's words, in talk only.
    Model {
        /// The text to show.
        message: String,
    },
    /// An answer from the record.
    Told {
        /// The text to show.
        message: String,
    },
    /// A run's facts, rendered by code; the model's words beside them are checked (llm.md 2).
    Facts {
        /// The run.
        execution: ExecutionId,
        /// The text to show.
        message: String,
    },
    /// The active task was cancelled.
    Cancelled,
    /// Cancel was asked for, and no task is active.
    NothingToCancel,
    /// The user's no ended the task.
    Refused {
        /// Digest of the plan that it was about; of a question without a plan, and in journals that are older, absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        digest: Option<BlueprintDigest>,
    },
    /// A yes came, and nothing waits for one.
    NothingToConfirm,
    /// The yes names a preview that is not the last.
    Stale {
        /// Digest of the preview that waits now.
        digest: BlueprintDigest,
    },
    /// The question ran out of time.
    Expired {
        /// Digest of the plan that it asked about.
        digest: BlueprintDigest,
    },
    /// Values of the plan were changed in place of an answer; the changed plan is decided anew.
    Edited {
        /// Who changed them; `None` for the requester.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<UserId>,
        /// What was changed.
        changes: Vec<SlotChange>,
    },
    /// The review asks for a change: the task is kept, and the user is asked.
    NeedsRevision {
        /// Codes of the rules that objected.
        concerns: Vec<String>,
    },
    /// The review ended in NO; this very spec is not reviewed again.
    DacsNo {
        /// Codes of the rules that objected.
        concerns: Vec<String>,
    },
    /// No plan can be drawn from the request.
    NotDrawable {
        /// Every reason found.
        reasons: Vec<NotDrawn>,
    },
    /// A spec that was refused is reviewed again, because the grounds changed.
    Reopened {
        /// The grounds of the NO.
        from: Grounds,
        /// The grounds in force now.
        to: Grounds,
    },
    /// The gates denied the plan.
    Denied {
        /// Every denial, first gate first.
        codes: Vec<DenyCode>,
    },
    /// Nothing was decided; the user may ask again.
    Unavailable,
    /// A run failed.
    RunFailed {
        /// The run.
        execution: ExecutionId,
        /// Stable code of the step failure or the denial.
        code: String,
    },
    /// A run was stopped by a person.
    RunCancelled {
        /// The run.
        execution: ExecutionId,
    },
    /// A run ended, and whether its last effect happened is unknown.
    RunIndeterminate {
        /// The run.
        execution: ExecutionId,
    },
    /// The task has had [`FlowLimits::rounds_max`] runs.
    RoundLimit,
    /// As many tasks are suspended as one session may have.
    TooManyTasks {
        /// The suspended tasks.
        suspended: Vec<TaskId>,
    },
    /// A message has several jobs; they are done in this order.
    JobsTaken {
        /// The jobs that were taken.
        jobs: Vec<JobName>,
    },
    /// More jobs than may wait: none was taken.
    TooManyJobs {
        /// The jobs that were found.
        jobs: Vec<JobName>,
        /// How many more could wait.
        room: u32,
    },
    /// Jobs of a message that this build has no executor for.
    JobsDeclined {
        /// The jobs that were declined.
        jobs: Vec<JobName>,
    },
    /// One of several jobs ended; `next` begins.
    JobClosed {
        /// The job that is over.
        job: JobName,
        /// How it ended.
        outcome: TaskOutcome,
        /// The job that begins now; `None` if none waits.
        next: Option<JobName>,
        /// How many jobs wait after `next`.
        left: u32,
    },
    /// The user's cancel stopped the active job, and these that waited behind it.
    JobsDropped {
        /// The jobs that were dropped.
        jobs: Vec<JobName>,
    },
    /// The user did not want these of several; the others go on.
    JobsLeftOut {
        /// The jobs that were left out.
        jobs: Vec<JobName>,
    },
    /// These questions still wait for answers after other talk or work.
    StillWaits {
        /// The jobs that wait.
        jobs: Vec<JobName>,
        /// Each task is suspended and becomes active before it is answered.
        aside: bool,
    },
    /// No proposal came, and nothing else stands in.
    ModelFailed {
        /// Why none came.
        failure: ProposalFailure,
    },
    /// The policy's model could not be reached: the built-in model answers.
    Degraded {
        /// Provider of the model that failed.
        provider: ProviderName,
        /// Name of that model.
        model: String,
        /// Why it failed.
        failure: ProposalFailure,
    },
    /// The policy's model could not be reached: another model of its list is called.
    FellBack {
        /// Provider of the model that failed.
        provider: ProviderName,
        /// Name of that model.
        model: String,
        /// Provider of the model asked next.
        to_provider: ProviderName,
        /// Name of that model.
        to_model: String,
        /// Why the first one failed.
        failure: ProposalFailure,
    },
    /// Another person's approval is still awaited.
    Waiting {
        /// Digest of the plan that waits.
        digest: BlueprintDigest,
    },
    /// Work is in progress; the message must be sent again later.
    Busy,
    /// What came of a wish to keep something in mind, which the flow knows nothing of.
    #[serde(alias = "cannot_remember")]
    Remember,
    /// The session was reset; no task is left.
    Reset,
    /// A suspended task is active again.
    Resumed {
        /// The task.
        task: TaskId,
    },
    /// No task of the session has the id that was named.
    UnknownTask,
}

/// How a task ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "outcome")]
pub enum TaskOutcome {
    /// It did what was asked.
    Done,
    /// The user cancelled it.
    Cancelled,
    /// A person said no to its plan.
    Refused,
    /// A gate denied it.
    Denied,
    /// Its run failed.
    Failed,
    /// Its question was not answered in time.
    Expired,
    /// A replay differed from the journal, or a person reset the session.
    Abandoned,
}

/// What the governor is to do, in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "effect")]
pub enum FlowEffect {
    /// Ask a model for a proposal.
    Propose {
        /// The turn that asks.
        turn: TurnId,
        /// What for.
        why: Why,
    },
    /// Show a reply.
    Reply {
        /// Which one, with its data.
        reply: ReplyCode,
    },
    /// Ask the user for slots. `message` is the model's wording, shown beside the list.
    Ask {
        /// Type of the task that asks.
        task_type: TaskType,
        /// The slots to ask for.
        missing: Vec<SlotName>,
        /// The model's wording; may be empty.
        message: String,
    },
    /// Run the review of a spec.
    Deliberate {
        /// The task.
        task: TaskId,
        /// The spec to review.
        spec: Spec,
    },
    /// Draw a plan from a spec.
    Draw {
        /// The task.
        task: TaskId,
        /// The spec to draw from.
        spec: Spec,
    },
    /// Show a work order and ask for a yes, which permits drawing only.
    ConfirmWorkOrder {
        /// The task.
        task: TaskId,
        /// The spec to show as a work order.
        spec: Spec,
    },
    /// Show a plan's preview and ask the requester.
    Confirm {
        /// The plan.
        blueprint: BlueprintId,
        /// Its digest.
        digest: BlueprintDigest,
    },
    /// Ask another person to approve a plan.
    SeekApproval {
        /// The plan.
        blueprint: BlueprintId,
        /// Its digest.
        digest: BlueprintDigest,
    },
    /// Withdraw the question: it is void or given up.
    Withdraw {
        /// The plan that was asked about.
        blueprint: BlueprintId,
        /// Its digest.
        digest: BlueprintDigest,
    },
    /// Ask the gates for a permit.
    Authorize {
        /// The plan.
        blueprint: BlueprintId,
        /// Its digest.
        digest: BlueprintDigest,
    },
    /// Start a run under the permit.
    Run {
        /// The run.
        execution: ExecutionId,
        /// Digest of the plan to run.
        digest: BlueprintDigest,
    },
    /// Stop the task's model call, commit or step in flight.
    CancelWork {
        /// The task.
        task: TaskId,
        /// Its run, if one has begun.
        execution: Option<ExecutionId>,
    },
    /// Set the active task aside.
    Suspend {
        /// The task.
        task: TaskId,
    },
    /// Make a suspended task active.
    Resume {
        /// The task.
        task: TaskId,
    },
    /// End a task; the state no longer holds it.
    Close {
        /// The task.
        task: TaskId,
        /// How it ended.
        outcome: TaskOutcome,
    },
}

/// Bounds of the flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlowLimits {
    /// Suspended tasks of one session.
    pub suspended_max: usize,
    /// Runs of one task.
    pub rounds_max: u32,
    /// Failed drawings of one round before the user is asked.
    pub drawings_max: u32,
    /// Refused specs that one session keeps; at the bound it takes no further EXECUTE.
    pub refused_max: usize,
    /// Task types that this build has executors for; any other is answered at once.
    pub drawable: TaskTypes,
}

impl FlowLimits {
    /// The most effects of one input. A reset withdraws and closes every task, cancels the active
    /// one's work, and replies. The end of a job may turn away every job behind it, each with its
    /// reasons, its end and a word on the next; an edit withdraws its question and tells what it changed
    /// before that.
    #[must_use]
    pub const fn effects_max(&self) -> usize {
        self.suspended_max.saturating_add(1).saturating_mul(3).saturating_add(6)
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
