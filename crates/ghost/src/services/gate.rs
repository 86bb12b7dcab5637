//! What every call meets before and after the service's own work: log, faults, token.

use super::access::Asked;
use super::call::{ServiceCall, TokenState};
use super::fault::{Dropped, Fault};
use super::service::Desk;
use crate::room::Room;
use crate::served::cut;
use axum::{
    Json,
    body::Bytes,
    extract::{Query, Request, State},
    http::{HeaderMap, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A body that is read, in bytes.
const BODY_BYTES_MAX: usize = 64 * 1024;
pub const LOG_IN: &str = "/login";

/// Logged before anything is done: what reached the service counts.
pub async fn gate(State(room): State<Room<Desk>>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, BODY_BYTES_MAX).await;
    let (number, token, fault) = room.with(|desk| desk.receive(&parts, body.as_deref().ok()));
    let blocked = fault.as_ref().and_then(blocked);
    let answer = match (blocked, body) {
        (Some(answer), _) => answer,
        (None, Err(_)) => StatusCode::PAYLOAD_TOO_LARGE.into_response(),
        (None, Ok(_)) if token != TokenState::Valid && parts.uri.path() != LOG_IN => unauthorized(),
        (None, Ok(body)) => next.run(Request::from_parts(parts, body.into())).await,
    };
    let dropped = fault.as_ref().is_some_and(|fault| fault.drop.is_some());
    if let Some(fault) = fault {
        tokio::time::sleep(fault.delay()).await;
    }
    if dropped {
        return cut();
    }
    room.with(|desk| desk.log.answered(number, answer.status().as_u16()));
    answer
}

/// In place of the effect.
fn blocked(fault: &Fault) -> Option<Response> {
    if fault.drop == Some(Dropped::Before) {
        return Some(cut());
    }
    let status = StatusCode::from_u16(fault.status?).ok()?;
    let told = Json(json!({"error": "a fault that was asked for"}));
    let mut answer = (status, told).into_response();
    if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
        answer.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
    }
    Some(answer)
}

fn unauthorized() -> Response {
    let told = json!({"error": format!("log in at `{LOG_IN}` and send the token")});
    (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")], Json(told)).into_response()
}

pub async fn log_in(State(room): State<Room<Desk>>, body: Bytes) -> Response {
    let Ok(asked) = serde_json::from_slice::<Asked>(&body) else {
        let told = json!({"error": "the body is `username` and `password`"});
        return (StatusCode::BAD_REQUEST, Json(told)).into_response();
    };
    match room.with(|desk| desk.access.log_in(&asked)) {
        Some(token) => Json(json!({"token": token})).into_response(),
        None => {
            let told = json!({"error": "wrong user name or password"});
            (StatusCode::UNAUTHORIZED, Json(told)).into_response()
        }
    }
}

impl Desk {
    fn receive(&mut self, parts: &Parts, body: Option<&[u8]>) -> (u64, TokenState, Option<Fault>) {
        let (method, path) = (parts.method.as_str(), parts.uri.path());
        let token = self.token_of(&parts.headers);
        let number = self.log.add(ServiceCall {
            number: 0,
            at_ms: 0,
            method: method.to_owned(),
            path: path.to_owned(),
            query: query_of(parts),
            body: if path == LOG_IN { Value::Null } else { kept(body.unwrap_or_default()) },
            token,
            idempotency_key: text(&parts.headers, "idempotency-key").map(str::to_owned),
            status: None,
        });
        (number, token, self.faults.take(method, path))
    }
    fn token_of(&self, headers: &HeaderMap) -> TokenState {
        let Some(given) = text(headers, "authorization") else { return TokenState::Missing };
        match given.strip_prefix("Bearer ") {
            Some(token) => self.access.state_of(token),
            None => TokenState::Invalid,
        }
    }
}

fn query_of(parts: &Parts) -> BTreeMap<String, String> {
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri);
    pairs.map(|Query(pairs)| pairs.into_iter().collect()).unwrap_or_default()
}

fn kept(body: &[u8]) -> Value {
    if body.is_empty() {
        return Value::Null;
    }
    let text = || Value::String(String::from_utf8_lossy(body).into_owned());
    serde_json::from_slice(body).unwrap_or_else(|_| text())
}

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}
