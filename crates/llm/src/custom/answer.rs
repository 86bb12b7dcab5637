//! A stream of chunks put together to one answer.

use super::fault::Fault;
use crate::shown::Shown;
use futures::StreamExt as _;
use serde_json::Value;
use tokio::sync::mpsc;
use wiiiv_domain::{PROPOSAL_BYTES_MAX, Usage};
use wiiiv_net::{ByteStream, ProviderError, sse_events};

/// The longest token, in bytes; an answer is cut where more came than so many could hold.
const TOKEN_BYTES_MAX: u64 = 32;

#[derive(Debug)]
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) usage: Usage,
    pub(super) names_twice: bool,
}

#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) text: String,
    /// `None` where the provider did not say.
    pub(super) usage: Option<Usage>,
    pub(super) names_twice: bool,
}

/// INVARIANT: ends after so many bytes or tokens, however long the stream goes on.
pub(super) async fn read(
    bytes: ByteStream<ProviderError>,
    max_output_tokens: u64,
    deltas: Option<&mpsc::Sender<String>>,
) -> Result<Read, Fault> {
    let mut events = Box::pin(sse_events(bytes));
    let mut answer = Read::default();
    let mut shown = Shown::new();
    let mut pieces = 0_u64;
    while let Some(event) = events.next().await {
        let data = event?.data;
        if data.trim() == "[DONE]" {
            break;
        }
        let chunk: Value = serde_json::from_str(&data).map_err(|_| Fault::Stream)?;
        if declined(&chunk) {
            return Err(Fault::Refused);
        }
        answer.usage = usage(&chunk).or(answer.usage);
        let Some(piece) = chunk.pointer("/choices/0/delta/content").and_then(Value::as_str) else {
            continue;
        };
        answer.text.push_str(piece);
        pieces = pieces.saturating_add(u64::from(!piece.is_empty()));
        if pieces > max_output_tokens || is_too_long(&answer.text, max_output_tokens) {
            return Err(Fault::Cut);
        }
        tell(deltas, shown.push(piece)).await;
    }
    answer.names_twice = shown.names_twice();
    Ok(answer)
}

fn is_too_long(text: &str, max_output_tokens: u64) -> bool {
    let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
    text.len() > PROPOSAL_BYTES_MAX || bytes > max_output_tokens.saturating_mul(TOKEN_BYTES_MAX)
}

fn declined(chunk: &Value) -> bool {
    let refusal = chunk.pointer("/choices/0/delta/refusal").and_then(Value::as_str);
    let end = chunk.pointer("/choices/0/finish_reason").and_then(Value::as_str);
    refusal.is_some_and(|words| !words.is_empty()) || end == Some("content_filter")
}

fn usage(chunk: &Value) -> Option<Usage> {
    let count = |name: &str| chunk.get("usage")?.get(name)?.as_u64();
    Some(Usage {
        input_tokens: count("prompt_tokens")?,
        output_tokens: count("completion_tokens")?,
        estimated: false,
    })
}

/// A reader that has gone away misses nothing: the proposal carries the whole message.
async fn tell(deltas: Option<&mpsc::Sender<String>>, talk: String) {
    if let (Some(deltas), false) = (deltas, talk.is_empty()) {
        let _ = deltas.send(talk).await;
    }
}
