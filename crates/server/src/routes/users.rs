//! Accounts, for an administrator.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::user::{ClosedUserView, CreateUser, CreatedUserView, UserView},
    problem::{Problem, ProblemCode},
    request::{
        address::IdPath,
        page::{Page, PageQuery},
        payload::Payload,
        query::Params,
    },
};
use axum::{Json, extract::OriginalUri, http::StatusCode, response::Response};
use wiiiv_domain::UserId;
use wiiiv_store::NewUser;

/// Newest first.
#[utoipa::path(get, path = "/users", tag = "users", params(PageQuery), responses(
    (status = 200, body = Page<UserView>),
))]
pub(crate) async fn list_users(
    caller: Caller,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<PageQuery>,
) -> Result<Response, Problem> {
    caller.administer(rules::LIST_USERS).await?;
    let rows = caller.state.store().users(query.page()?).await?;
    Ok(Page::of(rows, query.limit()?, |row| row.id.to_string(), UserView::from).answer(&uri))
}

/// Makes an account with a personal project.
#[utoipa::path(post, path = "/users", tag = "users", request_body = CreateUser, responses(
    (status = 201, body = CreatedUserView),
))]
pub(crate) async fn create_user(
    caller: Caller,
    payload: Payload<CreateUser>,
) -> Result<(StatusCode, Json<CreatedUserView>), Problem> {
    let who = caller.administer(rules::CREATE_USER).await?;
    let CreateUser { name, password, admin } = payload.read()?;
    let new = NewUser { name: name.clone(), password: password.0, admin };
    let policy = caller.state.config().new_project_policy.clone();
    let created = caller.state.store().create_user_by(new, policy, &who).await?;
    let view = CreatedUserView {
        id: created.user.uuid(),
        name,
        admin,
        personal_project: created.project.uuid(),
    };
    Ok((StatusCode::CREATED, Json(view)))
}

/// Closes an account. Every token of it is refused from then on, what it had asked for is
/// withdrawn, and what it runs is stopped. Closing it twice changes nothing.
#[utoipa::path(post, path = "/users/{id}/close", tag = "users", params(("id" = Uuid, Path)), responses(
    (status = 200, body = ClosedUserView),
))]
pub(crate) async fn close_user(
    caller: Caller,
    IdPath(id): IdPath<UserId>,
) -> Result<Json<ClosedUserView>, Problem> {
    caller.administer(rules::CLOSE_USER).await?;
    if id == caller.user() {
        return Err(ProblemCode::OwnAccount.into());
    }
    let closed = caller.state.governor().accounts().close(id, caller.user()).await?;
    Ok(Json(ClosedUserView::of(id.uuid(), &closed)))
}

/// Opens a closed account again: the person may log in. What ended with it stays so.
#[utoipa::path(post, path = "/users/{id}/open", tag = "users", params(("id" = Uuid, Path)), responses(
    (status = 200, body = UserView),
))]
pub(crate) async fn open_user(
    caller: Caller,
    IdPath(id): IdPath<UserId>,
) -> Result<Json<UserView>, Problem> {
    caller.administer(rules::OPEN_USER).await?;
    caller.state.store().enable_user(id, caller.user()).await?;
    let row = caller.state.store().user(id).await?.ok_or(ProblemCode::NotFound)?;
    Ok(Json(row.into()))
}
