//! Receipts of executions: their decision, with its place in the audit.

use crate::{
    access::{authorization as rules, caller::Caller},
    problem::Problem,
    request::address::IdPath,
    routes::executions::entered,
};
use axum::{
    http::header,
    response::{IntoResponse, Response},
};
use wiiiv_domain::ExecutionId;

/// Canonical JSON with an inclusion proof; asking for it is itself recorded.
#[utoipa::path(get, path = "/executions/{id}/receipt", tag = "audit", params(("id" = Uuid, Path)),
    responses(
    (status = 200, description = "See the format of audit exports.", body = Object),
))]
pub(crate) async fn get_receipt(
    caller: Caller,
    IdPath(id): IdPath<ExecutionId>,
) -> Result<Response, Problem> {
    entered(&caller, id, rules::GET_RECEIPT).await?;
    let receipt = caller.state.store().receipt(id).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], receipt).into_response())
}
