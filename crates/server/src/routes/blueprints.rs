//! Plans: list, read, explain.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::blueprint::{BlueprintDetail, BlueprintView, ExplainQuery, Explanation},
    problem::{Problem, ProblemCode},
    request::{
        address::IdPath,
        etag::etag,
        page::{Page, PageQuery},
        query::Params,
    },
};
use axum::{
    Json,
    extract::OriginalUri,
    response::{IntoResponse, Response},
};
use wiiiv_domain::{BlueprintId, ProjectId};
use wiiiv_hlx::explain;
use wiiiv_store::{BlueprintFilter, BlueprintRow};

/// Newest first.
#[utoipa::path(get, path = "/projects/{id}/blueprints", tag = "blueprints",
    params(("id" = Uuid, Path), PageQuery), responses(
    (status = 200, body = Page<BlueprintView>),
))]
pub(crate) async fn list_blueprints(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<PageQuery>,
) -> Result<Response, Problem> {
    caller.enter(id, rules::LIST_BLUEPRINTS).await?;
    let filter =
        BlueprintFilter { project: Some(id), page: query.page()?, ..BlueprintFilter::default() };
    let rows = caller.state.store().blueprints(&filter).await?;
    Ok(Page::of(rows, query.limit()?, |row| row.id.to_string(), BlueprintView::from).answer(&uri))
}

/// As the audit tells, or refused.
pub(crate) async fn seen(
    caller: &Caller,
    id: BlueprintId,
    rule: &rules::Rule,
) -> Result<BlueprintRow, Problem> {
    let row = caller.state.store().blueprint_row(id).await?.ok_or(ProblemCode::NotFound)?;
    caller.enter(row.project, rule).await?;
    caller.state.store().examine_plan(id).await?;
    Ok(row)
}

/// The plan, its digest, and the very bytes that it is stored as.
#[utoipa::path(get, path = "/blueprints/{id}", tag = "blueprints", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = BlueprintDetail, headers(("ETag" = String))),
))]
pub(crate) async fn get_blueprint(
    caller: Caller,
    IdPath(id): IdPath<BlueprintId>,
) -> Result<Response, Problem> {
    let row = seen(&caller, id, rules::GET_BLUEPRINT).await?;
    let stored = caller.state.store().blueprint(id).await?;
    let canonical = stored.map(|stored| String::from_utf8(stored.canonical)).transpose();
    let canonical = canonical.map_err(|_| ProblemCode::Internal)?;
    let document = canonical.as_deref().map(serde_json::from_str).transpose();
    let document = document.map_err(|_| ProblemCode::Internal)?;
    let blueprint = BlueprintView::from(row);
    let tag = etag(&blueprint.digest);
    Ok((tag, Json(BlueprintDetail { blueprint, document, canonical })).into_response())
}

/// The plan in plain words.
#[utoipa::path(get, path = "/blueprints/{id}/explain", tag = "blueprints",
    params(("id" = Uuid, Path), ExplainQuery), responses(
    (status = 200, body = Explanation),
))]
pub(crate) async fn explain_blueprint(
    caller: Caller,
    IdPath(id): IdPath<BlueprintId>,
    Params(query): Params<ExplainQuery>,
) -> Result<Json<Explanation>, Problem> {
    let row = seen(&caller, id, rules::EXPLAIN_BLUEPRINT).await?;
    let stored = caller.state.store().blueprint(id).await?.ok_or(ProblemCode::NotFound)?;
    Ok(Json(Explanation {
        blueprint: id.uuid(),
        digest: row.digest.to_string(),
        language: query.language,
        text: explain(&stored.blueprint, query.language.into()),
    }))
}
