//! Projects and their members.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::{
        project::{CreateProject, MemberList, MemberView, ProjectView, PutMember},
        text::label,
    },
    problem::{Problem, ProblemCode},
    request::{
        address::{IdPath, PairPath},
        etag::{etag, if_match},
        page::{Page, PageQuery},
        payload::Payload,
        query::Params,
    },
    state::AppState,
    view::halts::halts_over,
};
use axum::{
    Json,
    extract::OriginalUri,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use wiiiv_domain::{DacsStage, ProjectId, UserId};
use wiiiv_store::{Members, PROJECT_NAME_CHARS_MAX, RoleChange};

/// Those that the caller has a role in, oldest first.
#[utoipa::path(get, path = "/projects", tag = "projects", params(PageQuery), responses(
    (status = 200, body = Page<ProjectView>),
))]
pub(crate) async fn list_projects(
    caller: Caller,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<PageQuery>,
) -> Result<Response, Problem> {
    let rows = caller.state.store().projects_of(caller.user(), query.page()?).await?;
    Ok(Page::of(rows, query.limit()?, |row| row.id.to_string(), ProjectView::from).answer(&uri))
}

/// Makes a project that the caller owns.
#[utoipa::path(post, path = "/projects", tag = "projects", request_body = CreateProject,
    responses(
    (status = 201, body = ProjectView),
))]
pub(crate) async fn create_project(
    caller: Caller,
    payload: Payload<CreateProject>,
) -> Result<Response, Problem> {
    let state = &caller.state;
    caller.change_account().await?;
    let CreateProject { name, stage } = payload.read()?;
    let name = label("name", &name, PROJECT_NAME_CHARS_MAX)?;
    let mut policy = state.config().new_project_policy.clone();
    if let Some(stage) = stage.map(DacsStage::from).filter(|stage| *stage != policy.dacs_stage) {
        // The right is that of whoever administrates the server, whatever the operation.
        caller.administer(rules::CREATE_USER).await?;
        policy.dacs_stage = stage;
    }
    let recorded = state.store().create_project(&name, caller.user(), policy).await?;
    let project = find(state, recorded.body().document().project).await?;
    let location = format!("/api/v2/projects/{}", project.id);
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(project)).into_response())
}

/// One project.
#[utoipa::path(get, path = "/projects/{id}", tag = "projects", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = ProjectView),
))]
pub(crate) async fn get_project(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<Json<ProjectView>, Problem> {
    caller.enter(id, rules::GET_PROJECT).await?;
    let halts = Some(halts_over(&caller, id, None).await?);
    Ok(Json(ProjectView { halts, ..find(&caller.state, id).await? }))
}

async fn find(state: &AppState, id: ProjectId) -> Result<ProjectView, Problem> {
    let row = state.store().project(id).await?;
    row.map(ProjectView::from).ok_or_else(|| ProblemCode::NotFound.into())
}

/// Who has a role here. The `ETag` is that of the whole list.
#[utoipa::path(get, path = "/projects/{id}/members", tag = "projects",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = MemberList, headers(("ETag" = String))),
))]
pub(crate) async fn list_members(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<Response, Problem> {
    caller.enter(id, rules::LIST_MEMBERS).await?;
    let Members { version, rows } = caller.state.store().members(id).await?;
    let list = MemberList { items: rows.into_iter().map(MemberView::from).collect() };
    Ok((etag(version), Json(list)).into_response())
}

/// Replaces all roles of one person, if the list is still the one in `If-Match`; none ends the
/// membership.
#[utoipa::path(put, path = "/projects/{id}/members/{user}", tag = "projects",
    params(("id" = Uuid, Path), ("user" = Uuid, Path), ("If-Match" = String, Header)),
    request_body = PutMember, responses(
    (status = 204, headers(("ETag" = String))),
))]
pub(crate) async fn put_member(
    caller: Caller,
    PairPath(id, user): PairPath<ProjectId, UserId>,
    headers: HeaderMap,
    payload: Payload<PutMember>,
) -> Result<Response, Problem> {
    let who = caller.enter(id, rules::PUT_MEMBER).await?;
    caller.state.store().user(user).await?.ok_or(ProblemCode::NotFound)?;
    let expected = if_match(&headers)?;
    let roles = payload.read()?.roles.into_iter().map(Into::into).collect();
    let change = RoleChange { user, roles, by: who.user() };
    let version = caller.state.store().change_roles(id, expected, change).await?;
    Ok((StatusCode::NO_CONTENT, etag(version)).into_response())
}
