//! A project's systems: register, set a credential, test.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::registration::{ConnectionView, CredentialView, PutCredential, PutSystem, SystemView},
    problem::{Problem, ProblemCode},
    registration,
    request::{
        address::{IdPath, KnownSystem, PairPath},
        etag::{etag, if_match, if_match_where_given},
        page::Page,
        payload::Payload,
    },
    routes::models::policy_of,
    state::AppState,
};
use axum::{
    Json,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use secrecy::{ExposeSecret as _, SecretString};
use wiiiv_domain::ProjectId;
use wiiiv_store::SystemRow;
use wiiiv_vault::{Credential, mask};

/// In the order of their names; all of them.
#[utoipa::path(get, path = "/projects/{id}/systems", tag = "systems",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = Page<SystemView>),
))]
pub(crate) async fn list_systems(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<Json<Page<SystemView>>, Problem> {
    caller.enter(id, rules::LIST_SYSTEMS).await?;
    let policy = policy_of(&caller.state, id).await?;
    let rows = caller.state.store().systems(id).await?;
    let items = rows.into_iter().map(|row| SystemView::of(row, &policy)).collect();
    Ok(Json(Page { items, next_cursor: None }))
}

/// One system; its revision is the `ETag`.
#[utoipa::path(get, path = "/projects/{id}/systems/{name}", tag = "systems",
    params(("id" = Uuid, Path), ("name" = String, Path)), responses(
    (status = 200, body = SystemView, headers(("ETag" = String))),
))]
pub(crate) async fn get_system(
    caller: Caller,
    PairPath(id, KnownSystem(name)): PairPath<ProjectId, KnownSystem>,
) -> Result<Response, Problem> {
    caller.enter(id, rules::GET_SYSTEM).await?;
    let row = caller.state.store().system(id, &name).await?.ok_or(ProblemCode::NotFound)?;
    shown(&caller.state, id, row, StatusCode::OK).await
}

/// Registers a system where there is none by that name; else replaces the revision in `If-Match`.
/// Another origin takes the credential away.
#[utoipa::path(put, path = "/projects/{id}/systems/{name}", tag = "systems",
    params(("id" = Uuid, Path), ("name" = String, Path), ("If-Match" = Option<String>, Header)),
    request_body = PutSystem, responses(
    (status = 200, body = SystemView, headers(("ETag" = String))),
    (status = 201, body = SystemView, headers(("ETag" = String))),
))]
pub(crate) async fn put_system(
    caller: Caller,
    PairPath(id, KnownSystem(name)): PairPath<ProjectId, KnownSystem>,
    headers: HeaderMap,
    payload: Payload<PutSystem>,
) -> Result<Response, Problem> {
    let state = &caller.state;
    let who = caller.enter(id, rules::PUT_SYSTEM).await?;
    let expected: Option<u64> = if_match_where_given(&headers)?;
    if expected.is_none() && state.store().system(id, &name).await?.is_some() {
        return Err(ProblemCode::PreconditionRequired.into());
    }
    let system = registration::system(name, payload.read()?)?;
    let row = state.governor().systems().save(&who, id, system, expected).await?;
    let status = expected.map_or(StatusCode::CREATED, |_| StatusCode::OK);
    shown(state, id, row, status).await
}

/// Removes the revision in `If-Match`, with its credential.
#[utoipa::path(delete, path = "/projects/{id}/systems/{name}", tag = "systems",
    params(("id" = Uuid, Path), ("name" = String, Path), ("If-Match" = String, Header)),
    responses(
    (status = 204),
))]
pub(crate) async fn delete_system(
    caller: Caller,
    PairPath(id, KnownSystem(name)): PairPath<ProjectId, KnownSystem>,
    headers: HeaderMap,
) -> Result<StatusCode, Problem> {
    let who = caller.enter(id, rules::DELETE_SYSTEM).await?;
    let expected = if_match(&headers)?;
    caller.state.governor().systems().remove(&who, id, &name, expected).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Gives the system of the revision in `If-Match` its credential. It is sealed for the system's
/// origin and cannot be read again.
#[utoipa::path(put, path = "/projects/{id}/systems/{name}/credential", tag = "systems",
    params(("id" = Uuid, Path), ("name" = String, Path), ("If-Match" = String, Header)),
    request_body = PutCredential, responses(
    (status = 200, body = CredentialView, headers(("ETag" = String))),
))]
pub(crate) async fn put_system_credential(
    caller: Caller,
    PairPath(id, KnownSystem(name)): PairPath<ProjectId, KnownSystem>,
    headers: HeaderMap,
    payload: Payload<PutCredential>,
) -> Result<Response, Problem> {
    let who = caller.enter(id, rules::PUT_SYSTEM_CREDENTIAL).await?;
    let expected = if_match(&headers)?;
    let PutCredential { username, secret } = payload.read()?;
    let username = username.map_or_else(|| SecretString::from(""), |field| field.0);
    let masked = Some(mask(username.expose_secret()));
    let masked = masked.filter(|_| !username.expose_secret().is_empty());
    let credential = Credential::new(username, secret.0);
    let credential = credential.map_err(|error| Problem::field("secret", error.to_string()))?;
    let systems = caller.state.governor().systems();
    let row = systems.set_credential(&who, id, &name, Some(credential), expected).await?;
    let view = CredentialView {
        name: row.system.name.to_string(),
        revision: row.revision,
        username: masked,
        origin: row.system.base_url.origin(),
    };
    Ok((etag(row.revision), Json(view)).into_response())
}

/// Takes the credential away from the revision in `If-Match`.
#[utoipa::path(delete, path = "/projects/{id}/systems/{name}/credential", tag = "systems",
    params(("id" = Uuid, Path), ("name" = String, Path), ("If-Match" = String, Header)),
    responses(
    (status = 204, headers(("ETag" = String))),
))]
pub(crate) async fn delete_system_credential(
    caller: Caller,
    PairPath(id, KnownSystem(name)): PairPath<ProjectId, KnownSystem>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let who = caller.enter(id, rules::DELETE_SYSTEM_CREDENTIAL).await?;
    let expected = if_match(&headers)?;
    let systems = caller.state.governor().systems();
    let row = systems.set_credential(&who, id, &name, None, expected).await?;
    Ok((StatusCode::NO_CONTENT, etag(row.revision)).into_response())
}

/// Tries the connection, with a log-in where the system has one. What it found is the answer, also
/// where it found nothing.
#[utoipa::path(post, path = "/projects/{id}/systems/{name}/test", tag = "systems",
    params(("id" = Uuid, Path), ("name" = String, Path)), responses(
    (status = 200, body = ConnectionView),
))]
pub(crate) async fn test_system(
    caller: Caller,
    PairPath(id, KnownSystem(name)): PairPath<ProjectId, KnownSystem>,
) -> Result<Json<ConnectionView>, Problem> {
    let who = caller.enter(id, rules::TEST_SYSTEM).await?;
    let report = caller.state.governor().systems().test(&who, id, &name).await?;
    Ok(Json(ConnectionView::from(report)))
}

async fn shown(
    state: &AppState,
    project: ProjectId,
    row: SystemRow,
    status: StatusCode,
) -> Result<Response, Problem> {
    let view = SystemView::of(row, &policy_of(state, project).await?);
    Ok((status, etag(view.revision), Json(view)).into_response())
}
