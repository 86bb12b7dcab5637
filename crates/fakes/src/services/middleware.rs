//! What happens to every call before and after its route: the log, faults, the token.

use super::{
    access::LogInRequest,
    call::{ServiceCall, TokenState, query_of},
    fault::{Dropped, Fault},
    service_state::ServiceState,
};
use crate::{
    loopback::{close_connection, header_text},
    shared::Shared,
};
use axum::{
    Json,
    body::Bytes,
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

/// A request body, in bytes.
const BODY_BYTES_MAX: usize = 64 * 1024;
/// Where a service exchanges name and password for a token.
pub const LOG_IN_PATH: &str = "/login";

/// Logs a call before anything is done with it: the log counts what reached the service.
pub async fn log_and_authenticate(
    State(state): State<Shared<ServiceState>>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, BODY_BYTES_MAX).await;
    let (number, token, fault) = state.with(|state| state.receive(&parts, body.as_deref().ok()));
    let blocked = fault.as_ref().and_then(blocked);
    let answer = match (blocked, body) {
        (Some(answer), _) => answer,
        (None, Err(_)) => StatusCode::PAYLOAD_TOO_LARGE.into_response(),
        (None, Ok(_)) if token != TokenState::Valid && parts.uri.path() != LOG_IN_PATH => {
            unauthorized()
        }
        (None, Ok(body)) => next.run(Request::from_parts(parts, body.into())).await,
    };
    let dropped = fault.as_ref().is_some_and(|fault| fault.drop.is_some());
    if let Some(fault) = fault {
        tokio::time::sleep(fault.delay()).await;
    }
    if dropped {
        return close_connection();
    }
    state.with(|state| state.log.answered(number, answer.status().as_u16()));
    answer
}

/// The answer in place of the route's own, if the fault has one.
fn blocked(fault: &Fault) -> Option<Response> {
    if fault.drop == Some(Dropped::Before) {
        return Some(close_connection());
    }
    let status = StatusCode::from_u16(fault.status?).ok()?;
    let error = Json(json!({"error": "a fault that was asked for"}));
    let mut answer = (status, error).into_response();
    if matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
        answer.headers_mut().insert(header::RETRY_AFTER, header::HeaderValue::from_static("1"));
    }
    Some(answer)
}

fn unauthorized() -> Response {
    let error = json!({"error": format!("log in at `{LOG_IN_PATH}` and send the token")});
    (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")], Json(error)).into_response()
}

pub async fn log_in(State(state): State<Shared<ServiceState>>, body: Bytes) -> Response {
    let Ok(request) = serde_json::from_slice::<LogInRequest>(&body) else {
        let error = json!({"error": "the body is `username` and `password`"});
        return (StatusCode::BAD_REQUEST, Json(error)).into_response();
    };
    match state.with(|state| state.access.log_in(&request)) {
        Some(token) => Json(json!({"token": token})).into_response(),
        None => {
            let error = json!({"error": "wrong user name or password"});
            (StatusCode::UNAUTHORIZED, Json(error)).into_response()
        }
    }
}

impl ServiceState {
    fn receive(&mut self, parts: &Parts, body: Option<&[u8]>) -> (u64, TokenState, Option<Fault>) {
        let (method, path) = (parts.method.as_str(), parts.uri.path());
        let token = self.token_of(&parts.headers);
        let number = self.log.add(ServiceCall {
            number: 0,
            at_ms: 0,
            method: method.to_owned(),
            path: path.to_owned(),
            query: query_of(&parts.uri),
            body: if path == LOG_IN_PATH {
                Value::Null
            } else {
                logged_body(body.unwrap_or_default())
            },
            token,
            idempotency_key: header_text(&parts.headers, "idempotency-key").map(str::to_owned),
            status: None,
        });
        (number, token, self.faults.take(method, path))
    }
    fn token_of(&self, headers: &HeaderMap) -> TokenState {
        let Some(given) = header_text(headers, "authorization") else { return TokenState::Missing };
        match given.strip_prefix("Bearer ") {
            Some(token) => self.access.state_of(token),
            None => TokenState::Invalid,
        }
    }
}

fn logged_body(body: &[u8]) -> Value {
    if body.is_empty() {
        return Value::Null;
    }
    let text = || Value::String(String::from_utf8_lossy(body).into_owned());
    serde_json::from_slice(body).unwrap_or_else(|_| text())
}
