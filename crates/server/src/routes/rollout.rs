//! A project's rollout: where it stands, what enforcement decides otherwise, and the change of its stage.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::{
        policy::PolicyView,
        rates::{RatesQuery, RatesView},
        rollout::{
            CreateReview, DivergenceQuery, DivergenceView, JoinWaiver, ReviewOfDivergence,
            RolloutView, StageReason, WaiverView,
        },
        text::prose,
    },
    limits::{RATE_DAYS_DEFAULT, RATE_DAYS_MAX, REASON_CHARS_MAX},
    problem::Problem,
    request::{
        address::{IdPath, PairPath},
        days::{DAY_SECONDS, between, span},
        etag::{etag, if_match},
        page::{Page, PageQuery},
        payload::Payload,
        query::Params,
    },
    state::now,
    view::rollout::{
        divergence_views, model_name, rates_view, rollout_view, stage_of, waiver_view,
    },
};
use axum::{
    Json,
    extract::OriginalUri,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use std::collections::BTreeSet;
use uuid::Uuid;
use wiiiv_domain::{PolicyDocument, ProjectId, SessionId, Timestamp};
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

/// What reviews of these days came to by task type, model and day, and whether what was reviewed ran.
#[utoipa::path(get, path = "/projects/{id}/rollout/figures", tag = "rollout",
    params(("id" = Uuid, Path), RatesQuery), responses(
    (status = 200, body = RatesView),
))]
pub(crate) async fn get_rollout_figures(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    Params(query): Params<RatesQuery>,
) -> Result<Json<RatesView>, Problem> {
    let who = caller.enter(id, rules::GET_ROLLOUT_FIGURES).await?;
    let asked = (query.from.as_deref(), query.until.as_deref());
    let (from, last) = span(asked, now(), (RATE_DAYS_DEFAULT, RATE_DAYS_MAX))?;
    let days = (from, last.plus_seconds(DAY_SECONDS));
    let rates = caller.state.store().review_rates(id, days).await?;
    rates_view(&caller, &who, (from, last), rates).await.map(Json)
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
    let who = caller.enter(id, rules::LIST_DIVERGENCES).await?;
    let page = PageQuery { limit: query.limit, cursor: query.cursor.clone() };
    let (limit, rows, before) = (page.limit()?, page.rows()?, page.after::<u64>()?);
    let wanted = Wanted::of(&caller, id, query).await?;
    let store = caller.state.store();
    let found = match wanted.query.task_type {
        Some(_) => store.typed_divergences(id).await?,
        None => store.divergences(id).await?,
    };
    let found = found
        .into_iter()
        .filter(|one| before.is_none_or(|before| one.first.seq < before))
        .filter(|one| wanted.fits(one));
    let found: Vec<_> = found.take(usize::try_from(rows).unwrap_or(usize::MAX)).collect();
    let views = divergence_views(&caller, (id, &who), found).await?;
    Ok(Page::of(views, limit, |view| view.record.to_string(), |view| view).answer(&uri))
}

/// Everything that is given has to hold.
struct Wanted {
    query: DivergenceQuery,
    from: Option<Timestamp>,
    until: Option<Timestamp>,
    /// Those that the wanted person began.
    sessions: Option<BTreeSet<SessionId>>,
}

impl Wanted {
    async fn of(
        caller: &Caller,
        project: ProjectId,
        query: DivergenceQuery,
    ) -> Result<Self, Problem> {
        let (from, until) = between(query.from.as_deref(), query.until.as_deref())?;
        let sessions = match query.requester {
            Some(user) => Some(caller.state.store().sessions_begun_by(project, user.into()).await?),
            None => None,
        };
        Ok(Self { query, from, until, sessions })
    }

    fn fits(&self, one: &Divergence) -> bool {
        let (query, first) = (&self.query, &one.first);
        let is_of_model = |wanted: &str| {
            let by = first.governor.as_ref();
            by.is_some_and(|by| by.model == wanted || model_name(by.provider, &by.model) == wanted)
        };
        query.review.is_none_or(|wanted| wanted.fits(one.verdict()))
            && query.consensus.is_none_or(|wanted| first.consensus == wanted)
            && query.stage.is_none_or(|wanted| stage_of(first.bound) == wanted.into())
            && query.concern.as_deref().is_none_or(|wanted| one.concerns().contains(&wanted))
            && query.task_type.is_none_or(|wanted| first.task_type == Some(wanted))
            && query.model.as_deref().is_none_or(is_of_model)
            && self.from.is_none_or(|from| first.at >= from)
            && self.until.is_none_or(|until| first.at < until)
            && self.sessions.as_ref().is_none_or(|own| own.contains(&first.session))
    }
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
