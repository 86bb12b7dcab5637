//! The audit: search, verify, export, and the key that it is signed with.

use crate::{
    address::IdPath,
    authorization::{EXPORT_AUDIT, SEARCH_AUDIT, VERIFY_AUDIT},
    caller::Caller,
    dto::{
        audit::{AuditKey, AuditKeys, AuditQuery, AuditRecordView, AuditVerified},
        problem::ProblemBody,
    },
    export::export_stream,
    page::Page,
    problem::{Problem, ProblemCode},
    query::Params,
    state::AppState,
};
use axum::{
    Json,
    extract::{OriginalUri, State},
    http::header,
    response::{IntoResponse, Response},
};
use sha2::{Digest as _, Sha256};
use wiiiv_domain::ProjectId;
use wiiiv_store::{AuditFilter, AuditRow, Chain};

const KEY_ID_BYTES: usize = 8;

/// Newest first.
#[utoipa::path(get, path = "/projects/{id}/audit", tag = "audit",
    params(("id" = Uuid, Path), AuditQuery), responses(
    (status = 200, body = Page<AuditRecordView>),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn search_audit(
    State(state): State<AppState>,
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    OriginalUri(uri): OriginalUri,
    Params(query): Params<AuditQuery>,
) -> Result<Response, Problem> {
    caller.enter(id, SEARCH_AUDIT).await?;
    let page = query.page();
    let limit = page.limit()?;
    let before = page.after()?;
    let AuditQuery { kind, about, .. } = query;
    let filter = AuditFilter { kind, about, before, limit: Some(page.rows()?) };
    let rows = state.store().audit_search(Chain::Project(id), &filter).await?;
    let cursor = |row: &AuditRow| row.seq.to_string();
    Ok(Page::of(rows, limit, cursor, AuditRecordView::from).answer(&uri))
}

/// Whether the project's chain is what was written. An answer is of the chain as it stood within
/// the last minute.
#[utoipa::path(get, path = "/projects/{id}/audit/verify", tag = "audit",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = AuditVerified),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn verify_audit(
    State(state): State<AppState>,
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<Json<AuditVerified>, Problem> {
    caller.enter(id, VERIFY_AUDIT).await?;
    let chain = Chain::Project(id);
    state.audit_check().of(state.store(), chain).await.map(Json)
}

/// A whole chain as lines of JSON, signed: `server` for an administrator, else a project's id.
#[utoipa::path(get, path = "/audit/{id}/export", tag = "audit",
    params(("id" = String, Path, description = "`server` or a project's id")), responses(
    (status = 200, body = String, content_type = "application/jsonl"),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn export_audit(
    State(state): State<AppState>,
    caller: Caller,
    IdPath(chain): IdPath<Chain>,
) -> Result<Response, Problem> {
    match chain {
        // Not even its name is for others.
        Chain::Server if caller.account.rights().admin => {}
        Chain::Server => return Err(ProblemCode::NotFound.into()),
        Chain::Project(project) => {
            caller.enter(project, EXPORT_AUDIT).await?;
        }
    }
    let body = export_stream(state.store().clone(), chain).await?;
    let name = format!("attachment; filename=\"audit-{chain}.jsonl\"");
    let headers = [
        (header::CONTENT_TYPE, "application/jsonl".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, body).into_response())
}

/// What exports and receipts are verified with.
#[utoipa::path(get, path = "/audit/keys", tag = "audit", responses(
    (status = 200, body = AuditKeys),
    (status = "4XX", body = ProblemBody, content_type = "application/problem+json"),
))]
pub(crate) async fn audit_keys(
    State(state): State<AppState>,
    _caller: Caller,
) -> Result<Json<AuditKeys>, Problem> {
    let public_key = state.store().audit_public_key();
    let raw = hex::decode(&public_key).map_err(|_| ProblemCode::Internal)?;
    let digest = Sha256::digest(raw);
    let key_id = hex::encode(digest.iter().take(KEY_ID_BYTES).copied().collect::<Vec<u8>>());
    Ok(Json(AuditKeys { items: vec![AuditKey { key_id, algorithm: "Ed25519", public_key }] }))
}
