//! Bodies in parts, as they come or stop coming.

use super::{dialect::Stop, voice::Voice};
use axum::{
    Json,
    body::{Body, Bytes},
    http::{StatusCode, header},
    response::{IntoResponse as _, Response},
};
use futures::stream;
use serde_json::Value;
use std::{io, time::Duration};

/// Written at once of what is generated.
const BLOCK_BYTES: usize = 64 * 1024;

#[derive(Debug, Clone)]
pub(super) enum Part {
    Bytes(Bytes),
    /// Nothing comes any more, and nothing ends.
    Forever,
    /// The connection is closed before its end.
    Gone,
}

impl Part {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Bytes(Bytes::from(text.into()))
    }
}

pub(super) fn document(body: &Value) -> Response {
    Json(body).into_response()
}

pub(super) fn good(voice: Voice, text: &str) -> Response {
    parts(whole(voice, text).into_iter().map(Part::text).collect())
}

/// By a model that calls itself so.
pub(super) fn named(voice: Voice, text: &str, model: &str) -> Response {
    let name = |part: String| {
        let own = ["\"model\":\"m\"", "\"model\":\"gpt-5.3-codex\"", "\"modelVersion\":\"m\""];
        own.iter().fold(part, |part, own| {
            let (field, _) = own.split_once(':').unwrap_or_default();
            part.replace(own, &format!("{field}:\"{model}\""))
        })
    };
    parts(whole(voice, text).into_iter().map(name).map(Part::text).collect())
}

fn whole(voice: Voice, text: &str) -> Vec<String> {
    let said = voice.said(text);
    [voice.opening()].into_iter().chain(said).chain([voice.closing(Stop::Ended)]).collect()
}

/// After a start the same again and again, so far apart.
pub(super) fn ever(start: String, again: String, apart: Duration) -> Response {
    let again = Bytes::from(again);
    let parts = stream::unfold(Bytes::from(start), move |next| {
        let again = again.clone();
        async move {
            tokio::time::sleep(apart).await;
            Some((Ok::<Bytes, io::Error>(next), again))
        }
    });
    events(Body::from_stream(parts))
}

/// In one piece.
pub(super) fn at_once(voice: Voice, text: &str) -> Response {
    let whole = voice.opening() + &voice.at_once(text) + &voice.closing(Stop::Ended);
    parts(vec![Part::text(whole)])
}

/// The first half of an answer, and what comes before it.
pub(super) fn half(voice: Voice, text: &str) -> Part {
    let said = voice.said(text);
    let half = said.iter().take(said.len() / 2).map(String::as_str);
    Part::text(voice.opening() + &half.collect::<String>())
}

/// The last byte is the first of a character of three.
pub(super) fn truncated(voice: Voice, text: &str) -> Response {
    let whole = voice.opening() + &voice.at_once(text);
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
        // Each part is a write of its own.
        tokio::task::yield_now().await;
        match rest.next()? {
            Part::Bytes(bytes) => Some((Ok(bytes), rest)),
            Part::Forever => std::future::pending().await,
            Part::Gone => Some((Err(io::Error::other("gone")), rest)),
        }
    });
    events(Body::from_stream(parts))
}

/// `start`, and then one letter for ever so long.
pub(super) fn huge(start: &'static [u8], bytes: u64) -> Response {
    let block = Bytes::from(vec![b'a'; BLOCK_BYTES]);
    let first = stream::iter([Ok(Bytes::from_static(start))]);
    let body = futures::StreamExt::chain(first, many(block, bytes));
    events(Body::from_stream(body))
}

/// In small parts, and whole.
pub(super) fn filled(start: &str, again: &str, end: &str, bytes: usize) -> Response {
    let body = [start, &again.repeat(bytes / again.len().max(1)), end].concat();
    events(Body::from(body))
}

pub(super) fn huge_error(bytes: u64) -> Response {
    let body = Body::from_stream(many(Bytes::from(vec![b'a'; BLOCK_BYTES]), bytes));
    (StatusCode::BAD_REQUEST, body).into_response()
}

pub(super) fn repeated(event: &str, bytes: u64) -> Response {
    events(Body::from_stream(many(Bytes::from(event.to_owned()), bytes)))
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

fn events(body: Body) -> Response {
    ([(header::CONTENT_TYPE, "text/event-stream")], body).into_response()
}
