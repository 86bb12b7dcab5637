//! Requests from outside to a session, and their answers. Refusals are values.

use wiiiv_domain::{
    ApprovalId, BlueprintDigest, DelegationId, FormAnswer, Lang, NotDrawn, OnBehalfOf, Recall,
    RequestForm, SlotName, Slots, StateName, StepId, Tally, TaskId, TaskType, TurnId,
};
use wiiiv_gate::StandingSeq;
use wiiiv_store::StoreError;

#[derive(Debug, Clone)]
pub struct Incoming {
    pub text: String,
    /// The language its author has set; `None`: the conversation's.
    pub language: Option<Lang>,
    /// The answer to a form, instead of words.
    pub form: Option<FormAnswer>,
    /// Number of the newest event that its author had seen: a yes, a no and the answer to a form count
    /// where that is not older than what was told last.
    pub seen: Option<u64>,
}

impl Incoming {
    #[must_use]
    pub const fn words(text: String, language: Option<Lang>) -> Self {
        Self { text, language, form: None, seen: None }
    }
    #[must_use]
    pub fn form(answer: FormAnswer, language: Option<Lang>) -> Self {
        let text = wiiiv_hlx::answer_text(&answer);
        Self { text, language, form: Some(answer), seen: None }
    }
    #[must_use]
    pub fn seen(self, seen: Option<u64>) -> Self {
        Self { seen, ..self }
    }
}

#[derive(Debug, Clone, Copy)]
pub enum Control {
    Cancel,
    Switch(TaskId),
    Reset,
    Recall(Recall),
}

#[derive(Debug, Clone)]
pub enum Decision {
    Approve {
        digest: BlueprintDigest,
    },
    Reject {
        digest: BlueprintDigest,
        reason: String,
    },
    /// Values of the plan are changed in place of an answer.
    Edit(ApprovalEdit),
    /// A yes of theirs is taken back.
    Revoke {
        reason: String,
    },
}

#[derive(Debug, Clone)]
pub struct ApprovalEdit {
    /// Of the plan that its author has seen.
    pub digest: BlueprintDigest,
    /// The new values.
    pub slots: Slots,
    /// The author's own words.
    pub note: String,
}

/// Why an edit was not taken: the question stays as it is.
#[derive(Debug, Clone, thiserror::Error)]
pub enum EditRefused {
    #[error("`{slot}` is no value of this plan that can be changed: choose from `{may}`")]
    NotAValue { slot: SlotName, may: String },
    #[error("nothing is changed: the values are those of the plan")]
    Unchanged,
    #[error("no plan can be made with it: `{}`", codes(.0))]
    NotDrawable(Vec<NotDrawn>),
    #[error(
        "it would be another plan, as step `{step}` would do something else: only values can be changed"
    )]
    OtherPlan { step: StepId },
    /// Policy asks others than the requester and whoever wrote a value: the question would wait until it
    /// expires.
    #[error(
        "after this change too few people are left who could approve the plan: reject it with a note instead"
    )]
    NobodyLeft,
}

fn codes(reasons: &[NotDrawn]) -> String {
    let code = |reason: &NotDrawn| match reason {
        NotDrawn::Slot { code, .. } => code.clone(),
        NotDrawn::Denied { code, .. } => code.to_string(),
        NotDrawn::OutsideEnvelope { .. } => "OUTSIDE_ENVELOPE".to_owned(),
        NotDrawn::NoExecutor { task_type } => task_type.to_string(),
    };
    reasons.iter().map(code).collect::<Vec<_>>().join(", ")
}

/// How a decision is given.
#[derive(Debug, Clone, Copy, Default)]
pub struct Answering {
    /// The language that its author has set; it counts where that is the session's owner.
    pub language: Option<Lang>,
    /// The delegation whose right is used; `None`: one's own or, of somebody who has none, one that runs.
    pub delegation: Option<DelegationId>,
}

#[derive(Debug, Clone)]
pub struct Decided {
    /// Where no turn follows: the id of the event.
    pub turn: TurnId,
    pub approval: ApprovalId,
    /// `approved`, `rejected`, `edited`, or `pending` where others have to say yes too; `consumed` of one that a
    /// run rests on, which is taken back.
    pub state: &'static str,
    /// Where several people have to say yes.
    pub tally: Option<Tally>,
    /// Whose right it was given in, where that is another person's.
    pub on_behalf_of: Option<OnBehalfOf>,
    /// The turn that was in progress: what follows, follows there. A yes is void where that turn changes or ends
    /// the request, and waits for the next message where it is cancelled at another task.
    pub beside: Option<TurnId>,
}

#[derive(Debug, Clone)]
pub struct TaskSummary {
    pub task: TaskId,
    pub task_type: TaskType,
    pub state: StateName,
}

