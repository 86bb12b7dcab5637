//! The inbox: what waits for a person, and that person's answer to exactly one digest.

use crate::{
    address::IdPath,
    authorization::{APPROVE, GET_APPROVAL, REJECT, Rule},
    caller::Caller,
    dto::{
        approval::{ApprovalDetail, ApprovalView, ApprovalsQuery, Approve, DecidedView, Reject},
        forecast::Forecast,
        problem::ProblemBody,
        text::prose,
    },
    inbox::{inbox, views},
    limits::REASON_CHARS_MAX,
    page::Page,
    payload::Payload,
    problem::{Problem, ProblemCode},
    query::Params,
    state::AppState,
};
use axum::{
    Json,
    extract::{OriginalUri, State},
    response::Response,
};
use wiiiv_domain::{ApprovalId, BlueprintDigest};
use wiiiv_gate::Principal;
use wiiiv_governor::Decision;
use wiiiv_store::ApprovalRow;

/// The caller's own questions, and those of projects that the caller owns or approves for; newest
/// first.
#[utoipa::path(get, path = "/approvals", tag = "approvals", params(ApprovalsQuery), responses(
    (status = 200, body = Page<ApprovalView>),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn list_approvals(
    State(state): State<AppState>,
    caller: Caller,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<ApprovalsQuery>,
) -> Result<Response, Problem> {
    let page = query.page();
    let rows = inbox(&state, &caller, &query, page.page()?).await?;
    let seen = views(&state, rows).await?;
    let cursor = |(row, _): &(ApprovalRow, _)| row.request.id.to_string();
    Ok(Page::of(seen, page.limit()?, cursor, |(_, view)| view).answer(&uri))
}

async fn seen(
    state: &AppState,
    caller: &Caller,
    id: ApprovalId,
    rule: &Rule,
) -> Result<(ApprovalRow, Principal), Problem> {
    let row = state.store().approval(id).await?.ok_or(ProblemCode::NotFound)?;
    let who = caller.judge((row.request.project, row.request.requester), rule).await?;
    Ok((row, who))
}

/// The question with its preview.
#[utoipa::path(get, path = "/approvals/{id}", tag = "approvals", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = ApprovalDetail),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn get_approval(
    State(state): State<AppState>,
    caller: Caller,
    IdPath(id): IdPath<ApprovalId>,
) -> Result<Json<ApprovalDetail>, Problem> {
    let (row, _) = seen(&state, &caller, id, GET_APPROVAL).await?;
    let preview = state.governor().preview(row.request.blueprint).await?;
    let preview = serde_json::to_value(preview).map_err(|_| ProblemCode::Internal)?;
    let outlook = state.governor().forecast(row.request.blueprint).await?;
    let forecast = Forecast::of(&outlook, row.state);
    let mut seen = views(&state, vec![row]).await?;
    let (_, approval) = seen.pop().ok_or(ProblemCode::Internal)?;
    Ok(Json(ApprovalDetail { approval, preview, forecast }))
}

/// A yes to this digest, which counts once.
#[utoipa::path(post, path = "/approvals/{id}/approve", tag = "approvals",
    params(("id" = Uuid, Path)), request_body = Approve, responses(
    (status = 200, body = DecidedView),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn approve(
    State(state): State<AppState>,
    caller: Caller,
    IdPath(id): IdPath<ApprovalId>,
    payload: Payload<Approve>,
) -> Result<Json<DecidedView>, Problem> {
    let (_, who) = seen(&state, &caller, id, APPROVE).await?;
    let digest = digest_of(&payload.read()?.digest)?;
    let decided = state.governor().decide(&who, id, Decision::Approve { digest }).await?;
    Ok(Json(DecidedView::from(decided)))
}

/// A no to this digest.
#[utoipa::path(post, path = "/approvals/{id}/reject", tag = "approvals",
    params(("id" = Uuid, Path)), request_body = Reject, responses(
    (status = 200, body = DecidedView),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn reject(
    State(state): State<AppState>,
    caller: Caller,
    IdPath(id): IdPath<ApprovalId>,
    payload: Payload<Reject>,
) -> Result<Json<DecidedView>, Problem> {
    let (_, who) = seen(&state, &caller, id, REJECT).await?;
    let Reject { digest, reason } = payload.read()?;
    let reason = prose("reason", &reason, REASON_CHARS_MAX, false)?;
    let decision = Decision::Reject { digest: digest_of(&digest)?, reason };
    let decided = state.governor().decide(&who, id, decision).await?;
    Ok(Json(DecidedView::from(decided)))
}

fn digest_of(text: &str) -> Result<BlueprintDigest, Problem> {
    text.parse().map_err(|_| Problem::field("digest", "expected 64 hexadecimal digits"))
}
