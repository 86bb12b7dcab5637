//! Overrides of a project's policy: proposed by one person, approved by another, ended by time or by a
//! person. What one would have changed is asked by `POST .../policy/impact` with its policy.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::{
        override_mark::OverrideScopeName,
        policy_override::{
            ApproveOverride, OverrideList, OverrideQuery, OverrideReason, OverrideState,
            OverrideView, ProposeOverride,
        },
        text::prose,
    },
    limits::REASON_CHARS_MAX,
    problem::Problem,
    request::{
        address::{IdPath, PairPath},
        etag::if_match,
        payload::Payload,
        query::Params,
    },
    view::overrides::{override_view, override_views},
};
use axum::{
    Json,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use wiiiv_domain::{
    OVERRIDE_SECONDS_MAX, OVERRIDE_SECONDS_MIN, OverrideId, OverrideScope, ProjectId, TaskType,
};
use wiiiv_governor::ProposedOverride;

/// The newest first.
#[utoipa::path(get, path = "/projects/{id}/overrides", tag = "policy",
    params(("id" = Uuid, Path), OverrideQuery), responses(
    (status = 200, body = OverrideList),
))]
pub(crate) async fn list_overrides(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    Params(OverrideQuery { open }): Params<OverrideQuery>,
) -> Result<Json<OverrideList>, Problem> {
    caller.enter(id, rules::LIST_OVERRIDES).await?;
    let rows = caller.state.governor().overrides().list(id).await?;
    let mut items = override_views(&caller, id, rows).await?;
    if open {
        let is_open = |state| matches!(state, OverrideState::Waiting | OverrideState::Running);
        items.retain(|item| is_open(item.state));
    }
    Ok(Json(OverrideList { items }))
}

/// Proposes one over the policy version in `If-Match`, which is the first yes to it. Nothing is in force by
/// that.
#[utoipa::path(post, path = "/projects/{id}/overrides", tag = "policy",
    params(("id" = Uuid, Path), ("If-Match" = String, Header)), request_body = ProposeOverride,
    responses(
    (status = 201, body = OverrideView),
))]
pub(crate) async fn propose_override(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    headers: HeaderMap,
    payload: Payload<ProposeOverride>,
) -> Result<Response, Problem> {
    let who = caller.enter(id, rules::PROPOSE_OVERRIDE).await?;
    let expected = if_match(&headers)?;
    let ProposeOverride { policy, scope, task_type, ttl_seconds, reason } = payload.read()?;
    let reason = prose("reason", &reason, REASON_CHARS_MAX, true)?;
    let scope = scope_of(scope, task_type)?;
    if !(OVERRIDE_SECONDS_MIN..=OVERRIDE_SECONDS_MAX).contains(&ttl_seconds) {
        let bounds = format!("`{OVERRIDE_SECONDS_MIN}` to `{OVERRIDE_SECONDS_MAX}` seconds");
        return Err(Problem::field("ttl_seconds", bounds));
    }
    let new = ProposedOverride { policy, scope, ttl_seconds, reason };
    let row = caller.state.governor().overrides().propose(&who, id, expected, new).await?;
    let view = override_view(&caller, id, row).await?;
    Ok((StatusCode::CREATED, Json(view)).into_response())
}

fn scope_of(
    scope: OverrideScopeName,
    task_type: Option<TaskType>,
) -> Result<OverrideScope, Problem> {
    match (scope, task_type) {
        (OverrideScopeName::Request, None) => Ok(OverrideScope::Request),
        (OverrideScopeName::Window, None) => Ok(OverrideScope::Window),
        (OverrideScopeName::Type, Some(task_type)) => Ok(OverrideScope::Type { task_type }),
        (OverrideScopeName::Type, None) => Err(Problem::field("task_type", "missing")),
        (OverrideScopeName::Request | OverrideScopeName::Window, Some(_)) => {
            Err(Problem::field("task_type", "goes with `type` alone"))
        }
    }
}

/// The second yes, of another person: it is in force from here on, for its time.
#[utoipa::path(post, path = "/projects/{id}/overrides/{override}/approve", tag = "policy",
    params(("id" = Uuid, Path), ("override" = Uuid, Path)), request_body = ApproveOverride,
    responses(
    (status = 200, body = OverrideView),
))]
pub(crate) async fn approve_override(
    caller: Caller,
    PairPath(id, of): PairPath<ProjectId, OverrideId>,
    payload: Payload<ApproveOverride>,
) -> Result<Json<OverrideView>, Problem> {
    let who = caller.enter(id, rules::APPROVE_OVERRIDE).await?;
    let ApproveOverride {} = payload.read()?;
    let row = caller.state.governor().overrides().approve(&who, id, of).await?;
    Ok(Json(override_view(&caller, id, row).await?))
}

/// Ends one that runs: the policy before it is in force again. Or takes back one that waits.
#[utoipa::path(post, path = "/projects/{id}/overrides/{override}/end", tag = "policy",
    params(("id" = Uuid, Path), ("override" = Uuid, Path)), request_body = OverrideReason,
    responses(
    (status = 200, body = OverrideView),
))]
pub(crate) async fn end_override(
    caller: Caller,
    PairPath(id, of): PairPath<ProjectId, OverrideId>,
    payload: Payload<OverrideReason>,
) -> Result<Json<OverrideView>, Problem> {
    let who = caller.enter(id, rules::END_OVERRIDE).await?;
    let reason = prose("reason", &payload.read()?.reason, REASON_CHARS_MAX, true)?;
    let row = caller.state.governor().overrides().end(&who, id, of, reason).await?;
    Ok(Json(override_view(&caller, id, row).await?))
}
