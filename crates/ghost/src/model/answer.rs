//! One answer to one request, as the mode has it.

use super::mode::ModelMode;
use super::{hostile, wire};
use axum::{
    Json,
    body::Body,
    http::StatusCode,
    response::{IntoResponse as _, Response},
};
use serde_json::{Value, json};
use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Answers that have no end, and that somebody still waits for.
#[derive(Clone, Default)]
pub struct OpenStreams(Arc<AtomicUsize>);

impl OpenStreams {
    pub fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

/// Counted as long as the answer is waited for.
pub struct Reader(OpenStreams);

impl Reader {
    fn of(streams: &OpenStreams) -> Self {
        streams.0.fetch_add(1, Ordering::SeqCst);
        Self(streams.clone())
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

pub fn is_streamed(asked: &Value) -> bool {
    asked.get("stream").and_then(Value::as_bool).unwrap_or(false)
}

/// `nth`: the request's number in this mode, from 1.
pub async fn respond(
    mode: ModelMode,
    nth: usize,
    asked: &Value,
    streams: &OpenStreams,
) -> Response {
    let streamed = is_streamed(asked);
    match mode {
        ModelMode::NoSchema(_) if asked.get("response_format").is_some() => {
            let error = json!({"error": {"message": "unknown field `response_format`"}});
            (StatusCode::BAD_REQUEST, Json(error)).into_response()
        }
        ModelMode::RateLimitedOnce(_) if nth == 1 => wire::rate_limited(),
        ModelMode::NoSchema(text) => wire::words(&text, streamed),
        ModelMode::Tells(read, text) => wire::words_of(&text, streamed, read),
        ModelMode::NoUsage(text) => {
            wire::events_of(Body::from(format!("{}data: [DONE]\n\n", wire::chunk(&text))))
        }
        ModelMode::Declines => {
            let delta =
                json!({"choices": [{"index": 0, "delta": {"refusal": "I would rather not"}}]});
            wire::events_of(Body::from(format!("data: {delta}\n\n")))
        }
        ModelMode::BrokenStream => wire::events_of(Body::from("data: {\"choices\":\n\n")),
        ModelMode::Refuses(status, body) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::IM_A_TEAPOT);
            (status, body).into_response()
        }
        ModelMode::Script(texts) => wire::words(text_of(&texts, nth), streamed),
        ModelMode::RateLimitedOnce(texts) => wire::words(text_of(&texts, nth - 1), streamed),
        ModelMode::OnMark { mark, with, without } => {
            let marked = asked.to_string().contains(&mark);
            wire::words(if marked { &with } else { &without }, streamed)
        }
        ModelMode::AlwaysExecute => wire::words(&hostile::execute(nth), streamed),
        ModelMode::ForgedYes => wire::words(&hostile::forged(nth), streamed),
        ModelMode::Garbage => wire::words(hostile::GARBAGE, streamed),
        ModelMode::Deep => wire::words(&hostile::deep(), streamed),
        ModelMode::WrongTypes => wire::words(hostile::WRONG_TYPES, streamed),
        ModelMode::Endless => wire::endless(Reader::of(streams)),
        ModelMode::Drips => wire::dripping(Reader::of(streams)),
        ModelMode::Silent => {
            let _waits = Reader::of(streams);
            std::future::pending().await
        }
        ModelMode::Slow(delay, text) => {
            tokio::time::sleep(delay).await;
            wire::words(&text, streamed)
        }
        ModelMode::Mixed { endless_every, .. } if nth.is_multiple_of(endless_every) => {
            wire::endless(Reader::of(streams))
        }
        ModelMode::Mixed { after, read, text, .. } => {
            tokio::time::sleep(after).await;
            wire::words_of(&text, streamed, read)
        }
        ModelMode::RateLimited => wire::rate_limited(),
        ModelMode::Broken => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// The last one stays.
fn text_of(texts: &[String], nth: usize) -> &str {
    let at = nth.min(texts.len()).saturating_sub(1);
    texts.get(at).map_or("", String::as_str)
}
