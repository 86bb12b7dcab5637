//! Wire forms of overrides of a project's policy.

use super::{
    override_mark::{OverrideEndName, OverrideScopeName},
    policy::ChangeView,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use wiiiv_domain::{ProjectPolicy, TaskType};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OverrideState {
    /// It waits for its second yes.
    Waiting,
    /// It had no second yes in time, or the policy changed before.
    Lapsed,
    /// It is in force.
    Running,
    Ended,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProposeOverride {
    /// The policy while it lasts, whole. `dacsStage` stays as it is.
    #[schema(value_type = Object)]
    pub policy: ProjectPolicy,
    pub scope: OverrideScopeName,
    /// Of the scope `type`, and of no other.
    #[schema(value_type = Option<String>)]
    pub task_type: Option<TaskType>,
    /// How long it lasts from its second yes on: 60 to 259,200.
    pub ttl_seconds: u32,
    /// 1 to 2,000 characters; kept with the version.
    pub reason: String,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OverrideReason {
    /// 1 to 2,000 characters.
    pub reason: String,
}

/// Nothing: the proposal has its reason.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ApproveOverride {}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct OverrideQuery {
    /// Those alone that wait or run.
    #[serde(default)]
    pub open: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OverrideList {
    /// The newest first, at most 50.
    pub items: Vec<OverrideView>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OverrideView {
    pub id: Uuid,
    pub state: OverrideState,
    pub scope: OverrideScopeName,
    /// Of the scope `type`.
    pub task_type: Option<String>,
    pub ttl_seconds: u32,
    /// A person's own words.
    pub reason: String,
    /// The policy version that it is made on.
    pub on: Uuid,
    #[schema(value_type = Object)]
    pub policy: ProjectPolicy,
    /// What it makes another than in that version.
    pub changes: Vec<ChangeView>,
    pub proposed_by: Uuid,
    pub proposed_by_name: Option<String>,
    pub proposed_at: String,
    /// Without a second yes by then it is none.
    pub expires_at: String,
    /// `null`: nobody has said the second yes.
    pub approved_by: Option<Uuid>,
    pub approved_by_name: Option<String>,
    pub approved_at: Option<String>,
    /// The policy version that it is.
    pub version: Option<Uuid>,
    /// From here on nothing is allowed by it.
    pub until: Option<String>,
    /// Of one that runs: until then.
    pub seconds_left: Option<u64>,
    /// The run that took one of the scope `request`.
    pub used_by: Option<Uuid>,
    pub ended: Option<OverrideEndName>,
    pub ended_by: Option<Uuid>,
    pub ended_by_name: Option<String>,
    /// A person's own words.
    pub ended_reason: Option<String>,
    pub ended_at: Option<String>,
}
