//! Keys of model providers: one's own, a project's, the server's. What is set is never read again.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::model::{KeyResolutionView, ModelKeyView, ModelListing, PutModelKey},
    problem::{Problem, ProblemCode},
    request::{
        address::{IdPath, KeyProvider, PairPath},
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
use wiiiv_domain::{KeyHolder, ProjectId, ProjectPolicy, ProviderName};
use wiiiv_gate::Principal;
use wiiiv_governor::Payer;

/// The caller's own keys, in the order of the providers' names; all of them.
#[utoipa::path(get, path = "/keys", tag = "keys", responses(
    (status = 200, body = Page<ModelKeyView>),
))]
pub(crate) async fn list_own_keys(caller: Caller) -> Result<Json<Page<ModelKeyView>>, Problem> {
    listed(&caller.state, KeyHolder::User(caller.user())).await
}

/// Sets the caller's own key where there is none for that provider; else replaces the revision in `If-Match`.
#[utoipa::path(put, path = "/keys/{provider}", tag = "keys",
    params(("provider" = String, Path), ("If-Match" = Option<String>, Header)),
    request_body = PutModelKey, responses(
    (status = 200, body = ModelKeyView, headers(("ETag" = String))),
    (status = 201, body = ModelKeyView, headers(("ETag" = String))),
))]
pub(crate) async fn put_own_key(
    caller: Caller,
    IdPath(KeyProvider(provider)): IdPath<KeyProvider>,
    headers: HeaderMap,
    payload: Payload<PutModelKey>,
) -> Result<Response, Problem> {
    caller.change_account().await?;
    let at = (KeyHolder::User(caller.user()), provider);
    put(&caller.state, &caller.account, at, &headers, payload).await
}

/// Removes the caller's own key of the revision in `If-Match`.
#[utoipa::path(delete, path = "/keys/{provider}", tag = "keys",
    params(("provider" = String, Path), ("If-Match" = String, Header)), responses(
    (status = 204),
))]
pub(crate) async fn delete_own_key(
    caller: Caller,
    IdPath(KeyProvider(provider)): IdPath<KeyProvider>,
    headers: HeaderMap,
) -> Result<StatusCode, Problem> {
    caller.change_account().await?;
    let at = (KeyHolder::User(caller.user()), provider);
    remove(&caller.state, &caller.account, at, &headers).await
}

/// Asks the provider for its list of models with the caller's own key: nothing is spent. What came of it is the
/// answer, also where that is nothing.
#[utoipa::path(post, path = "/keys/{provider}/verify", tag = "keys",
    params(("provider" = String, Path)), responses(
    (status = 200, body = ModelListing),
))]
pub(crate) async fn verify_own_key(
    caller: Caller,
    IdPath(KeyProvider(provider)): IdPath<KeyProvider>,
) -> Result<Json<ModelListing>, Problem> {
    caller.change_account().await?;
    let at = (KeyHolder::User(caller.user()), provider);
    verify(&caller.state, &caller.account, at, None).await
}

/// The project's keys, in the order of the providers' names; all of them.
#[utoipa::path(get, path = "/projects/{id}/keys", tag = "keys",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = Page<ModelKeyView>),
))]
pub(crate) async fn list_project_keys(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<Json<Page<ModelKeyView>>, Problem> {
    caller.enter(id, rules::LIST_PROJECT_KEYS).await?;
    listed(&caller.state, KeyHolder::Project(id)).await
}

/// Sets the project's key where there is none for that provider; else replaces the revision in `If-Match`.
#[utoipa::path(put, path = "/projects/{id}/keys/{provider}", tag = "keys",
    params(("id" = Uuid, Path), ("provider" = String, Path), ("If-Match" = Option<String>, Header)),
    request_body = PutModelKey, responses(
    (status = 200, body = ModelKeyView, headers(("ETag" = String))),
    (status = 201, body = ModelKeyView, headers(("ETag" = String))),
))]
pub(crate) async fn put_project_key(
    caller: Caller,
    PairPath(id, KeyProvider(provider)): PairPath<ProjectId, KeyProvider>,
    headers: HeaderMap,
    payload: Payload<PutModelKey>,
) -> Result<Response, Problem> {
    let who = &caller.enter(id, rules::PUT_PROJECT_KEY).await?;
    put(&caller.state, who, (KeyHolder::Project(id), provider), &headers, payload).await
}

/// Removes the project's key of the revision in `If-Match`.
#[utoipa::path(delete, path = "/projects/{id}/keys/{provider}", tag = "keys",
    params(("id" = Uuid, Path), ("provider" = String, Path), ("If-Match" = String, Header)), responses(
    (status = 204),
))]
pub(crate) async fn delete_project_key(
    caller: Caller,
    PairPath(id, KeyProvider(provider)): PairPath<ProjectId, KeyProvider>,
    headers: HeaderMap,
) -> Result<StatusCode, Problem> {
    let who = &caller.enter(id, rules::DELETE_PROJECT_KEY).await?;
    remove(&caller.state, who, (KeyHolder::Project(id), provider), &headers).await
}

/// Asks the provider for its list of models with the project's key: nothing is spent. What came of it is the
/// answer, also where that is nothing.
#[utoipa::path(post, path = "/projects/{id}/keys/{provider}/verify", tag = "keys",
    params(("id" = Uuid, Path), ("provider" = String, Path)), responses(
    (status = 200, body = ModelListing),
))]
pub(crate) async fn verify_project_key(
    caller: Caller,
    PairPath(id, KeyProvider(provider)): PairPath<ProjectId, KeyProvider>,
) -> Result<Json<ModelListing>, Problem> {
    let who = &caller.enter(id, rules::VERIFY_PROJECT_KEY).await?;
    let policy = policy_of(&caller.state, id).await?;
    let at = (KeyHolder::Project(id), provider);
    verify(&caller.state, who, at, Some(&policy)).await
}

