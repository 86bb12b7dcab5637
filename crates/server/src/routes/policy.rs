//! A project's policy: read, and written as a new version.

use crate::{
    address::IdPath,
    authorization::{GET_POLICY, LIST_POLICY_VERSIONS, PUT_POLICY},
    caller::Caller,
    dto::{
        policy::{PolicyView, PutPolicy},
        problem::ProblemBody,
        text::prose,
    },
    etag::{etag, if_match},
    limits::REASON_CHARS_MAX,
    page::{Page, PageQuery},
    payload::Payload,
    problem::Problem,
    query::Params,
    state::AppState,
};
use axum::{
    Json,
    extract::{OriginalUri, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use wiiiv_domain::ProjectId;

/// The current version; its id is the `ETag`.
#[utoipa::path(get, path = "/projects/{id}/policy", tag = "policy", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = PolicyView, headers(("ETag" = String))),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn get_policy(
    State(state): State<AppState>,
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<Response, Problem> {
    caller.enter(id, GET_POLICY).await?;
    let recorded = state.store().policy(id).await?;
    let view = PolicyView::from(recorded.body().document().clone());
    Ok((etag(view.id), Json(view)).into_response())
}

/// Writes a new version, if the one in `If-Match` is still the current one.
#[utoipa::path(put, path = "/projects/{id}/policy", tag = "policy",
    params(("id" = Uuid, Path), ("If-Match" = String, Header)), request_body = PutPolicy,
    responses(
    (status = 201, body = PolicyView, headers(("ETag" = String))),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn put_policy(
    State(state): State<AppState>,
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    headers: HeaderMap,
    payload: Payload<PutPolicy>,
) -> Result<Response, Problem> {
    let who = caller.enter(id, PUT_POLICY).await?;
    let expected = if_match(&headers)?;
    let PutPolicy { policy, reason } = payload.read()?;
    let reason = prose("reason", &reason, REASON_CHARS_MAX, true)?;
    let document = state.governor().set_policy(&who, id, expected, policy, reason).await?;
    let view = PolicyView::from(document);
    Ok((StatusCode::CREATED, etag(view.id), Json(view)).into_response())
}

/// Newest first.
#[utoipa::path(get, path = "/projects/{id}/policy/versions", tag = "policy",
    params(("id" = Uuid, Path), PageQuery), responses(
    (status = 200, body = Page<PolicyView>),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn list_policy_versions(
    State(state): State<AppState>,
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<PageQuery>,
) -> Result<Response, Problem> {
    caller.enter(id, LIST_POLICY_VERSIONS).await?;
    let rows = state.store().policy_versions(id, query.after()?).await?;
    let limit = query.limit()?;
    Ok(Page::of(rows, limit, |row| row.number.to_string(), PolicyView::from).answer(&uri))
}
