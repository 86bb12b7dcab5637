//! Writes a problem's body, in the client's language and with the request's trace id.

use super::{Problem, ProblemCode, korean::korean};
use crate::{listen::trace::TraceId, state::AppState};
use axum::{
    Json,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde_json::{Map, Value, json};

const REASON: &str = "reason";

/// Gives every error answer a problem body, also those that the router or a layer made.
pub(crate) async fn problems(
    State(state): State<AppState>,
    request: Request,
    next: Next,
) -> Response {
    let is_korean = prefers_korean(request.headers());
    let trace = request.extensions().get::<TraceId>().cloned();
    let response = next.run(request).await;
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let mut problem = match response.extensions().get::<Problem>() {
        Some(problem) => problem.clone(),
        None => Problem::new(ProblemCode::of_status(status)),
    };
    // Whatever could not be written: it is no passing failure.
    if problem.code == ProblemCode::Unavailable && state.store().fault().is_some() {
        problem.code = ProblemCode::AuditChanged;
    }
    render(&problem, response.headers(), is_korean, trace.as_ref())
}

const KEPT: [HeaderName; 2] = [header::ALLOW, header::RETRY_AFTER];

fn render(
    problem: &Problem,
    old: &HeaderMap,
    is_korean: bool,
    trace: Option<&TraceId>,
) -> Response {
    let code = problem.code;
    let (title, _) = if is_korean { code.korean() } else { code.english() };
    let [english, korean] = code.advice(&problem.params);
    let suggestion = if is_korean { korean } else { english };
    let body = json!({
        "type": format!("urn:wiiiv:problem:{}", code.as_str()),
        "title": title,
        "status": code.status().as_u16(),
        "code": code.as_str(),
        "params": params(problem, is_korean),
        "suggestion": suggestion,
        "trace_id": trace.map(TraceId::as_str),
    });
    let mut response = (code.status(), Json(body)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    let language = if is_korean { "ko" } else { "en" };
    headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(language));
    if code.status() == StatusCode::UNAUTHORIZED {
        let challenge = HeaderValue::from_static("Bearer realm=\"wiiiv\"");
        headers.insert(header::WWW_AUTHENTICATE, challenge);
    }
    for name in KEPT {
        if let Some(value) = old.get(&name) {
            headers.insert(name, value.clone());
        }
    }
    response
}

/// A reason is a sentence for people: it is told in their language, as the title is.
fn params(problem: &Problem, is_korean: bool) -> Map<String, Value> {
    let mut params = problem.params.clone();
    if is_korean
        && let Some(Value::String(reason)) = params.get_mut(REASON)
        && let Some(told) = korean(reason)
    {
        *reason = told;
    }
    params
}

/// Korean where it comes before English in `Accept-Language`.
fn prefers_korean(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|v| v.to_str().ok());
    let mut tags = accepted.unwrap_or_default().split(',').map(|tag| tag.trim().to_lowercase());
    tags.find(|tag| tag.starts_with("ko") || tag.starts_with("en"))
        .is_some_and(|tag| tag.starts_with("ko"))
}
