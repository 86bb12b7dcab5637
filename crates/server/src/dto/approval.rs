//! Wire forms of questions for approval.

use super::{
    blueprint::effect_name,
    edit::{EditView, ValueView},
    forecast::Forecast,
    grant::OfferView,
    localized::LocalizedText,
    mirror::mirror,
    session::LanguageName,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use wiiiv_domain::{ApprovalBy, EscalateTo, Tally, UserId};
use wiiiv_governor::Decided;
use wiiiv_store::{ApprovalRow, ApprovalState, BlueprintRow, QuorumYes, Revocation};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StateName {
    Pending,
    Approved,
    Rejected,
    Expired,
    Withdrawn,
    /// Values of its plan were changed in place of an answer.
    Edited,
    /// By one execution.
    Consumed,
}

mirror!(StateName <=> ApprovalState: Pending, Approved, Rejected, Expired, Withdrawn, Edited, Consumed);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RequesterName {
    Me,
    Others,
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ApprovalsQuery {
    pub state: Option<StateName>,
    pub project: Option<Uuid>,
    /// Asked by the caller, or by anybody else.
    #[param(inline)]
    pub requester: Option<RequesterName>,
    /// Rows, 1 to 100; 50 by default.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<u32>,
    /// `next_cursor` of the page before.
    pub cursor: Option<String>,
}

/// What waits for the caller.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct WaitingView {
    /// At most 100 are counted.
    pub count: usize,
    /// Newest first.
    pub approvals: Vec<Uuid>,
    /// Those of them that nobody has answered for a while.
    pub escalated: Vec<Uuid>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ApprovalView {
    pub id: Uuid,
    pub project: Uuid,
    pub project_name: String,
    /// The conversation that it was asked in.
    pub session: Uuid,
    pub blueprint: Uuid,
    /// What a decision binds to.
    pub digest: String,
    /// The words that asked for it and what it does, such as `Save the list to a.csv · write`, and between
    /// them how often it was tried again; where those words are gone, the plan in one line.
    pub title: LocalizedText,
    pub task_type: String,
    /// The greatest of its steps: `READ`, `WRITE`, `DELETE` or `EXECUTE`.
    pub effect: &'static str,
    pub requester: Uuid,
    pub requester_name: String,
    /// `requester`: who asked may answer; `another_person`: somebody else has to.
    #[schema(value_type = String)]
    pub by: ApprovalBy,
    /// How many different people have to approve it.
    pub approvers: u8,
    /// Who wrote values of the plan in place of an answer to an earlier one: they do not approve it.
    pub editors: Vec<Uuid>,
    /// How many of them have.
    pub given: u8,
    /// Who has approved it so far, oldest first.
    pub approved_by: Vec<YesView>,
    pub state: StateName,
    pub asked_at: String,
    pub expires_at: String,
    /// When it is shown to more people if nobody has answered it; `null` for never.
    pub escalates_at: Option<String>,
    /// When that was done.
    pub escalated_at: Option<String>,
    /// `owners`, `administrators` or `owners_and_administrators`.
    #[schema(value_type = Option<String>)]
    pub escalates_to: Option<EscalateTo>,
    pub decided_by: Option<Uuid>,
    pub decided_by_name: Option<String>,
    pub decided_at: Option<String>,
    /// Whose right that person used, where it is another person's.
    pub on_behalf_of: Option<Uuid>,
    pub on_behalf_of_name: Option<String>,
    /// The one execution that it was used for.
    pub execution: Option<Uuid>,
    /// A yes to it was taken back while that execution went on.
    pub revoked: Option<RevokedView>,
    /// Where a yes to it stands no more, as it was taken back, a no came behind it or the request ended: everything that
    /// was answered, oldest first. Empty elsewhere.
    pub overturned: Vec<AnswerView>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AnswerName {
    Approved,
    Rejected,
    /// Whoever had approved it took that back.
    Revoked,
}

/// One person's answer.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AnswerView {
    pub answer: AnswerName,
    pub by: Uuid,
    pub by_name: Option<String>,
    /// Whose right that person used, where it is another person's.
    pub on_behalf_of_name: Option<String>,
    pub at: String,
}

/// Who took back a yes that an execution had begun by, while it went on.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RevokedView {
    pub by: Uuid,
    pub by_name: Option<String>,
    pub at: String,
}

impl RevokedView {
    pub(crate) fn of(
        revoked: Option<Revocation>,
        name: &dyn Fn(UserId) -> Option<String>,
    ) -> Option<Self> {
        let Revocation { by, at } = revoked?;
        Some(Self { by: by.uuid(), by_name: name(by), at: at.to_string() })
    }
}

/// One person's yes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct YesView {
    pub user: Uuid,
    pub name: Option<String>,
    pub at: String,
    /// That person still has the right to approve; where a run has used the approval, the ruling that began it
    /// counted this yes.
    pub counts: bool,
    /// Whose right that person used, where it is another person's.
    pub on_behalf_of: Option<Uuid>,
    pub on_behalf_of_name: Option<String>,
}

