//! Memory: what a person, and a project, asked to be kept in mind.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::memory::{MemoryVersionView, MemoryView, PutMemory},
    problem::{Problem, ProblemCode},
    request::{
        address::IdPath,
        etag::{etag, if_match},
        page::{Page, PageQuery},
        payload::Payload,
        query::Params,
    },
    view::memory::with_changes,
};
use axum::{
    Json,
    extract::OriginalUri,
    http::{HeaderMap, Uri, header},
    response::{IntoResponse, Response},
};
use wiiiv_context::holds_secret;
use wiiiv_domain::{MemoryOwner, MemoryText, ProjectId, UserId};
use wiiiv_gate::Principal;
use wiiiv_store::MemoryRow;

/// The caller's own. Its version is the `ETag`: 0 where nothing was ever kept. Somebody else's is not there, for an
/// administrator either.
#[utoipa::path(get, path = "/users/{id}/memory", tag = "memory", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = MemoryView, headers(("ETag" = String))),
))]
pub(crate) async fn get_user_memory(
    caller: Caller,
    IdPath(id): IdPath<UserId>,
) -> Result<Response, Problem> {
    current(&caller, own(&caller, id)?).await
}

/// Replaces the caller's own, if it is still the version in `If-Match`: `"0"` where nothing was ever kept. The same
/// text makes no new version. A text that holds a key or a password is refused (`MEMORY_SECRET`).
#[utoipa::path(put, path = "/users/{id}/memory", tag = "memory",
    params(("id" = Uuid, Path), ("If-Match" = String, Header)), request_body = PutMemory,
    responses(
    (status = 200, body = MemoryView, headers(("ETag" = String))),
))]
pub(crate) async fn put_user_memory(
    caller: Caller,
    IdPath(id): IdPath<UserId>,
    headers: HeaderMap,
    payload: Payload<PutMemory>,
) -> Result<Response, Problem> {
    let owner = own(&caller, id)?;
    caller.change_account().await?;
    replace(&caller, &caller.account, owner, (&headers, payload)).await
}

/// Newest first, with what each changed; the newest 200 are kept.
#[utoipa::path(get, path = "/users/{id}/memory/versions", tag = "memory",
    params(("id" = Uuid, Path), PageQuery), responses(
    (status = 200, body = Page<MemoryVersionView>),
))]
pub(crate) async fn list_user_memory_versions(
    caller: Caller,
    IdPath(id): IdPath<UserId>,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<PageQuery>,
) -> Result<Response, Problem> {
    versions(&caller, own(&caller, id)?, &query, &uri).await
}

/// The caller's own as a file.
#[utoipa::path(get, path = "/users/{id}/memory/export", tag = "memory",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = String, content_type = "text/markdown"),
))]
pub(crate) async fn export_user_memory(
    caller: Caller,
    IdPath(id): IdPath<UserId>,
) -> Result<Response, Problem> {
    exported(&caller, own(&caller, id)?).await
}

/// Of a project, as its members read it. Its version is the `ETag`: 0 where nothing was ever kept.
#[utoipa::path(get, path = "/projects/{id}/memory", tag = "memory", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = MemoryView, headers(("ETag" = String))),
))]
pub(crate) async fn get_project_memory(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<Response, Problem> {
    caller.enter(id, rules::GET_PROJECT_MEMORY).await?;
    current(&caller, MemoryOwner::Project(id)).await
}

/// Replaces a project's, if it is still the version in `If-Match`: `"0"` where nothing was ever kept. The same text
/// makes no new version. A text that holds a key or a password is refused (`MEMORY_SECRET`).
#[utoipa::path(put, path = "/projects/{id}/memory", tag = "memory",
    params(("id" = Uuid, Path), ("If-Match" = String, Header)), request_body = PutMemory,
    responses(
    (status = 200, body = MemoryView, headers(("ETag" = String))),
))]
pub(crate) async fn put_project_memory(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    headers: HeaderMap,
    payload: Payload<PutMemory>,
) -> Result<Response, Problem> {
    let who = caller.enter(id, rules::PUT_PROJECT_MEMORY).await?;
    replace(&caller, &who, MemoryOwner::Project(id), (&headers, payload)).await
}

