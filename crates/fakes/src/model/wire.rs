//! Chat completions as OpenAI-compatible servers write them, streamed or in one document.

use super::open_streams::OpenStream;
use crate::loopback::event_stream;
use axum::{
    Json,
    body::Body,
    http::StatusCode,
    response::{IntoResponse as _, Response},
};
use futures::stream;
use serde_json::json;
use std::{convert::Infallible, time::Duration};

/// Tokens of every prompt, unless a mode says otherwise.
const PROMPT_TOKENS: u64 = 100;
/// Slower than any hold is spent, and sooner than a client gives up for silence.
const DRIP_PAUSE: Duration = Duration::from_millis(200);

pub fn completion(text: &str, streamed: bool) -> Response {
    completion_with_usage(text, streamed, PROMPT_TOKENS)
}

/// `prompt_tokens`: what the usage says of the prompt.
pub fn completion_with_usage(text: &str, streamed: bool, prompt_tokens: u64) -> Response {
    let written = u64::try_from(text.len() / 4).unwrap_or(u64::MAX);
    let usage = json!({
        "prompt_tokens": prompt_tokens, "completion_tokens": written,
        "total_tokens": prompt_tokens.saturating_add(written),
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
    event_stream(Body::from_stream(stream::iter(parts)))
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

pub fn endless(stream: OpenStream) -> Response {
    let more = stream::unfold(stream, |stream| async move {
        tokio::task::yield_now().await;
        Some((Ok::<_, Infallible>(chunk("그리고 계속해서 ")), stream))
    });
    event_stream(Body::from_stream(more))
}

pub fn dripping(stream: OpenStream) -> Response {
    let more = stream::unfold(stream, |stream| async move {
        tokio::time::sleep(DRIP_PAUSE).await;
        Some((Ok::<_, Infallible>(chunk("네 ")), stream))
    });
    event_stream(Body::from_stream(more))
}
