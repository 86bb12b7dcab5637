//! Response bodies that come in parts, stop, break off or never end.

use super::{answer_format::AnswerFormat, stop_reason::StopReason};
use crate::loopback::event_stream;
use axum::{
    Json,
    body::{Body, Bytes},
    http::StatusCode,
    response::{IntoResponse as _, Response},
};
use futures::stream;
use serde_json::Value;
use std::{io, time::Duration};

/// One write of a generated body.
const BLOCK_BYTES: usize = 64 * 1024;

#[derive(Debug, Clone)]
pub(super) enum Part {
    Bytes(Bytes),
    /// Nothing more comes, and the connection stays open.
    Stall,
    /// The connection is closed before the end of the body.
    Broken,
}

impl Part {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Bytes(Bytes::from(text.into()))
    }
}

pub(super) fn document(body: &Value) -> Response {
    Json(body).into_response()
}

pub(super) fn good(format: AnswerFormat, text: &str) -> Response {
    parts(events(format, text).into_iter().map(Part::text).collect())
}

/// A good answer with another model's name.
pub(super) fn named(format: AnswerFormat, text: &str, model: &str) -> Response {
    let name = |part: String| {
        let own = ["\"model\":\"m\"", "\"model\":\"gpt-5.3-codex\"", "\"modelVersion\":\"m\""];
        own.iter().fold(part, |part, own| {
            let (field, _) = own.split_once(':').unwrap_or_default();
            part.replace(own, &format!("{field}:\"{model}\""))
        })
    };
    parts(events(format, text).into_iter().map(name).map(Part::text).collect())
}

fn events(format: AnswerFormat, text: &str) -> Vec<String> {
    let pieces = format.pieces(text);
    let closing = format.closing(StopReason::Complete);
    [format.opening()].into_iter().chain(pieces).chain([closing]).collect()
}

/// `start`, then `again` without end, one each `apart`.
pub(super) fn repeat_forever(start: String, again: String, apart: Duration) -> Response {
    let again = Bytes::from(again);
    let parts = stream::unfold(Bytes::from(start), move |next| {
        let again = again.clone();
        async move {
            tokio::time::sleep(apart).await;
            Some((Ok::<Bytes, io::Error>(next), again))
        }
    });
    event_stream(Body::from_stream(parts))
}

/// The whole answer in one part.
pub(super) fn in_one_part(format: AnswerFormat, text: &str) -> Response {
    let whole =
        format.opening() + &format.in_one_event(text) + &format.closing(StopReason::Complete);
    parts(vec![Part::text(whole)])
}

/// The opening and the first half of an answer.
pub(super) fn half(format: AnswerFormat, text: &str) -> Part {
    let pieces = format.pieces(text);
    let half = pieces.iter().take(pieces.len() / 2).map(String::as_str);
    Part::text(format.opening() + &half.collect::<String>())
}

/// Ends with the first byte of a three-byte character.
pub(super) fn truncated(format: AnswerFormat, text: &str) -> Response {
    let whole = format.opening() + &format.in_one_event(text);
    let cut = whole.char_indices().rfind(|(_, c)| c.len_utf8() == 3);
    let end = cut.map_or(whole.len(), |(at, _)| at + 1);
    let bytes = whole.into_bytes();
    parts(vec![
        Part::Bytes(Bytes::from(bytes.into_iter().take(end).collect::<Vec<u8>>())),
        Part::text("\"}}\n\n"),
    ])
}

pub(super) fn parts(parts: Vec<Part>) -> Response {
    let parts = stream::unfold(parts.into_iter(), |mut rest| async move {
        // One write a part.
        tokio::task::yield_now().await;
        match rest.next()? {
            Part::Bytes(bytes) => Some((Ok(bytes), rest)),
            Part::Stall => std::future::pending().await,
            Part::Broken => Some((Err(io::Error::other("broken off")), rest)),
        }
    });
    event_stream(Body::from_stream(parts))
}

/// `start`, then so many bytes of one letter.
pub(super) fn huge(start: &'static [u8], bytes: u64) -> Response {
    let block = Bytes::from(vec![b'a'; BLOCK_BYTES]);
    let first = stream::iter([Ok(Bytes::from_static(start))]);
    let body = futures::StreamExt::chain(first, many(block, bytes));
    event_stream(Body::from_stream(body))
}

/// `start`, about so many bytes of `again`, and `end`, in one write.
pub(super) fn filled(start: &str, again: &str, end: &str, bytes: usize) -> Response {
    let body = [start, &again.repeat(bytes / again.len().max(1)), end].concat();
    event_stream(Body::from(body))
}

pub(super) fn huge_error(bytes: u64) -> Response {
    let body = Body::from_stream(many(Bytes::from(vec![b'a'; BLOCK_BYTES]), bytes));
    (StatusCode::BAD_REQUEST, body).into_response()
}

pub(super) fn repeated(event: &str, bytes: u64) -> Response {
    event_stream(Body::from_stream(many(Bytes::from(event.to_owned()), bytes)))
}

fn many(block: Bytes, bytes: u64) -> impl stream::Stream<Item = io::Result<Bytes>> + Send {
    let length = u64::try_from(block.len()).unwrap_or(u64::MAX);
    stream::unfold(bytes, move |left| {
        let block = block.clone();
        async move {
            tokio::task::yield_now().await;
            (left > 0).then(|| (Ok(block), left.saturating_sub(length)))
        }
    })
}
