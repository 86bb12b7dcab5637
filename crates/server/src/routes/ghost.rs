//! Results of GHOST runs, for an administrator.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::ghost::{GhostQuery, GhostResultView, NewGhostResult},
    problem::Problem,
    request::{
        page::{Page, PageQuery},
        payload::Payload,
        query::Params,
    },
    state::now,
};
use axum::{Json, extract::OriginalUri, http::StatusCode, response::Response};
use uuid::Uuid;
use wiiiv_domain::GhostResultId;
use wiiiv_store::GhostFilter;

/// Newest first.
#[utoipa::path(get, path = "/ghost/results", tag = "ghost", params(GhostQuery), responses(
    (status = 200, body = Page<GhostResultView>),
))]
pub(crate) async fn list_ghost_results(
    caller: Caller,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<GhostQuery>,
) -> Result<Response, Problem> {
    caller.administer(rules::LIST_GHOST_RESULTS).await?;
    let GhostQuery { scenario, mode, verdict, build, provider, model, limit, cursor } = query;
    let page = PageQuery { limit, cursor };
    let (mode, verdict) = (mode.map(Into::into), verdict.map(Into::into));
    let filter = GhostFilter { scenario, mode, verdict, build, provider, model };
    let rows = caller.state.store().ghost_results(&filter, page.page()?).await?;
    let cursor = |row: &wiiiv_store::GhostResult| row.id.to_string();
    Ok(Page::of(rows, page.limit()?, cursor, GhostResultView::from).answer(&uri))
}

/// Keeps what a player reports of one run.
#[utoipa::path(post, path = "/ghost/results", tag = "ghost", request_body = NewGhostResult,
    responses(
    (status = 201, body = GhostResultView),
))]
pub(crate) async fn create_ghost_result(
    caller: Caller,
    payload: Payload<NewGhostResult>,
) -> Result<(StatusCode, Json<GhostResultView>), Problem> {
    let who = caller.administer(rules::CREATE_GHOST_RESULT).await?;
    let result = payload.read()?.at(GhostResultId::from_uuid(Uuid::now_v7()), now());
    caller.state.store().put_ghost_result(who.user(), result.clone()).await?;
    Ok((StatusCode::CREATED, Json(GhostResultView::from(result))))
}