#[derive(Debug, Clone)]
pub struct SessionView {
    /// Of the active task; `listening` where there is none.
    pub state: StateName,
    pub active: Option<TaskSummary>,
    /// Suspended and queued tasks.
    pub suspended: Vec<TaskSummary>,
    /// The question that waits for a person.
    pub pending: Option<(ApprovalId, BlueprintDigest)>,
    /// Messages that wait behind the turn in progress.
    pub queued: usize,
    /// The values that the active task lacks.
    pub form: Option<RequestForm>,
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum SubmitError {
    #[error("no such session")]
    NotFound,
    #[error("a message is 1 to `{max}` characters, this one has `{chars}`")]
    Length { chars: usize, max: usize },
    #[error("this form is not asked for any more; read the last question and answer that")]
    NotAsked,
    #[error("a value of the form is too long")]
    FormTooLong,
    #[error(
        "`{limit}` questions of one person wait for an answer already; answer some of them first"
    )]
    TooManyWaiting { limit: u64 },
    #[error("`{limit}` plans of one person were drawn this hour; try again in `{seconds}` seconds")]
    TooManyPlans { limit: u32, seconds: u64 },
    #[error("`{limit}` messages are waiting already; send it again when the turn has ended")]
    QueueFull { limit: usize },
    #[error(
        "nothing was done: the log-in was ended, or the right taken away, before its turn came"
    )]
    RightGone,
    #[error("nothing was decided: the audit does not verify")]
    AuditChanged,
    #[error("nothing was decided: {0}")]
    Unavailable(String),
}

impl From<StoreError> for SubmitError {
    fn from(error: StoreError) -> Self {
        if is_audit_changed(&error) {
            return Self::AuditChanged;
        }
        Self::Unavailable(error.to_string())
    }
}

/// Somebody else changed what is on record: it is no passing failure.
pub const fn is_audit_changed(error: &StoreError) -> bool {
    matches!(error, StoreError::Tampered { .. } | StoreError::Corrupt { .. })
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum DecideError {
    #[error("no such approval")]
    NotFound,
    #[error("this approval needs somebody else")]
    NotAllowed,
    /// Four eyes: no role would help this person.
    #[error("this approval needs somebody who neither asked for it nor changed a value of it")]
    NotAnother,
    /// Values of its plan were changed in its requester's place: no role would help anybody else.
    #[error("this approval needs whoever asked for it")]
    NotRequester,
    /// It never ran for this person and this question, or does no more.
    #[error("the delegation does not stand: it is over, or not for this person or this question")]
    DelegationOver,
    #[error(
        "nothing was decided: the log-in was ended, or the right taken away, before its turn came"
    )]
    RightGone,
    #[error("this approval is already `{state}`")]
    AlreadyDecided { state: String },
    #[error(
        "this was approved by you already, or by somebody in the same right: `{}` of `{}` have, and \
         another person has to",
        tally.given,
        tally.approvers
    )]
    AlreadySaid { tally: Tally },
    #[error("this approval has expired; ask for the action again")]
    Expired,
    /// Somebody else's is not theirs to take back, and whoever asked for a plan cancels its run.
    #[error("there is no yes of yours to take back here")]
    NoYesOfYours,
    /// The run has ended, a yes to it was taken back before, or the question is closed.
    #[error("there is nothing to take back any more: it is `{state}`")]
    NothingToRevoke { state: String },
    /// The question stays as it is.
    #[error("work here is halted: approve it when it was resumed")]
    Halted,
    #[error("the digest is not the one that was asked for; read the preview of `{digest}` first")]
    Stale { digest: BlueprintDigest },
    #[error(transparent)]
    Edit(#[from] EditRefused),
    #[error("`{limit}` plans of one person were drawn this hour; try again in `{seconds}` seconds")]
    TooManyPlans { limit: u32, seconds: u64 },
    #[error("nothing was decided: the audit does not verify")]
    AuditChanged,
    #[error("nothing was decided: {0}")]
    Unavailable(String),
}

/// Why a hold was not cleared.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ClearError {
    #[error("no such session")]
    NotFound,
    #[error("clearing a hold needs an approver, the project's owner or an administrator")]
    NotAllowed,
    /// Two pairs of eyes.
    #[error("the hold is of your own conversation: somebody else with the role clears it")]
    Own,
    /// It never was, or somebody was faster.
    #[error("the session is not on hold")]
    NotHeld,
    #[error("the session's risk has changed since it was looked at")]
    Changed { current: StandingSeq },
    #[error("nothing was done: the log-in was ended, or the right taken away")]
    RightGone,
    #[error("nothing was decided: the audit does not verify")]
    AuditChanged,
    #[error("nothing was decided: {0}")]
    Unavailable(String),
}

impl From<StoreError> for ClearError {
    fn from(error: StoreError) -> Self {
        if is_audit_changed(&error) {
            return Self::AuditChanged;
        }
        Self::Unavailable(error.to_string())
    }
}
