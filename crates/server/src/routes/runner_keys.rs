//! Keys that runners of GHOST sign results with, for an administrator.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::runner_key::{AddRunnerKey, RunnerKeyList, RunnerKeyView, key_bytes},
    problem::Problem,
    request::{address::IdPath, payload::Payload},
};
use axum::{Json, http::StatusCode};
use wiiiv_domain::RunnerKeyId;

/// All that were registered, the revoked ones among them.
#[utoipa::path(get, path = "/ghost/keys", tag = "ghost", responses(
    (status = 200, body = RunnerKeyList),
))]
pub(crate) async fn list_runner_keys(caller: Caller) -> Result<Json<RunnerKeyList>, Problem> {
    caller.administer(rules::LIST_RUNNER_KEYS).await?;
    let keys = caller.state.store().runner_keys().await?;
    Ok(Json(RunnerKeyList { items: keys.into_iter().map(Into::into).collect() }))
}

/// Registers the public half of a runner's key: results that it signs count for their model from here on.
#[utoipa::path(post, path = "/ghost/keys", tag = "ghost", request_body = AddRunnerKey, responses(
    (status = 201, body = RunnerKeyView),
))]
pub(crate) async fn add_runner_key(
    caller: Caller,
    payload: Payload<AddRunnerKey>,
) -> Result<(StatusCode, Json<RunnerKeyView>), Problem> {
    let who = caller.administer(rules::ADD_RUNNER_KEY).await?;
    let AddRunnerKey { name, public_key } = payload.read()?;
    let public_key = key_bytes("public_key", &public_key)?;
    let key = caller.state.store().add_runner_key(&who, &name, public_key).await?;
    Ok((StatusCode::CREATED, Json(key.into())))
}

/// Revokes a key, for good. What it has signed counts no more, whenever it was recorded; an invariant that was
/// violated stays so.
#[utoipa::path(delete, path = "/ghost/keys/{id}", tag = "ghost", params(("id" = Uuid, Path)),
    responses(
    (status = 200, body = RunnerKeyView),
))]
pub(crate) async fn revoke_runner_key(
    caller: Caller,
    IdPath(id): IdPath<RunnerKeyId>,
) -> Result<Json<RunnerKeyView>, Problem> {
    let who = caller.administer(rules::REVOKE_RUNNER_KEY).await?;
    Ok(Json(caller.state.store().revoke_runner_key(&who, id).await?.into()))
}
