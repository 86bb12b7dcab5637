//! The audit: search, verification, export, and the key that signs it.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::audit::{
        AuditKey, AuditKeys, AuditQuery, AuditRecordView, AuditVerified, FeedQuery, names_project,
        people_in, person_of,
    },
    problem::{Problem, ProblemCode},
    request::{
        address::IdPath,
        days::between,
        page::{Page, PageQuery},
        query::{Params, searched},
    },
    state::AppState,
    view::export::export_stream,
};
use axum::{
    Json,
    extract::OriginalUri,
    http::header,
    response::{IntoResponse, Response},
};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;
use wiiiv_domain::{ProjectId, UserId};
use wiiiv_store::{AuditFound, AuditRow, AuditSearch, Chain, Touch};

const KEY_ID_BYTES: usize = 8;

/// Newest first.
#[utoipa::path(get, path = "/projects/{id}/audit", tag = "audit",
    params(("id" = Uuid, Path), AuditQuery), responses(
    (status = 200, body = Page<AuditRecordView>),
))]
pub(crate) async fn search_audit(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<AuditQuery>,
) -> Result<Response, Problem> {
    let state = &caller.state;
    caller.enter(id, rules::SEARCH_AUDIT).await?;
    let page = PageQuery { limit: query.limit, cursor: query.cursor.clone() };
    let limit = page.limit()?;
    let before = page.after()?;
    let Some(wanted) = wanted(state, id, query, (before, page.rows()?)).await? else {
        return Ok(Page::<AuditRecordView> { items: Vec::new(), next_cursor: None }.answer(&uri));
    };
    let AuditFound { rows, rest } = state.store().audit_find(Chain::Project(id), &wanted).await?;
    let named = |row: &AuditRow| people_in(&row.body).into_iter().chain(person_of(&row.body));
    let people: Vec<UserId> = rows.iter().flat_map(named).collect();
    let names = state.names().of(state.store(), people).await?;
    let project = match rows.iter().any(|row| names_project(&row.body)) {
        true => state.store().project(id).await?,
        false => None,
    };
    let called = project.as_ref().map(|row| row.name.as_str());
    let cursor = |row: &AuditRow| row.seq.to_string();
    let page = Page::of(rows, limit, cursor, |row| AuditRecordView::of(row, &names, called));
    Ok(page.going_on_at(rest.map(|before| before.to_string())).answer(&uri))
}

/// What the store is asked; `None` where no plan can match.
async fn wanted(
    state: &AppState,
    project: ProjectId,
    query: AuditQuery,
    (before, limit): (Option<u64>, u64),
) -> Result<Option<AuditSearch>, Problem> {
    let (from, until) = between(query.from.as_deref(), query.until.as_deref())?;
    let store = state.store();
    let touch = Touch { system: query.system, path: query.path };
    let mut about = query.about.map(|id| vec![id]);
    if !touch.is_empty() {
        let plans = store.plans_touching(project, &touch).await?;
        let ids = store.ids_about(&plans).await?;
        let both = |asked: Vec<Uuid>| asked.into_iter().filter(|id| ids.contains(id)).collect();
        about = Some(about.map_or_else(|| ids.clone(), both));
    }
    if about.as_ref().is_some_and(Vec::is_empty) {
        return Ok(None);
    }
    let words = match searched(query.q.as_deref())? {
        Some(text) => with_names(store.users_named(&text).await?, text),
        None => Vec::new(),
    };
    let kinds = query.kind.as_deref().unwrap_or_default().split(',').map(str::trim);
    let kinds = kinds.filter(|kind| !kind.is_empty()).map(str::to_owned).collect();
    let (person, outcome) = (query.actor.map(UserId::from), query.outcome.map(Into::into));
    Ok(Some(AuditSearch { kinds, about, person, outcome, from, until, words, before, limit }))
}

/// The record of a person holds the id: it is found by the name too.
fn with_names(named: Vec<UserId>, text: String) -> Vec<String> {
    let ids = named.into_iter().map(|user| user.to_string());
    std::iter::once(text).chain(ids).collect()
}

/// Whether the project's chain is what was written. An answer is of the chain as it stood within
/// the last minute.
#[utoipa::path(get, path = "/projects/{id}/audit/verify", tag = "audit",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = AuditVerified),
))]
pub(crate) async fn verify_audit(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<Json<AuditVerified>, Problem> {
    caller.enter(id, rules::VERIFY_AUDIT).await?;
    let chain = Chain::Project(id);
    caller.state.audit_check().of(caller.state.store(), chain).await.map(Json)
}

/// A whole chain as lines of JSON, signed: `server` for an administrator, else a project's id.
#[utoipa::path(get, path = "/audit/{id}/export", tag = "audit",
    params(("id" = String, Path, description = "`server` or a project's id")), responses(
    (status = 200, body = String, content_type = "application/jsonl"),
))]
pub(crate) async fn export_audit(
    caller: Caller,
    IdPath(chain): IdPath<Chain>,
) -> Result<Response, Problem> {
    read_chain(&caller, chain, rules::EXPORT_AUDIT).await?;
    let body = export_stream(caller.state.store().clone(), chain).await?;
    let name = format!("attachment; filename=\"audit-{chain}.jsonl\"");
    let headers = [
        (header::CONTENT_TYPE, "application/jsonl".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, body).into_response())
}

/// The next lines of a chain behind a position: records and checkpoints, as an export has them. Whoever keeps
/// the last record's number and hash, and the last checkpoint's size, comes back with them.
#[utoipa::path(get, path = "/audit/{id}/feed", tag = "audit",
    params(("id" = String, Path, description = "`server` or a project's id"), FeedQuery), responses(
    (status = 200, body = String, content_type = "application/jsonl"),
))]
pub(crate) async fn feed_audit(
    caller: Caller,
    IdPath(chain): IdPath<Chain>,
    Params(query): Params<FeedQuery>,
) -> Result<Response, Problem> {
    read_chain(&caller, chain, rules::FEED_AUDIT).await?;
    let page = caller.state.store().feed(chain, query.position()?).await?;
    Ok(([(header::CONTENT_TYPE, "application/jsonl")], page.text).into_response())
}

/// Of the server's chain not even the name is for others than administrators.
async fn read_chain(caller: &Caller, chain: Chain, rule: &rules::Rule) -> Result<(), Problem> {
    match chain {
        Chain::Server if caller.account.rights().admin => Ok(()),
        Chain::Server => Err(ProblemCode::NotFound.into()),
        Chain::Project(project) => caller.enter(project, rule).await.map(drop),
    }
}

/// What exports and receipts are verified with.
#[utoipa::path(get, path = "/audit/keys", tag = "audit", responses(
    (status = 200, body = AuditKeys),
))]
pub(crate) async fn audit_keys(caller: Caller) -> Result<Json<AuditKeys>, Problem> {
    let public_key = caller.state.store().audit_public_key();
    let raw = hex::decode(&public_key).map_err(|_| ProblemCode::Internal)?;
    let digest = Sha256::digest(raw);
    let key_id = hex::encode(digest.iter().take(KEY_ID_BYTES).copied().collect::<Vec<u8>>());
    Ok(Json(AuditKeys { items: vec![AuditKey { key_id, algorithm: "Ed25519", public_key }] }))
}
