//! A project's webhook, which is told what waits for a person.

use crate::{
    access::{authorization as rules, caller::Caller},
    dto::webhook::{PutWebhook, WebhookSet, WebhookView},
    problem::Problem,
    request::{address::IdPath, payload::Payload},
};
use axum::{Json, http::StatusCode};
use secrecy::ExposeSecret as _;
use wiiiv_domain::ProjectId;

/// With its newest deliveries. The secret is not shown.
#[utoipa::path(get, path = "/projects/{id}/webhook", tag = "approvals",
    params(("id" = Uuid, Path)), responses(
    (status = 200, body = WebhookView),
))]
pub(crate) async fn get_webhook(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<Json<WebhookView>, Problem> {
    let who = caller.enter(id, rules::GET_WEBHOOK).await?;
    let (hook, deliveries) = caller.state.governor().webhooks().show(&who, id).await?;
    let by = hook.as_ref().map(|hook| hook.set_by);
    let name = caller.state.names().of_one(caller.state.store(), by).await?;
    Ok(Json(WebhookView::of(hook, name, deliveries)))
}

/// In the place of the one that is there. It is told of requests from then on, signed by the secret in the
/// answer, which is shown this once.
#[utoipa::path(put, path = "/projects/{id}/webhook", tag = "approvals",
    params(("id" = Uuid, Path)), request_body = PutWebhook, responses(
    (status = 200, body = WebhookSet),
))]
pub(crate) async fn put_webhook(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
    payload: Payload<PutWebhook>,
) -> Result<Json<WebhookSet>, Problem> {
    let who = caller.enter(id, rules::PUT_WEBHOOK).await?;
    let PutWebhook { url } = payload.read()?;
    let (hook, secret) = caller.state.governor().webhooks().set(&who, id, url).await?;
    let secret = secret.expose_secret().to_owned();
    Ok(Json(WebhookSet { url: hook.url, set_at: hook.set_at.to_string(), secret }))
}

/// With its secret, and what waits to be told. Where there is none nothing happens.
#[utoipa::path(delete, path = "/projects/{id}/webhook", tag = "approvals",
    params(("id" = Uuid, Path)), responses(
    (status = 204),
))]
pub(crate) async fn delete_webhook(
    caller: Caller,
    IdPath(id): IdPath<ProjectId>,
) -> Result<StatusCode, Problem> {
    let who = caller.enter(id, rules::DELETE_WEBHOOK).await?;
    caller.state.governor().webhooks().remove(&who, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