impl ApprovalView {
    /// `name`: what a person is called. `yeses`: everybody's, the oldest first; `overturned`: as they are shown.
    pub(crate) fn of(
        row: &ApprovalRow,
        (yeses, overturned): (&[QuorumYes], Vec<AnswerView>),
        plan: &BlueprintRow,
        (title, project_name): (LocalizedText, String),
        name: &dyn Fn(UserId) -> Option<String>,
    ) -> Self {
        let request = &row.request;
        // More than are needed, where a yes counts again that did not for a while.
        let given = match row.state {
            ApprovalState::Approved | ApprovalState::Consumed => request.approvers,
            ApprovalState::Pending
            | ApprovalState::Rejected
            | ApprovalState::Expired
            | ApprovalState::Withdrawn
            | ApprovalState::Edited => QuorumYes::counted(yeses).min(request.approvers),
        };
        Self {
            id: request.id.uuid(),
            project: request.project.uuid(),
            project_name,
            session: row.session.uuid(),
            blueprint: request.blueprint.uuid(),
            digest: request.digest.to_string(),
            title,
            task_type: plan.task_type.to_string(),
            effect: effect_name(plan.effect),
            requester: request.requester.uuid(),
            requester_name: name(request.requester).unwrap_or_default(),
            by: request.by,
            approvers: request.approvers,
            editors: request.editors.iter().map(|user| user.uuid()).collect(),
            given,
            approved_by: yeses.iter().map(|yes| YesView::of(yes, name)).collect(),
            state: row.state.into(),
            asked_at: row.asked_at.to_string(),
            expires_at: request.expires_at.to_string(),
            escalates_at: row.escalation.map(|of| of.due.at.to_string()),
            escalated_at: row.escalation.and_then(|of| of.done_at).map(|at| at.to_string()),
            escalates_to: row.escalation.map(|of| of.due.to),
            decided_by: row.decided_by.map(|user| user.uuid()),
            decided_by_name: row.decided_by.and_then(name),
            decided_at: row.decided_at.map(|at| at.to_string()),
            on_behalf_of: row.on_behalf_of.map(|lent| lent.delegator.uuid()),
            on_behalf_of_name: row.on_behalf_of.and_then(|lent| name(lent.delegator)),
            execution: row.consumed_by.map(|execution| execution.uuid()),
            revoked: RevokedView::of(row.revoked, name),
            overturned,
        }
    }
}

impl YesView {
    pub(crate) fn of(yes: &QuorumYes, name: &dyn Fn(UserId) -> Option<String>) -> Self {
        let delegator = yes.on_behalf_of.map(|lent| lent.delegator);
        Self {
            user: yes.approver.uuid(),
            name: name(yes.approver),
            at: yes.at.to_string(),
            counts: yes.counts,
            on_behalf_of: delegator.map(|user| user.uuid()),
            on_behalf_of_name: delegator.and_then(name),
        }
    }
}

