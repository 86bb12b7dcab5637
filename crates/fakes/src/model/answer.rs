//! The answer to one request in a given mode.

use super::{hostile, mode::ModelMode, open_streams::OpenStreams, wire};
use crate::{loopback::event_stream, nesting::open_lists};
use axum::{
    Json,
    body::Body,
    http::StatusCode,
    response::{IntoResponse as _, Response},
};
use serde_json::{Value, json};

pub fn is_streamed(request: &Value) -> bool {
    request.get("stream").and_then(Value::as_bool).unwrap_or(false)
}

/// `nth`: the request's number in this mode, from 1.
pub async fn respond(
    mode: ModelMode,
    nth: usize,
    request: &Value,
    streams: &OpenStreams,
) -> Response {
    let streamed = is_streamed(request);
    match mode {
        ModelMode::NoSchema(_) if request.get("response_format").is_some() => {
            let error = json!({"error": {"message": "unknown field `response_format`"}});
            (StatusCode::BAD_REQUEST, Json(error)).into_response()
        }
        ModelMode::RateLimitedOnce(_) if nth == 1 => wire::rate_limited(),
        ModelMode::NoSchema(text) => wire::completion(&text, streamed),
        ModelMode::Tells(read, text) => wire::completion_with_usage(&text, streamed, read),
        ModelMode::NoUsage(text) => {
            event_stream(Body::from(format!("{}data: [DONE]\n\n", wire::chunk(&text))))
        }
        ModelMode::Declines => {
            let delta =
                json!({"choices": [{"index": 0, "delta": {"refusal": "I would rather not"}}]});
            event_stream(Body::from(format!("data: {delta}\n\n")))
        }
        ModelMode::BrokenStream => event_stream(Body::from("data: {\"choices\":\n\n")),
        ModelMode::Refuses(status, body) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::IM_A_TEAPOT);
            (status, body).into_response()
        }
        ModelMode::Script(texts) => wire::completion(scripted(&texts, nth), streamed),
        ModelMode::RateLimitedOnce(texts) => wire::completion(scripted(&texts, nth - 1), streamed),
        ModelMode::OnMark { mark, with, without } => {
            let marked = request.to_string().contains(&mark);
            wire::completion(if marked { &with } else { &without }, streamed)
        }
        // One level: a persona has no personas.
        ModelMode::Personas(_) => StatusCode::NOT_IMPLEMENTED.into_response(),
        ModelMode::AlwaysExecute => wire::completion(&hostile::execute(nth), streamed),
        ModelMode::ForgedYes => wire::completion(&hostile::forged(nth), streamed),
        ModelMode::Garbage => wire::completion(hostile::GARBAGE, streamed),
        ModelMode::Deep => wire::completion(&open_lists(), streamed),
        ModelMode::WrongTypes => wire::completion(hostile::WRONG_TYPES, streamed),
        ModelMode::Endless => wire::endless(streams.enter()),
        ModelMode::Drips => wire::dripping(streams.enter()),
        ModelMode::Silent => {
            let _open = streams.enter();
            std::future::pending().await
        }
        ModelMode::Slow(delay, text) => {
            tokio::time::sleep(delay).await;
            wire::completion(&text, streamed)
        }
        ModelMode::Mixed { endless_every, .. } if nth.is_multiple_of(endless_every) => {
            wire::endless(streams.enter())
        }
        ModelMode::Mixed { after, read, text, .. } => {
            tokio::time::sleep(after).await;
            wire::completion_with_usage(&text, streamed, read)
        }
        ModelMode::RateLimited => wire::rate_limited(),
        ModelMode::Broken => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The last text repeats.
fn scripted(texts: &[String], nth: usize) -> &str {
    let at = nth.min(texts.len()).saturating_sub(1);
    texts.get(at).map_or("", String::as_str)
}
