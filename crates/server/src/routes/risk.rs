//! The risk of conversations: who may looks at it, and clears a hold.

use crate::{
    access::{
        authorization::{self as rules, Rule},
        caller::Caller,
    },
    dto::{
        risk::{ClearReason, HoldList, RiskView},
        text::label,
    },
    problem::{Problem, ProblemCode},
    request::{
        address::IdPath,
        etag::{etag, if_match_where_given},
        payload::Payload,
    },
    view::risk::{risk_of, risk_view, risk_views},
};
use axum::{
    Json,
    http::HeaderMap,
    response::{IntoResponse as _, Response},
};
use wiiiv_domain::{RISK_REASON_CHARS_MAX, SessionId};
use wiiiv_gate::{Principal, StandingSeq};

/// Conversations on hold that are the caller's own, or in projects that the caller owns or approves for; for
/// an administrator all. At most 100.
#[utoipa::path(get, path = "/holds", tag = "risk", responses((status = 200, body = HoldList)))]
pub(crate) async fn list_holds(caller: Caller) -> Result<Json<HoldList>, Problem> {
    let administrates = caller.account.rights().admin;
    let holds = caller.state.governor().risks().holds(caller.user(), administrates).await?;
    Ok(Json(HoldList { items: risk_views(&caller, holds).await? }))
}

/// What raised a conversation's risk, and whether it is on hold.
#[utoipa::path(get, path = "/sessions/{id}/risk", tag = "risk", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = RiskView),
))]
pub(crate) async fn get_session_risk(
    caller: Caller,
    IdPath(id): IdPath<SessionId>,
) -> Result<Response, Problem> {
    seen(&caller, id, rules::GET_SESSION_RISK).await?;
    let view = risk_of(&caller, id).await?;
    Ok((etag(view.version.clone()), Json(view)).into_response())
}

/// Clears a hold: what is asked for from now on is judged anew. Not by who began the conversation. With
/// `If-Match`, refused where its risk has changed since.
#[utoipa::path(post, path = "/sessions/{id}/risk/clear", tag = "risk",
    params(("id" = Uuid, Path), ("If-Match" = Option<String>, Header)),
    request_body = ClearReason, responses(
    (status = 200, body = RiskView),
))]
pub(crate) async fn clear_session_risk(
    caller: Caller,
    IdPath(id): IdPath<SessionId>,
    headers: HeaderMap,
    payload: Payload<ClearReason>,
) -> Result<Json<RiskView>, Problem> {
    let who = seen(&caller, id, rules::CLEAR_SESSION_RISK).await?;
    let reason = label("reason", &payload.read()?.reason, RISK_REASON_CHARS_MAX)?;
    let version = if_match_where_given::<u64>(&headers)?.map(StandingSeq::new);
    let cleared = caller.state.governor().risks().clear(&who, id, &reason, version).await?;
    risk_view(&caller, cleared).await.map(Json)
}

/// To whoever may not look at it, it is not there.
async fn seen(caller: &Caller, id: SessionId, rule: &Rule) -> Result<Principal, Problem> {
    let row = caller.state.store().conversation(id).await?.filter(|row| !row.removed);
    let row = row.ok_or(ProblemCode::NotFound)?;
    caller.judge((row.project, row.owner), rule).await
}
