//! Reads server-sent events of bounded size from a byte stream.

use bytes::Bytes;
use eventsource_stream::{EventStreamError, Eventsource as _};
use futures::future::ready;
use futures::stream::{Stream, StreamExt as _};

/// One event may have this many bytes.
pub const EVENT_BYTES_MAX: usize = 1_048_576;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SseEvent {
    /// The last id that the stream named; empty if it named none.
    pub id: String,
    /// `message` unless the stream says otherwise.
    pub event: String,
    pub data: String,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SseFault<E> {
    #[error(transparent)]
    Source(E),
    #[error("an event is longer than `1048576` bytes")]
    TooLong,
    #[error("the stream is not in the format of server-sent events: `{reason}`")]
    Format { reason: String },
}

/// Ends after the first fault. An event that is cut off by the stream's end is left out, as the
/// format has it.
pub fn sse_events<E: Send + 'static>(
    bytes: impl Stream<Item = Result<Bytes, E>> + Send + 'static,
) -> impl Stream<Item = Result<SseEvent, SseFault<E>>> + Send + 'static {
    let mut lines = WholeLines::default();
    let whole = bytes.map(move |chunk| match chunk {
        Ok(chunk) => lines.push(&chunk),
        Err(error) => Err(SseFault::Source(error)),
    });
    whole.eventsource().map(|event| event.map(SseEvent::from).map_err(fault)).scan(
        false,
        |failed, event| {
            let over = std::mem::replace(failed, event.is_err());
            ready((!over).then_some(event))
        },
    )
}

impl From<eventsource_stream::Event> for SseEvent {
    fn from(event: eventsource_stream::Event) -> Self {
        Self { id: event.id, event: event.event, data: event.data }
    }
}

fn fault<E>(error: EventStreamError<SseFault<E>>) -> SseFault<E> {
    match error {
        EventStreamError::Transport(fault) => fault,
        EventStreamError::Utf8(error) => SseFault::Format { reason: error.to_string() },
        EventStreamError::Parser(error) => {
            SseFault::Format { reason: error.code.description().to_owned() }
        }
    }
}

/// Hands on whole lines only: the parser reads an unfinished one again with every chunk, so a
/// line in tiny chunks would cost its square.
#[derive(Default)]
struct WholeLines {
    unfinished: Vec<u8>,
    event_bytes: usize,
}

impl WholeLines {
    fn push<E>(&mut self, chunk: &[u8]) -> Result<Bytes, SseFault<E>> {
        let end = chunk.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let (finished, unfinished) = chunk.split_at(end);
        let mut lines = Vec::new();
        if !finished.is_empty() {
            lines.append(&mut self.unfinished);
            lines.extend_from_slice(finished);
        }
        self.unfinished.extend_from_slice(unfinished);
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            self.event_bytes += line.len();
            if self.event_bytes > EVENT_BYTES_MAX {
                return Err(SseFault::TooLong);
            }
            if matches!(line, b"\n" | b"\r\n") {
                self.event_bytes = 0;
            }
        }
        if self.event_bytes + self.unfinished.len() > EVENT_BYTES_MAX {
            return Err(SseFault::TooLong);
        }
        Ok(lines.into())
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use bytes::Bytes;
    use futures::stream::{StreamExt as _, iter};

    use super::{EVENT_BYTES_MAX, SseEvent, SseFault, sse_events};

    type Read = Vec<Result<SseEvent, SseFault<Infallible>>>;

    async fn read(chunks: Vec<Vec<u8>>) -> Read {
        let chunks = chunks.into_iter().map(|chunk| Ok(Bytes::from(chunk)));
        sse_events(iter(chunks)).collect().await
    }

    fn event(id: &str, event: &str, data: &str) -> Result<SseEvent, SseFault<Infallible>> {
        Ok(SseEvent { id: id.to_owned(), event: event.to_owned(), data: data.to_owned() })
    }

    const TEXT: &str = ": heartbeat\n\nid: 1:1\nevent: token\ndata: 가나\n\n\
        id: 1:2\r\nevent: done\r\ndata: a\r\ndata: b\r\n\r\ndata: cut off";

    #[tokio::test]
    async fn events_do_not_depend_on_the_chunks() {
        let expected = vec![event("1:1", "token", "가나"), event("1:2", "done", "a\nb")];
        for size in [1, 2, 3, 7, TEXT.len()] {
            let chunks = TEXT.as_bytes().chunks(size).map(<[u8]>::to_vec).collect();
            assert_eq!(read(chunks).await, expected, "chunks of {size}");
        }
    }

    #[tokio::test]
    async fn an_endless_line_and_an_endless_event_are_cut() {
        let line = vec![vec![b'a'; 4_096]; EVENT_BYTES_MAX / 4_096 + 2];
        assert_eq!(read(line).await, vec![Err(SseFault::TooLong)]);
        let event = vec![b"data: aaaaaaaaa\n".to_vec(); EVENT_BYTES_MAX / 16 + 2];
        assert_eq!(read(event).await, vec![Err(SseFault::TooLong)]);
    }

    #[tokio::test]
    async fn nothing_comes_after_a_fault() {
        let read = read(vec![b"data: \xff\xfe\n\n".to_vec(), b"data: a\n\n".to_vec()]).await;
        assert_eq!(read.len(), 1);
        assert!(matches!(read[0], Err(SseFault::Format { .. })));
    }
}
