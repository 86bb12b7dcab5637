//! `Idempotency-Key`: a POST that is repeated with its key is performed once.
//!
//! The store keeps a keyed hash of the request without its secrets, and an answer without secrets.
//! The answer is repeated only to a caller whom a new request would let in.

use crate::{
    access::{
        caller::Caller,
        scoped::may_send_file,
        still_held::still_held,
        used_rights::{UsedRight, UsedRights},
    },
    limits::{BODY_BYTES_MAX, IDEMPOTENCY_KEY_BYTES_MAX},
    listen::timed_body::is_too_slow,
    problem::{Problem, ProblemCode},
    request::{
        file::read_file,
        fingerprint::{file_fingerprint, fingerprint},
    },
    state::AppState,
};
use axum::{
    Json,
    body::{Body, Bytes, to_bytes},
    extract::{FromRequestParts as _, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wiiiv_domain::UserId;
use wiiiv_store::IdempotencyStart;

const KEY_HEADER: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED_HEADER: HeaderName = HeaderName::from_static("idempotency-replayed");

/// What is kept in an answer's place, where the answer is a stream or holds a secret.
#[derive(Debug, Clone)]
pub(crate) struct KeptAnswer {
    pub status: StatusCode,
    pub body: Value,
}

/// An answer as it is kept for 24 hours.
#[derive(Debug, Serialize, Deserialize)]
struct StoredAnswer {
    body: Value,
    location: Option<String>,
    etag: Option<String>,
    /// What the caller had to be allowed to.
    rights: Vec<UsedRight>,
}

/// What the bodies of a group of routes are.
#[derive(Debug, Clone, Copy)]
enum BodyKind {
    Json,
    File,
}

pub(crate) async fn idempotent(
    State(state): State<AppState>,
    request: Request,
    next: Next,
) -> Response {
    with_key(&state, BodyKind::Json, request, next).await
}

/// The same where the body is the bytes of a file.
pub(crate) async fn idempotent_file(
    State(state): State<AppState>,
    request: Request,
    next: Next,
) -> Response {
    with_key(&state, BodyKind::File, request, next).await
}

async fn with_key(state: &AppState, kind: BodyKind, request: Request, next: Next) -> Response {
    let key = match key_of(&request) {
        Ok(Some(key)) => key,
        Ok(None) => return next.run(request).await,
        Err(problem) => return problem.into_response(),
    };
    once(state, (key, kind), request, next).await.unwrap_or_else(Problem::into_response)
}

fn key_of(request: &Request) -> Result<Option<String>, Problem> {
    let value = request.headers().get(KEY_HEADER).filter(|_| request.method() == Method::POST);
    let Some(value) = value else { return Ok(None) };
    let malformed = || Problem::new(ProblemCode::InvalidHeader).with("header", KEY_HEADER.as_str());
    let text = value.to_str().map_err(|_| malformed())?.trim();
    let fits = (1..=IDEMPOTENCY_KEY_BYTES_MAX).contains(&text.len());
    if fits { Ok(Some(text.to_owned())) } else { Err(malformed()) }
}

async fn once(
    state: &AppState,
    (key, kind): (String, BodyKind),
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let (mut parts, body) = request.into_parts();
    let caller = Caller::from_request_parts(&mut parts, state).await?;
    let user = caller.user();
    let body = match kind {
        BodyKind::Json => to_bytes(body, BODY_BYTES_MAX).await.map_err(|error| unread(&error))?,
        BodyKind::File => {
            may_send_file(&caller, parts.uri.path()).await?;
            let (file, place) = read_file(body, &caller).await?;
            parts.extensions.insert(place);
            file
        }
    };
    let target = parts.uri.path_and_query().map_or("", |p| p.as_str());
    let asked = match kind {
        BodyKind::Json => fingerprint(target, &body),
        BodyKind::File => file_fingerprint(target, &body),
    };
    match state.store().idempotency_begin(user, &key, &asked).await? {
        IdempotencyStart::Fresh => {}
        IdempotencyStart::InFlight => return Err(ProblemCode::IdempotencyInFlight.into()),
        IdempotencyStart::OtherRequest => return Err(ProblemCode::IdempotencyMismatch.into()),
        IdempotencyStart::Answered { status, response } => {
            return replay(&caller, status, &response).await;
        }
    }
    let used = UsedRights::default();
    parts.extensions.insert(used.clone());
    let request = Request::from_parts(parts, Body::from(body));
    let state = state.clone();
    // Goes on where the client hangs up or the time is over: the key must come to its answer.
    let work = tokio::spawn(async move {
        let work = tokio::spawn(next.run(request));
        let response =
            work.await.unwrap_or_else(|_| Problem::new(ProblemCode::Internal).into_response());
        keep(&state, (user, &key), response, used.all()).await
    });
    work.await.map_err(|_| Problem::new(ProblemCode::Internal))?
}

fn unread(error: &axum::Error) -> Problem {
    if is_too_slow(error) { ProblemCode::RequestTimeout } else { ProblemCode::BodyTooLarge }.into()
}

/// Successes are kept. A refusal did nothing, so the key may be used again; after an internal
/// failure nobody knows, so that is kept as well.
async fn keep(
    state: &AppState,
    (user, key): (UserId, &str),
    response: Response,
    rights: Vec<UsedRight>,
) -> Result<Response, Problem> {
    let status = response.status();
    if !status.is_success() && status != StatusCode::INTERNAL_SERVER_ERROR {
        state.store().idempotency_forget(user, key).await?;
        return Ok(response);
    }
    let headers = response.headers();
    let (location, etag) = (text(headers, header::LOCATION), text(headers, header::ETAG));
    let (status, body, response) = match response.extensions().get::<KeptAnswer>().cloned() {
        Some(answer) => (answer.status, answer.body, response),
        None => {
            let (parts, body) = response.into_parts();
            let body = to_bytes(body, BODY_BYTES_MAX).await.unwrap_or_default();
            let value = serde_json::from_slice(&body).unwrap_or(Value::Null);
            (status, value, Response::from_parts(parts, Body::from(body)))
        }
    };
    let kept =
        serde_json::to_vec(&StoredAnswer { body, location, etag, rights }).unwrap_or_default();
    state.store().idempotency_finish(user, key, status.as_u16(), kept).await?;
    Ok(response)
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

async fn replay(caller: &Caller, status: u16, bytes: &[u8]) -> Result<Response, Problem> {
    let status = StatusCode::from_u16(status).map_err(|_| ProblemCode::Internal)?;
    if status.is_server_error() {
        return Err(ProblemCode::Internal.into());
    }
    let kept: StoredAnswer = serde_json::from_slice(bytes).map_err(|_| ProblemCode::Internal)?;
    for right in &kept.rights {
        still_held(right, caller).await?;
    }
    let mut response = match kept.body {
        Value::Null => (status, Bytes::new()).into_response(),
        body => (status, Json(body)).into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(REPLAYED_HEADER, HeaderValue::from_static("true"));
    for (name, text) in [(header::LOCATION, kept.location), (header::ETAG, kept.etag)] {
        if let Some(value) = text.and_then(|text| HeaderValue::from_str(&text).ok()) {
            headers.insert(name, value);
        }
    }
    Ok(response)
}
