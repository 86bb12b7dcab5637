//! Results of GHOST runs, for an administrator.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::ghost::{GhostQuery, GhostResultView, NewGhostResult, SignedBy},
    problem::Problem,
    request::{
        page::{Page, PageQuery},
        payload::Payload,
        query::Params,
    },
    state::now,
    telemetry,
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
    let page = PageQuery { limit: query.limit, cursor: query.cursor };
    let filter = GhostFilter {
        scenario: query.scenario,
        mode: query.mode.map(Into::into),
        verdict: query.verdict.map(Into::into),
        build: query.build,
        provider: query.provider,
        model: query.model,
        suite: query.suite.map(GhostResultId::from_uuid),
        one_per_suite: query.one_per_suite.unwrap_or_default(),
    };
    let rows = caller.state.store().ghost_results(&filter, page.page()?).await?;
    let cursor = |row: &wiiiv_store::GhostResult| row.id.to_string();
    let keys = caller.state.store().runner_keys().await?;
    let view = |row| GhostResultView::of(row, &keys);
    Ok(Page::of(rows, page.limit()?, cursor, view).answer(&uri))
}

/// Keeps what a player reports of one run. It counts for its model where a registered runner's key signed it;
/// else it is claimed. The same signed result is kept once, and answered as it was kept.
#[utoipa::path(post, path = "/ghost/results", tag = "ghost", request_body = NewGhostResult,
    responses(
    (status = 201, body = GhostResultView),
))]
pub(crate) async fn create_ghost_result(
    caller: Caller,
    payload: Payload<NewGhostResult>,
) -> Result<(StatusCode, Json<GhostResultView>), Problem> {
    let who = caller.administer(rules::CREATE_GHOST_RESULT).await?;
    let given = payload.read()?;
    let signature = given.signed.as_ref().map(SignedBy::read).transpose()?;
    let result = given.at(GhostResultId::from_uuid(Uuid::now_v7()), now());
    let store = caller.state.store();
    let kept = store.put_ghost_result(who.user(), result, signature).await?;
    telemetry::ghost_result(kept.signed_by.is_some());
    let keys = store.runner_keys().await?;
    Ok((StatusCode::CREATED, Json(GhostResultView::of(kept, &keys))))
}
