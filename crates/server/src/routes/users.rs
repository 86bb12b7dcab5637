//! People, for an administrator.

use crate::{
    authorization::{CREATE_USER, LIST_USERS},
    caller::Caller,
    dto::{
        problem::ProblemBody,
        user::{CreateUser, CreatedUserView, UserView},
    },
    page::{Page, PageQuery},
    payload::Payload,
    problem::Problem,
    query::Params,
    state::AppState,
};
use axum::{
    Json,
    extract::{OriginalUri, State},
    http::StatusCode,
    response::Response,
};
use wiiiv_store::NewUser;

/// Newest first.
#[utoipa::path(get, path = "/users", tag = "users", params(PageQuery), responses(
    (status = 200, body = Page<UserView>),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn list_users(
    State(state): State<AppState>,
    caller: Caller,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<PageQuery>,
) -> Result<Response, Problem> {
    caller.administer(LIST_USERS)?;
    let rows = state.store().users(query.page()?).await?;
    Ok(Page::of(rows, query.limit()?, |row| row.id.to_string(), UserView::from).answer(&uri))
}

/// Makes an account with a personal project.
#[utoipa::path(post, path = "/users", tag = "users", request_body = CreateUser, responses(
    (status = 201, body = CreatedUserView),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn create_user(
    State(state): State<AppState>,
    caller: Caller,
    payload: Payload<CreateUser>,
) -> Result<(StatusCode, Json<CreatedUserView>), Problem> {
    caller.administer(CREATE_USER)?;
    let CreateUser { name, password, admin } = payload.read()?;
    let new = NewUser { name: name.clone(), password: password.0, admin };
    let policy = state.config().new_project_policy.clone();
    let created = state.store().create_user(new, policy).await?;
    let view = CreatedUserView {
        id: created.user.uuid(),
        name,
        admin,
        personal_project: created.project.uuid(),
    };
    Ok((StatusCode::CREATED, Json(view)))
}