/// Which key the caller's next turn here would use, and why.
#[utoipa::path(get, path = "/projects/{id}/keys/resolve", tag = "keys",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = KeyResolutionView),
))]
pub(crate) async fn resolve_key(
    caller: Caller,
    IdPath(project): IdPath<ProjectId>,
) -> Result<Json<KeyResolutionView>, Problem> {
    caller.enter(project, rules::RESOLVE_KEY).await?;
    let policy = policy_of(&caller.state, project).await?;
    let payer = Payer { user: caller.user(), project };
    Ok(Json(caller.state.governor().keys().resolve(payer, &policy).await?.into()))
}

/// The server's keys, in the order of the providers' names; all of them.
#[utoipa::path(get, path = "/server/keys", tag = "keys", responses(
    (status = 200, body = Page<ModelKeyView>),
))]
pub(crate) async fn list_server_keys(caller: Caller) -> Result<Json<Page<ModelKeyView>>, Problem> {
    caller.administer(rules::LIST_SERVER_KEYS).await?;
    listed(&caller.state, KeyHolder::Server).await
}

/// Sets the server's key where there is none for that provider; else replaces the revision in `If-Match`.
#[utoipa::path(put, path = "/server/keys/{provider}", tag = "keys",
    params(("provider" = String, Path), ("If-Match" = Option<String>, Header)),
    request_body = PutModelKey, responses(
    (status = 200, body = ModelKeyView, headers(("ETag" = String))),
    (status = 201, body = ModelKeyView, headers(("ETag" = String))),
))]
pub(crate) async fn put_server_key(
    caller: Caller,
    IdPath(KeyProvider(provider)): IdPath<KeyProvider>,
    headers: HeaderMap,
    payload: Payload<PutModelKey>,
) -> Result<Response, Problem> {
    let who = &caller.administer(rules::PUT_SERVER_KEY).await?;
    put(&caller.state, who, (KeyHolder::Server, provider), &headers, payload).await
}

/// Removes the server's key of the revision in `If-Match`.
#[utoipa::path(delete, path = "/server/keys/{provider}", tag = "keys",
    params(("provider" = String, Path), ("If-Match" = String, Header)), responses(
    (status = 204),
))]
pub(crate) async fn delete_server_key(
    caller: Caller,
    IdPath(KeyProvider(provider)): IdPath<KeyProvider>,
    headers: HeaderMap,
) -> Result<StatusCode, Problem> {
    let who = &caller.administer(rules::DELETE_SERVER_KEY).await?;
    remove(&caller.state, who, (KeyHolder::Server, provider), &headers).await
}

/// Asks the provider for its list of models with the server's key: nothing is spent. What came of it is the
/// answer, also where that is nothing.
#[utoipa::path(post, path = "/server/keys/{provider}/verify", tag = "keys",
    params(("provider" = String, Path)), responses(
    (status = 200, body = ModelListing),
))]
pub(crate) async fn verify_server_key(
    caller: Caller,
    IdPath(KeyProvider(provider)): IdPath<KeyProvider>,
) -> Result<Json<ModelListing>, Problem> {
    let who = &caller.administer(rules::VERIFY_SERVER_KEY).await?;
    let at = (KeyHolder::Server, provider);
    verify(&caller.state, who, at, None).await
}

async fn listed(state: &AppState, holder: KeyHolder) -> Result<Json<Page<ModelKeyView>>, Problem> {
    let rows = state.governor().keys().list(holder).await?;
    let view = |row: wiiiv_store::ModelKeyRow| {
        let approved = state.governor().models().approves(&row.origin);
        ModelKeyView::of(row, approved)
    };
    Ok(Json(Page { items: rows.into_iter().map(view).collect(), next_cursor: None }))
}

async fn remove(
    state: &AppState,
    who: &Principal,
    at: (KeyHolder, ProviderName),
    headers: &HeaderMap,
) -> Result<StatusCode, Problem> {
    state.governor().keys().remove(who, at, if_match(headers)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn verify(
    state: &AppState,
    who: &Principal,
    at: (KeyHolder, ProviderName),
    policy: Option<&ProjectPolicy>,
) -> Result<Json<ModelListing>, Problem> {
    Ok(Json(state.governor().keys().verify(who, at, policy).await?.into()))
}

async fn put(
    state: &AppState,
    who: &Principal,
    at: (KeyHolder, ProviderName),
    headers: &HeaderMap,
    payload: Payload<PutModelKey>,
) -> Result<Response, Problem> {
    let expected: Option<u64> = if_match_where_given(headers)?;
    if expected.is_none() && state.store().model_key(at.0, at.1).await?.is_some() {
        return Err(ProblemCode::PreconditionRequired.into());
    }
    let PutModelKey { secret, origin } = payload.read()?;
    let given = (&secret.0, origin.as_deref());
    let row = state.governor().keys().set(who, at, given, expected).await?;
    let status = expected.map_or(StatusCode::CREATED, |_| StatusCode::OK);
    let approved = state.governor().models().approves(&row.origin);
    let view = ModelKeyView::of(row, approved);
    Ok((status, etag(view.revision), Json(view)).into_response())
}