/// Where a preview comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PreviewState {
    /// Drawn now: the question is open.
    Current,
    /// As it was shown when the question was asked.
    Recorded,
    /// Only its words are recorded: an older build asked.
    Words,
    /// Nothing of it is kept any more.
    Gone,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ApprovalDetail {
    #[serde(flatten)]
    pub approval: ApprovalView,
    /// Rendered from the plan's canonical bytes; deceptive characters are made visible. Of a question
    /// that is open, with what its files hold now; of one that is over, as it was shown.
    #[schema(value_type = Option<Object>)]
    pub preview: Option<Value>,
    pub preview_state: PreviewState,
    /// With `words` alone.
    pub preview_words: Option<String>,
    /// `null` where the texts of the plan have gone.
    pub forecast: Option<Forecast>,
    /// A yes of the caller would be taken.
    pub may_approve: bool,
    /// Whom the caller would say yes for; `null` where for themselves, or where `said_yes`.
    pub answers_for: Option<AnswersFor>,
    /// The caller has said yes, or somebody has in the same right, and others have to, too. Not where a further
    /// yes of the caller would complete it.
    pub said_yes: bool,
    /// The caller has said a yes that can be taken back: others have to join it, its execution goes on, or nothing
    /// has used it.
    pub may_revoke: bool,
    /// An edit of the caller would be taken.
    pub may_edit: bool,
    /// What an edit can change; empty unless the caller may edit it.
    pub values: Vec<ValueView>,
    /// What was changed in plans of this task in place of an answer, the oldest first.
    pub edits: Vec<EditView>,
    /// What whoever decided gave as a reason, or whoever took back their yes behind it.
    pub reason: Option<String>,
    /// What of it the caller can approve beforehand; `null` where nobody approved it, or where the caller
    /// could not approve such a plan.
    pub grantable: Option<OfferView>,
}

/// Somebody whose right to approve was lent to the caller.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AnswersFor {
    pub delegation: Uuid,
    pub delegator: Uuid,
    pub delegator_name: Option<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Approve {
    /// Of the preview that was read: 64 hexadecimal digits.
    pub digest: String,
    /// As of a message, where the conversation's owner decides.
    #[serde(default)]
    pub language: Option<LanguageName>,
    /// The delegation whose right is used; left out, the caller's own or, where there is none, one that runs.
    #[serde(default)]
    pub delegation: Option<Uuid>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reject {
    /// Of the preview that was read: 64 hexadecimal digits.
    pub digest: String,
    #[serde(default)]
    pub reason: String,
    /// As of a message, where the conversation's owner decides.
    #[serde(default)]
    pub language: Option<LanguageName>,
    /// As with a yes.
    #[serde(default)]
    pub delegation: Option<Uuid>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RevokeApproval {
    /// 1 to 2,000 characters: kept with the conversation and shown in it.
    pub reason: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DecidedView {
    pub approval: Uuid,
    /// `approved`, `rejected`, `edited`, or `pending` where others have to approve it too; `consumed` where a yes was
    /// taken back while its execution went on.
    pub state: &'static str,
    /// How many people have approved it, and how many have to; 1 of 1 nearly always.
    pub given: u8,
    pub approvers: u8,
    /// Whose right was used, where it is another person's.
    pub on_behalf_of: Option<Uuid>,
    /// The turn that follows, in the session that asked; where none does, the decision's or the event's own.
    pub turn: Uuid,
    /// The turn that was in progress in that session, which goes on: what follows, follows there. A yes is on
    /// record and counts there, unless that turn changes or ends the request. Where that turn is cancelled at
    /// another task, what was approved or edited waits for the requester's next message. `null` where none was.
    pub waits_for: Option<Uuid>,
}

impl From<Decided> for DecidedView {
    fn from(decided: Decided) -> Self {
        let alone = Tally { given: u8::from(decided.state == "approved"), approvers: 1 };
        let Tally { given, approvers } = decided.tally.unwrap_or(alone);
        let (approval, turn) = (decided.approval.uuid(), decided.turn.uuid());
        let on_behalf_of = decided.on_behalf_of.map(|lent| lent.delegator.uuid());
        let waits_for = decided.beside.map(|turn| turn.uuid());
        Self { approval, state: decided.state, given, approvers, on_behalf_of, turn, waits_for }
    }
}
