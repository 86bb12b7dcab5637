//! A project's rollout: where it stands, what enforcement decides otherwise, and the change of its stage.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::{
        policy::PolicyView,
        rollout::{
            CreateReview, DivergenceQuery, DivergenceView, JoinWaiver, ReviewOfDivergence,
            RolloutView, StageReason, WaiverView,
        },
        text::prose,
    },
    limits::REASON_CHARS_MAX,
    problem::Problem,
    request::{
        address::{IdPath, PairPath},
        etag::{etag, if_match},
        page::{Page, PageQuery},
        payload::Payload,
        query::Params,
    },
    view::rollout::{divergence_views, rollout_view, stage_of, waiver_view},
};
use axum::{
    Json,
    extract::OriginalUri,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use uuid::Uuid;
use wiiiv_domain::{PolicyDocument, ProjectId};
use wiiiv_store::Divergence;

/// Figures of the reviews, what speaks against a promotion, and the waiver that is open. The `ETag` is that
/// of the policy, and what `promote` and `demote` take.
#[utoipa::path(get, path = "/projects/{id}/rollout", tag = "rollout", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = RolloutView, headers(("ETag" = String))),
))]
pub(crate) async fn get_rollout(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<Response, Problem> {
    caller.enter(id, rules::GET_ROLLOUT).await?;
    let found = caller.state.governor().rollouts().show(id).await?;
    let view = rollout_view(&caller, found).await?;
    Ok((etag(view.policy), Json(view)).into_response())
}

/// Every request that enforcement decides otherwise, or did, newest first. The same one stands once.
#[utoipa::path(get, path = "/projects/{id}/divergences", tag = "rollout",
    params(("id" = Uuid, Path), DivergenceQuery), responses(
    (status = 200, body = Page<DivergenceView>),
))]
pub(crate) async fn list_divergences(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<DivergenceQuery>,
) -> Result<Response, Problem> {
    caller.enter(id, rules::LIST_DIVERGENCES).await?;
    let page = PageQuery { limit: query.limit, cursor: query.cursor.clone() };
    let (limit, rows, before) = (page.limit()?, page.rows()?, page.after::<u64>()?);
    let found = caller.state.governor().rollouts().divergences(id).await?.into_iter();
    let found = found
        .filter(|one| before.is_none_or(|before| one.first.seq < before))
        .filter(|one| is_wanted(&query, one));
    let found: Vec<_> = found.take(usize::try_from(rows).unwrap_or(usize::MAX)).collect();
    let views = divergence_views(&caller, id, found).await?;
    Ok(Page::of(views, limit, |view| view.record.to_string(), |view| view).answer(&uri))
}

fn is_wanted(query: &DivergenceQuery, one: &Divergence) -> bool {
    query.review.is_none_or(|wanted| wanted.fits(one.verdict()))
        && query.consensus.is_none_or(|wanted| one.first.consensus == wanted)
        && query.stage.is_none_or(|wanted| stage_of(one.first.bound) == wanted.into())
        && query.concern.as_deref().is_none_or(|wanted| one.concerns().contains(&wanted))
}

/// A verdict on a divergence, by its record. A later one counts instead; the earlier ones stay.
#[utoipa::path(post, path = "/projects/{id}/divergences/{record}/reviews", tag = "rollout",
    params(("id" = Uuid, Path), ("record" = u64, Path)), request_body = CreateReview, responses(
    (status = 201, body = ReviewOfDivergence),
))]
pub(crate) async fn review_divergence(
    caller: Caller,
    PairPath(id, record): PairPath<ProjectId, u64>,
    payload: Payload<CreateReview>,
) -> Result<Response, Problem> {
    let who = caller.enter(id, rules::REVIEW_DIVERGENCE).await?;
    let CreateReview { verdict, note } = payload.read()?;
    let note = prose("note", &note, REASON_CHARS_MAX, false)?;
    let said = (verdict.into(), note);
    let review = caller.state.governor().rollouts().review(&who, id, record, said).await?;
    let names = caller.state.names().of(caller.state.store(), [review.by]).await?;
    let name = names.get(&review.by).map(ToString::to_string);
    Ok((StatusCode::CREATED, Json(ReviewOfDivergence::of(review, name))).into_response())
}

/// The first of two approvers waives the bound and the open reviews. A live GHOST run is never waived.
#[utoipa::path(post, path = "/projects/{id}/waivers", tag = "rollout", params(("id" = Uuid, Path)),
    request_body = StageReason, responses(
    (status = 201, body = WaiverView),
))]
pub(crate) async fn ask_waiver(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    payload: Payload<StageReason>,
) -> Result<Response, Problem> {
    let who = caller.enter(id, rules::ASK_WAIVER).await?;
    let reason = reason(&payload)?;
    let waiver = caller.state.governor().rollouts().ask_waiver(&who, id, reason).await?;
    Ok((StatusCode::CREATED, Json(waiver_view(&caller, waiver).await?)).into_response())
}

/// The second approver, another person. One promotion uses it, until it expires.
#[utoipa::path(post, path = "/projects/{id}/waivers/{waiver}/join", tag = "rollout",
    params(("id" = Uuid, Path), ("waiver" = Uuid, Path)), request_body = JoinWaiver, responses(
    (status = 200, body = WaiverView),
))]
pub(crate) async fn join_waiver(
    caller: Caller,
    PairPath(id, waiver): PairPath<ProjectId, Uuid>,
    payload: Payload<JoinWaiver>,
) -> Result<Json<WaiverView>, Problem> {
    let who = caller.enter(id, rules::JOIN_WAIVER).await?;
    let JoinWaiver {} = payload.read()?;
    let waiver = caller.state.governor().rollouts().join_waiver(&who, id, waiver).await?;
    Ok(Json(waiver_view(&caller, waiver).await?))
}

/// The review binds everything from here on. Refused with `reasons` as long as something speaks against it.
#[utoipa::path(post, path = "/projects/{id}/promote", tag = "rollout",
    params(("id" = Uuid, Path), ("If-Match" = String, Header)), request_body = StageReason,
    responses(
    (status = 201, body = PolicyView, headers(("ETag" = String))),
))]
pub(crate) async fn promote(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    headers: HeaderMap,
    payload: Payload<StageReason>,
) -> Result<Response, Problem> {
    let who = caller.enter(id, rules::PROMOTE).await?;
    let (expected, reason) = (if_match(&headers)?, reason(&payload)?);
    let rollouts = caller.state.governor().rollouts();
    Ok(changed(rollouts.promote(&who, id, expected, reason).await?))
}

/// The review is recorded again, and binds what is risky alone. A person's act, with a reason.
#[utoipa::path(post, path = "/projects/{id}/demote", tag = "rollout",
    params(("id" = Uuid, Path), ("If-Match" = String, Header)), request_body = StageReason,
    responses(
    (status = 201, body = PolicyView, headers(("ETag" = String))),
))]
pub(crate) async fn demote(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    headers: HeaderMap,
    payload: Payload<StageReason>,
) -> Result<Response, Problem> {
    let who = caller.enter(id, rules::DEMOTE).await?;
    let (expected, reason) = (if_match(&headers)?, reason(&payload)?);
    let rollouts = caller.state.governor().rollouts();
    Ok(changed(rollouts.demote(&who, id, expected, reason).await?))
}

fn reason(payload: &Payload<StageReason>) -> Result<String, Problem> {
    prose("reason", &payload.read()?.reason, REASON_CHARS_MAX, true)
}

fn changed(document: PolicyDocument) -> Response {
    let view = PolicyView::from(document);
    (StatusCode::CREATED, etag(view.id), Json(view)).into_response()
}
