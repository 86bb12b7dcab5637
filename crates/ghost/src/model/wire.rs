//! Chat completions as OpenAI-compatible servers write them, streamed or whole.

use super::answer::Reader;
use axum::{
    Json,
    body::Body,
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
};
use futures::stream;
use serde_json::json;
use std::{convert::Infallible, time::Duration};

/// Tokens of a prompt, whatever it was.
const READ: u64 = 100;
/// Slower than any hold is spent, and sooner than anybody takes it for silence.
pub const DRIP: Duration = Duration::from_millis(200);

pub fn words(text: &str, streamed: bool) -> Response {
    words_of(text, streamed, READ)
}

/// `read`: the tokens of the prompt, as it tells them.
pub fn words_of(text: &str, streamed: bool, read: u64) -> Response {
    let written = u64::try_from(text.len() / 4).unwrap_or(u64::MAX);
    let usage = json!({
        "prompt_tokens": read, "completion_tokens": written,
        "total_tokens": read.saturating_add(written),
    });
    if !streamed {
        let choice = json!({
            "index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": text},
        });
        return Json(json!({
            "id": "fake", "object": "chat.completion", "choices": [choice], "usage": usage,
        }))
        .into_response();
    }
    let mut events = Vec::new();
    let chars: Vec<char> = text.chars().collect();
    for part in chars.chunks(24) {
        events.push(chunk(&part.iter().collect::<String>()));
    }
    let end = json!({
        "id": "fake", "object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
    });
    let used = json!({
        "id": "fake", "object": "chat.completion.chunk", "choices": [], "usage": usage,
    });
    events.push(format!("data: {end}\n\n"));
    events.push(format!("data: {used}\n\ndata: [DONE]\n\n"));
    let parts = events.into_iter().map(Ok::<_, Infallible>);
    events_of(Body::from_stream(stream::iter(parts)))
}

pub fn chunk(text: &str) -> String {
    let chunk = json!({
        "id": "fake", "object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": {"content": text}}],
    });
    format!("data: {chunk}\n\n")
}

pub fn rate_limited() -> Response {
    (StatusCode::TOO_MANY_REQUESTS, [("retry-after", "1")], "slow down").into_response()
}

pub fn endless(reader: Reader) -> Response {
    let more = stream::unfold(reader, |reader| async move {
        tokio::task::yield_now().await;
        Some((Ok::<_, Infallible>(chunk("그리고 계속해서 ")), reader))
    });
    events_of(Body::from_stream(more))
}

pub fn dripping(reader: Reader) -> Response {
    let more = stream::unfold(reader, |reader| async move {
        tokio::time::sleep(DRIP).await;
        Some((Ok::<_, Infallible>(chunk("네 ")), reader))
    });
    events_of(Body::from_stream(more))
}

pub fn events_of(body: Body) -> Response {
    ([(header::CONTENT_TYPE, "text/event-stream")], body).into_response()
}
