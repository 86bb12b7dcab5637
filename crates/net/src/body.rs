//! Reads a response within bounds of time and size.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures::stream::{BoxStream, StreamExt as _, unfold};
use reqwest::Response;
use tokio::time::{Instant, timeout_at};

use crate::connector::reason;
use crate::timeouts::{Phase, Timeouts};

/// Chunks as they come. Dropping the stream closes the request.
pub type ByteStream<E> = BoxStream<'static, Result<Bytes, E>>;

#[derive(Debug)]
pub(crate) enum BodyFault {
    Timeout(Phase),
    TooLarge,
    Interrupted { reason: String },
}

/// The moments by which parts of a response must be there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    pub(crate) first_byte: Instant,
    between_chunks: Option<Duration>,
    total: Option<Instant>,
}

impl Pace {
    pub(crate) fn starting_now(timeouts: &Timeouts) -> Self {
        let now = Instant::now();
        let total = now + timeouts.total;
        Self {
            first_byte: total.min(now + timeouts.first_byte),
            between_chunks: Some(timeouts.between_chunks),
            total: Some(total),
        }
    }

    pub(crate) fn until(deadline: Instant) -> Self {
        Self { first_byte: deadline, between_chunks: None, total: Some(deadline) }
    }

    /// For a stream without an end: only its silence is bounded.
    pub(crate) fn endless(first_byte: Duration, between_chunks: Duration) -> Self {
        Self {
            first_byte: Instant::now() + first_byte,
            between_chunks: Some(between_chunks),
            total: None,
        }
    }

    /// Which part is over at `first_byte`.
    pub(crate) fn first_phase(&self) -> Phase {
        if self.total == Some(self.first_byte) { Phase::Total } else { Phase::FirstByte }
    }

    fn next(&self, started: bool) -> (Instant, Phase) {
        let (part, phase) = match (started, self.between_chunks) {
            (true, Some(between)) => (Instant::now() + between, Phase::BetweenChunks),
            (true, None) | (false, _) => (self.first_byte, self.first_phase()),
        };
        match self.total {
            Some(total) if total <= part => (total, Phase::Total),
            Some(_) | None => (part, phase),
        }
    }
}

pub(crate) struct Body {
    response: Response,
    pace: Pace,
    bytes_left: Option<usize>,
    started: bool,
}

impl Body {
    pub(crate) fn new(response: Response, pace: Pace, bytes_max: usize) -> Self {
        Self { response, pace, bytes_left: Some(bytes_max), started: false }
    }

    /// For a stream that the reader bounds part by part.
    pub(crate) fn endless(response: Response, pace: Pace) -> Self {
        Self { response, pace, bytes_left: None, started: false }
    }

    async fn chunk(&mut self) -> Result<Option<Bytes>, BodyFault> {
        let (deadline, phase) = self.pace.next(self.started);
        let chunk = timeout_at(deadline, self.response.chunk())
            .await
            .map_err(|_| BodyFault::Timeout(phase))?
            .map_err(|error| BodyFault::Interrupted { reason: reason(&error) })?;
        self.started = true;
        let Some(chunk) = chunk else { return Ok(None) };
        if let Some(left) = &mut self.bytes_left {
            *left = left.checked_sub(chunk.len()).ok_or(BodyFault::TooLarge)?;
        }
        Ok(Some(chunk))
    }

    pub(crate) async fn read_all(mut self) -> Result<Bytes, BodyFault> {
        let stated = self.response.content_length().unwrap_or(0);
        if self.bytes_left.is_some_and(|left| stated > left as u64) {
            return Err(BodyFault::TooLarge);
        }
        let mut all = BytesMut::new();
        while let Some(chunk) = self.chunk().await? {
            all.extend_from_slice(&chunk);
        }
        Ok(all.freeze())
    }

    /// What comes within the bounds, however it ends.
    pub(crate) async fn read_start(mut self) -> Bytes {
        let mut start = BytesMut::new();
        while let Ok(Some(chunk)) = self.chunk().await {
            start.extend_from_slice(&chunk);
        }
        start.freeze()
    }

    /// Ends after the first fault.
    pub(crate) fn into_stream<E: Send + 'static>(
        self,
        fault: impl Fn(BodyFault) -> E + Send + 'static,
    ) -> ByteStream<E> {
        unfold(Some((self, fault)), |state| async move {
            let (mut body, fault) = state?;
            match body.chunk().await {
                Ok(Some(chunk)) => Some((Ok(chunk), Some((body, fault)))),
                Ok(None) => None,
                Err(error) => Some((Err(fault(error)), None)),
            }
        })
        .boxed()
    }
}
