//! Wire forms of questions for approval.

use super::{
    blueprint::effect_name, forecast::Forecast, localized::LocalizedText, mirror::mirror,
    session::LanguageName,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use wiiiv_domain::{ApprovalBy, UserId};
use wiiiv_governor::Decided;
use wiiiv_store::{ApprovalRow, ApprovalState, BlueprintRow};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StateName {
    Pending,
    Approved,
    Rejected,
    Expired,
    Withdrawn,
    /// By one execution.
    Consumed,
}

mirror!(StateName <=> ApprovalState: Pending, Approved, Rejected, Expired, Withdrawn, Consumed);

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
    /// The words that asked for it and what it does, such as `Save the list to a.csv · write`; where
    /// those words are gone, the plan in one line.
    pub title: LocalizedText,
    pub task_type: String,
    /// The greatest of its steps: `READ`, `WRITE`, `DELETE` or `EXECUTE`.
    pub effect: &'static str,
    pub requester: Uuid,
    pub requester_name: String,
    /// `requester`: who asked may answer; `another_person`: somebody else has to.
    #[schema(value_type = String)]
    pub by: ApprovalBy,
    pub state: StateName,
    pub asked_at: String,
    pub expires_at: String,
    pub decided_by: Option<Uuid>,
    pub decided_by_name: Option<String>,
    pub decided_at: Option<String>,
    /// The one execution that it was used for.
    pub execution: Option<Uuid>,
}

impl ApprovalView {
    /// `name`: what a person is called.
    pub(crate) fn of(
        row: &ApprovalRow,
        plan: &BlueprintRow,
        (title, project_name): (LocalizedText, String),
        name: &dyn Fn(UserId) -> Option<String>,
    ) -> Self {
        let request = &row.request;
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
            state: row.state.into(),
            asked_at: row.asked_at.to_string(),
            expires_at: request.expires_at.to_string(),
            decided_by: row.decided_by.map(|user| user.uuid()),
            decided_by_name: row.decided_by.and_then(name),
            decided_at: row.decided_at.map(|at| at.to_string()),
            execution: row.consumed_by.map(|execution| execution.uuid()),
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
    /// What whoever decided gave as a reason.
    pub reason: Option<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Approve {
    /// Of the preview that was read: 64 hexadecimal digits.
    pub digest: String,
    /// As of a message, where the conversation's owner decides.
    #[serde(default)]
    pub language: Option<LanguageName>,
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
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DecidedView {
    pub approval: Uuid,
    /// `approved` or `rejected`.
    pub state: &'static str,
    /// The turn that follows, in the session that asked.
    pub turn: Uuid,
}

impl From<Decided> for DecidedView {
    fn from(decided: Decided) -> Self {
        Self { approval: decided.approval.uuid(), state: decided.state, turn: decided.turn.uuid() }
    }
}
