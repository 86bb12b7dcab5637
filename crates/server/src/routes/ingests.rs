//! Ingests: files become documents, one after the other.

use crate::{
    access::{
        authorization::{self as rules, Rule},
        caller::Caller,
        scoped::{Wish, within},
    },
    dto::{
        document::ScopeQuery,
        ingest::{IngestJobView, IngestQuery},
    },
    problem::{Problem, ProblemCode},
    request::{
        address::IdPath, file::FileBody, idempotency::KeptAnswer, page::Page, query::Params,
    },
    view::{names::name_in, scope_list::ScopeList},
};
use axum::{
    Extension, Json,
    extract::OriginalUri,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::json;
use wiiiv_domain::{IngestJobId, ProjectId, Scope, UserId};
use wiiiv_gate::Principal;
use wiiiv_governor::Upload;
use wiiiv_store::IngestJobRow;

/// A file for everybody. The body is its bytes, whatever they are; `Content-Type` is its media type, which counts where the
/// name has no ending. Larger bodies are taken here than elsewhere: see `documents` of `GET /info`.
#[utoipa::path(post, path = "/rag/global/ingest", tag = "rag", params(IngestQuery),
    request_body(content = String, content_type = "application/octet-stream"), responses(
    (status = 202, body = IngestJobView, headers(("Location" = String))),
))]
pub(crate) async fn ingest_global(
    caller: Caller,
    Params(query): Params<IngestQuery>,
    file: FileBody,
) -> Result<Response, Problem> {
    take(&caller, (Scope::Global, rules::INGEST_GLOBAL), query, file).await
}

/// A file for the members of a project. The body is its bytes, whatever they are; `Content-Type` is its media type, which
/// counts where the name has no ending. Larger bodies are taken here than elsewhere: see `documents` of `GET /info`.
#[utoipa::path(post, path = "/rag/projects/{id}/ingest", tag = "rag",
    params(("id" = Uuid, Path), IngestQuery),
    request_body(content = String, content_type = "application/octet-stream"), responses(
    (status = 202, body = IngestJobView, headers(("Location" = String))),
))]
pub(crate) async fn ingest_project(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    Params(query): Params<IngestQuery>,
    file: FileBody,
) -> Result<Response, Problem> {
    take(&caller, (Scope::Project(id), rules::INGEST_PROJECT), query, file).await
}

/// A file for the caller alone. The body is its bytes, whatever they are; `Content-Type` is its media type, which counts
/// where the name has no ending. Larger bodies are taken here than elsewhere: see `documents` of `GET /info`.
#[utoipa::path(post, path = "/rag/users/{id}/ingest", tag = "rag",
    params(("id" = Uuid, Path), IngestQuery),
    request_body(content = String, content_type = "application/octet-stream"), responses(
    (status = 202, body = IngestJobView, headers(("Location" = String))),
))]
pub(crate) async fn ingest_user(
    caller: Caller,
    IdPath(id): IdPath<UserId>,
    Params(query): Params<IngestQuery>,
    file: FileBody,
) -> Result<Response, Problem> {
    take(&caller, (Scope::User(id), rules::INGEST_USER), query, file).await
}

/// Of one scope, newest first, for whoever may ingest there.
#[utoipa::path(get, path = "/rag/jobs", tag = "rag", params(ScopeQuery), responses(
    (status = 200, body = Page<IngestJobView>),
))]
pub(crate) async fn list_ingests(
    caller: Caller,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<ScopeQuery>,
) -> Result<Response, Problem> {
    let asked = (Wish::Follow, rules::LIST_INGESTS);
    let ScopeList { scope, who, limit, rows } = ScopeList::of(&caller, query, asked).await?;
    let rows = caller.state.governor().documents().ingest_jobs(&who, scope, rows).await?;
    let authors = rows.iter().filter_map(|row| row.author);
    let names = caller.state.names().of(caller.state.store(), authors).await?;
    let sent_to = caller.state.governor().documents().sent_to(scope).await?;
    let page = Page::of(
        rows,
        limit,
        |row| row.id.to_string(),
        |row| {
            let name = name_in(&names, row.author);
            IngestJobView::of(row, name, sent_to.clone())
        },
    );
    Ok(page.answer(&uri))
}

/// How far it is, for whoever may ingest there.
#[utoipa::path(get, path = "/rag/jobs/{id}", tag = "rag", params(("id" = Uuid, Path)), responses(
    (status = 200, body = IngestJobView),
))]
pub(crate) async fn get_ingest(
    caller: Caller,
    IdPath(id): IdPath<IngestJobId>,
) -> Result<Json<IngestJobView>, Problem> {
    let who = asked(&caller, (id, Wish::Follow), rules::GET_INGEST).await?;
    let row = caller.state.governor().documents().ingest_job(&who, id).await?;
    view(&caller, row).await.map(Json)
}

/// Cancels it, for whoever may ingest there: nothing of the file is kept. One whose document is there already is `ready` then, with
/// `NOT_EMBEDDED_CANCELLED`, and the document stays. One that has ended stays as it is.
#[utoipa::path(delete, path = "/rag/jobs/{id}", tag = "rag", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = IngestJobView),
))]
pub(crate) async fn cancel_ingest(
    caller: Caller,
    IdPath(id): IdPath<IngestJobId>,
) -> Result<Json<IngestJobView>, Problem> {
    let who = asked(&caller, (id, Wish::Change), rules::CANCEL_INGEST).await?;
    let row = caller.state.governor().documents().cancel_ingest(&who, id).await?;
    view(&caller, row).await.map(Json)
}

async fn take(
    caller: &Caller,
    (scope, rule): (Scope, &Rule),
    query: IngestQuery,
    file: FileBody,
) -> Result<Response, Problem> {
    within(caller, (scope, Wish::Change), rule).await?;
    let (media_type, bytes, place) = file.read(caller).await?;
    // A body may have come long after the rights were looked at.
    let who = within(caller, (scope, Wish::Change), rule).await?;
    let upload = Upload { name: query.name, title: query.title, media_type, bytes };
    let state = caller.state.clone();
    // It has its place until it is stored, also where the client hangs up.
    let stored = tokio::spawn(async move {
        let row = state.governor().documents().ingest(&who, scope, upload).await;
        drop(place);
        row
    });
    let row = stored.await.map_err(|_| ProblemCode::Internal)??;
    let location = format!("/api/v2/rag/jobs/{}", row.id);
    let view = view(caller, row).await?;
    // Names of files are texts of people: an erasure does not look into what is kept.
    let kept = json!({ "id": view.id, "state": view.state });
    let kept = KeptAnswer { status: StatusCode::ACCEPTED, body: kept };
    let location = [(header::LOCATION, location)];
    Ok((StatusCode::ACCEPTED, Extension(kept), location, Json(view)).into_response())
}

/// The caller in the scope of that ingest.
async fn asked(
    caller: &Caller,
    (id, wish): (IngestJobId, Wish),
    rule: &Rule,
) -> Result<Principal, Problem> {
    let scope = caller.state.governor().documents().scope_of_job(id).await?;
    within(caller, (scope.ok_or(ProblemCode::NotFound)?, wish), rule).await
}

async fn view(caller: &Caller, row: IngestJobRow) -> Result<IngestJobView, Problem> {
    let name = caller.state.names().of_one(caller.state.store(), row.author).await?;
    let sent_to = caller.state.governor().documents().sent_to(row.scope).await?;
    Ok(IngestJobView::of(row, name, sent_to))
}
