//! Questions put before people.

use super::{blueprint::effect_name, forecast::Forecast, localized::LocalizedText};
use crate::page::PageQuery;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use wiiiv_domain::{ApprovalBy, Blueprint};
use wiiiv_governor::Decided;
use wiiiv_hlx::headline;
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

impl From<StateName> for ApprovalState {
    fn from(name: StateName) -> Self {
        match name {
            StateName::Pending => Self::Pending,
            StateName::Approved => Self::Approved,
            StateName::Rejected => Self::Rejected,
            StateName::Expired => Self::Expired,
            StateName::Withdrawn => Self::Withdrawn,
            StateName::Consumed => Self::Consumed,
        }
    }
}

impl From<ApprovalState> for StateName {
    fn from(state: ApprovalState) -> Self {
        match state {
            ApprovalState::Pending => Self::Pending,
            ApprovalState::Approved => Self::Approved,
            ApprovalState::Rejected => Self::Rejected,
            ApprovalState::Expired => Self::Expired,
            ApprovalState::Withdrawn => Self::Withdrawn,
            ApprovalState::Consumed => Self::Consumed,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RequesterName {
    Me,
    Others,
}

#[derive(Debug, Deserialize, IntoParams)]
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

impl ApprovalsQuery {
    pub(crate) fn page(&self) -> PageQuery {
        PageQuery { limit: self.limit, cursor: self.cursor.clone() }
    }
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
    /// The plan in one line, from its own data: its one step, or what its steps come to.
    pub title: LocalizedText,
    pub task_type: String,
    /// The greatest of its steps: `READ`, `WRITE`, `DELETE` or `EXECUTE`.
    pub effect: &'static str,
    pub requester: Uuid,
    pub requester_name: String,
    /// `requester`: who asked may answer; `another_person`: somebody else has to.
    pub by: &'static str,
    pub state: StateName,
    pub asked_at: String,
    pub expires_at: String,
    pub decided_by: Option<Uuid>,
    pub decided_at: Option<String>,
    /// The one execution that it was used for.
    pub execution: Option<Uuid>,
}

/// What an approval's row does not hold itself.
pub(crate) struct Asked<'a> {
    pub requester_name: String,
    pub project_name: String,
    pub plan: BlueprintRow,
    /// `None` where its texts have gone with retention.
    pub text: Option<&'a Blueprint>,
}

impl ApprovalView {
    pub(crate) fn of(row: &ApprovalRow, asked: Asked<'_>) -> Self {
        let request = &row.request;
        let Asked { requester_name, project_name, plan, text } = asked;
        let untold = || LocalizedText::same(&plan.task_type.to_string());
        Self {
            id: request.id.uuid(),
            project: request.project.uuid(),
            project_name,
            session: row.session.uuid(),
            blueprint: request.blueprint.uuid(),
            digest: request.digest.to_string(),
            title: text.map_or_else(untold, |plan| headline(plan).into()),
            task_type: plan.task_type.to_string(),
            effect: effect_name(plan.effect),
            requester: request.requester.uuid(),
            requester_name,
            by: match request.by {
                ApprovalBy::Requester => "requester",
                ApprovalBy::AnotherPerson => "another_person",
            },
            state: row.state.into(),
            asked_at: row.asked_at.to_string(),
            expires_at: request.expires_at.to_string(),
            decided_by: row.decided_by.map(|user| user.uuid()),
            decided_at: row.decided_at.map(|at| at.to_string()),
            execution: row.consumed_by.map(|execution| execution.uuid()),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ApprovalDetail {
    #[serde(flatten)]
    pub approval: ApprovalView,
    /// Rendered from the plan's canonical bytes and from what its files hold now; deceptive
    /// characters are made visible.
    #[schema(value_type = Object)]
    pub preview: Value,
    pub forecast: Forecast,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Approve {
    /// Of the preview that was read: 64 hexadecimal digits.
    pub digest: String,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reject {
    /// Of the preview that was read: 64 hexadecimal digits.
    pub digest: String,
    #[serde(default)]
    pub reason: String,
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