/// Newest first, with what each changed; the newest 200 are kept.
#[utoipa::path(get, path = "/projects/{id}/memory/versions", tag = "memory",
    params(("id" = Uuid, Path), PageQuery), responses(
    (status = 200, body = Page<MemoryVersionView>),
))]
pub(crate) async fn list_project_memory_versions(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<PageQuery>,
) -> Result<Response, Problem> {
    caller.enter(id, rules::LIST_PROJECT_MEMORY_VERSIONS).await?;
    versions(&caller, MemoryOwner::Project(id), &query, &uri).await
}

/// A project's as a file.
#[utoipa::path(get, path = "/projects/{id}/memory/export", tag = "memory",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = String, content_type = "text/markdown"),
))]
pub(crate) async fn export_project_memory(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<Response, Problem> {
    caller.enter(id, rules::EXPORT_PROJECT_MEMORY).await?;
    exported(&caller, MemoryOwner::Project(id)).await
}

/// A person's memory is that person's alone.
fn own(caller: &Caller, id: UserId) -> Result<MemoryOwner, Problem> {
    if id == caller.user() { Ok(MemoryOwner::User(id)) } else { Err(ProblemCode::NotFound.into()) }
}

async fn current(caller: &Caller, owner: MemoryOwner) -> Result<Response, Problem> {
    match caller.state.store().memory(owner).await? {
        Some(row) => shown(caller, &row).await,
        None => Ok(answer(MemoryView::none(owner.scope()))),
    }
}

async fn shown(caller: &Caller, row: &MemoryRow) -> Result<Response, Problem> {
    let names = caller.state.names().of(caller.state.store(), [row.author]).await?;
    let name = names.get(&row.author).map(ToString::to_string);
    Ok(answer(MemoryView::of(row, name, caller.user())))
}

fn answer(view: MemoryView) -> Response {
    (etag(view.version), Json(view)).into_response()
}

async fn replace(
    caller: &Caller,
    who: &Principal,
    owner: MemoryOwner,
    (headers, payload): (&HeaderMap, Payload<PutMemory>),
) -> Result<Response, Problem> {
    let expected: u64 = if_match(headers)?;
    let text = MemoryText::parse(&payload.read()?.text)?;
    if holds_secret(text.as_str()) {
        return Err(ProblemCode::MemorySecret.into());
    }
    let row = caller.state.store().set_memory(who, owner, text, expected).await?;
    shown(caller, &row).await
}

async fn versions(
    caller: &Caller,
    owner: MemoryOwner,
    query: &PageQuery,
    uri: &Uri,
) -> Result<Response, Problem> {
    let (limit, store) = (query.limit()?, caller.state.store());
    // The row behind the page is also what its last version is compared with.
    let rows = store.memory_versions(owner, query.after()?, query.rows()?).await?;
    let names = caller.state.names().of(store, rows.iter().map(|row| row.author)).await?;
    let page = Page::of(
        with_changes(rows),
        limit,
        |(row, _)| row.version.to_string(),
        |(row, changes)| {
            let name = names.get(&row.author).map(ToString::to_string);
            MemoryVersionView::of(&row, name, changes)
        },
    );
    Ok(page.answer(uri))
}

async fn exported(caller: &Caller, owner: MemoryOwner) -> Result<Response, Problem> {
    let row = caller.state.store().memory(owner).await?;
    let mut text = row.map(|row| row.text.as_str().to_owned()).unwrap_or_default();
    if !text.is_empty() {
        text.push('\n');
    }
    let name = format!("attachment; filename=\"memory-{}.md\"", owner.uuid());
    let headers = [
        (header::CONTENT_TYPE, "text/markdown; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, text).into_response())
}
