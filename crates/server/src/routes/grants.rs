//! Yeses that are said beforehand.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::grant::{GiveGrant, GrantView},
    problem::{Problem, ProblemCode},
    request::{
        address::{IdPath, PairPath},
        page::{Page, PageQuery},
        payload::Payload,
        query::Params,
    },
};
use axum::{Json, extract::OriginalUri, http::StatusCode, response::Response};
use wiiiv_domain::{GrantId, ProjectId, UserId};
use wiiiv_gate::Principal;
use wiiiv_store::{GrantFilter, GrantRow};

/// With each of their uses, newest first: all of the project for its owner and its approvers, else those that
/// the caller gave or holds.
#[utoipa::path(get, path = "/projects/{id}/approval-grants", tag = "approvals",
    params(("id" = Uuid, Path), PageQuery), responses(
    (status = 200, body = Page<GrantView>),
))]
pub(crate) async fn list_grants(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<PageQuery>,
) -> Result<Response, Problem> {
    let who = caller.enter(id, rules::LIST_GRANTS).await?;
    let rows = caller.state.governor().grants().list(&who, id, query.page()?).await?;
    let seen = views(&caller, &who, rows).await?;
    let cursor = |view: &GrantView| view.id.to_string();
    Ok(Page::of(seen, query.limit()?, cursor, |view| view).answer(&uri))
}

/// Approves plans beforehand: to exactly the target of one step of a plan that was approved, or to exactly its
/// steps; for one person, at most 100 times, until at most 30 days from now and, where that is asked for, not
/// before a time. Never risky plans, deletions, programs, nor values that the requester did not write.
#[utoipa::path(post, path = "/projects/{id}/approval-grants", tag = "approvals",
    params(("id" = Uuid, Path)), request_body = GiveGrant, responses(
    (status = 201, body = GrantView),
))]
pub(crate) async fn give_grant(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    payload: Payload<GiveGrant>,
) -> Result<(StatusCode, Json<GrantView>), Problem> {
    let who = caller.enter(id, rules::GIVE_GRANT).await?;
    let wanted = payload.read()?.request()?;
    let row = caller.state.governor().grants().give(&who, id, wanted).await?;
    let view = views(&caller, &who, vec![row]).await?.pop().ok_or(ProblemCode::Internal)?;
    Ok((StatusCode::CREATED, Json(view)))
}

/// No plan begins by it from here on; what has begun goes on. By whoever gave it, or an owner. One that was
/// revoked stays so.
#[utoipa::path(delete, path = "/projects/{id}/approval-grants/{grant}", tag = "approvals",
    params(("id" = Uuid, Path), ("grant" = Uuid, Path)), responses(
    (status = 204),
))]
pub(crate) async fn revoke_grant(
    caller: Caller,
    PairPath(project, grant): PairPath<ProjectId, GrantId>,
) -> Result<StatusCode, Problem> {
    // Before a row is read: to a stranger there is nothing, whatever became of it.
    if !rules::LIST_GRANTS.is_seen_with(caller.rights_in(project).await?) {
        return Err(ProblemCode::NotFound.into());
    }
    let filter = GrantFilter { id: Some(grant), ..GrantFilter::default() };
    let row = caller.state.store().grants(project, filter).await?.pop();
    let granter = row.ok_or(ProblemCode::NotFound)?.given.body().granter();
    let who = caller.judge((project, granter), rules::REVOKE_GRANT).await?;
    caller.state.governor().grants().revoke(&who, (project, grant)).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn views(
    caller: &Caller,
    who: &Principal,
    rows: Vec<GrantRow>,
) -> Result<Vec<GrantView>, Problem> {
    let mut people = Vec::new();
    for row in &rows {
        let given = row.given.body();
        people.extend([given.granter(), given.holder()]);
        people.extend(row.revoked.map(|(by, _)| by));
    }
    let names = caller.state.names().of(caller.state.store(), people).await?;
    let name = |user: UserId| names.get(&user).map(ToString::to_string);
    let now = caller.state.governor().now();
    Ok(rows.iter().map(|row| GrantView::of(row, who, now, &name)).collect())
}
