//! A request body with time limits: a client that stops sending holds a connection for seconds
//! only, and so does one that sends slowly.

use crate::limits::{BODY_BYTES_PER_SECOND_MIN, BODY_TIME_FIRST};
use axum::body::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use std::{
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::time::{Instant, Sleep, sleep_until};

/// Cut off: what had come by then was too little for the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the body came too slowly")]
pub(crate) struct BodyTooSlow;

type Cause = Box<dyn std::error::Error + Send + Sync>;

/// The time that a body has.
#[derive(Debug, Clone, Copy)]
struct Pace {
    /// From when it is first waited for.
    first: Duration,
    /// Each further second is earned by so many bytes.
    bytes_per_second: u64,
}

const PACE: Pace = Pace { first: BODY_TIME_FIRST, bytes_per_second: BODY_BYTES_PER_SECOND_MIN };

/// What lies there already is never cut off.
#[derive(Debug)]
pub(crate) struct TimedBody<B = Incoming> {
    inner: B,
    pace: Pace,
    begun: Option<Instant>,
    come: u64,
    /// Only where something was waited for: most bodies come with their head.
    timer: Option<Pin<Box<Sleep>>>,
}

impl<B> TimedBody<B> {
    pub(crate) const fn new(inner: B) -> Self {
        Self { inner, pace: PACE, begun: None, come: 0, timer: None }
    }

    fn deadline(&self, begun: Instant) -> Instant {
        let earned = self.come.saturating_mul(1_000) / self.pace.bytes_per_second;
        begun + self.pace.first + Duration::from_millis(earned)
    }

    fn poll_late(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let begun = *self.begun.get_or_insert_with(Instant::now);
        let deadline = self.deadline(begun);
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if timer.deadline() != deadline {
            timer.as_mut().reset(deadline);
        }
        timer.as_mut().poll(context)
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for TimedBody<B>
where
    B::Error: Into<Cause>,
{
    type Data = Bytes;
    type Error = Cause;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Cause>>> {
        let Poll::Ready(frame) = Pin::new(&mut self.inner).poll_frame(context) else {
            ready!(self.poll_late(context));
            return Poll::Ready(Some(Err(BodyTooSlow.into())));
        };
        if let Some(Ok(frame)) = &frame {
            let bytes = frame.data_ref().map_or(0, Bytes::len);
            self.come = self.come.saturating_add(bytes as u64);
        }
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

/// Whether a body was not read to its end for that reason, however deep it lies.
pub(crate) fn is_too_slow(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |error| error.source());
    causes.any(|error| error.is::<BodyTooSlow>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::to_bytes;
    use futures::{StreamExt as _, stream};
    use std::convert::Infallible;

    const QUICK: Pace = Pace { first: Duration::from_millis(300), bytes_per_second: 1_000_000 };

    /// Sends a piece of so many bytes every 20 ms, so many times, and then no more.
    async fn come(bytes: usize, times: usize) -> (Result<usize, bool>, Duration) {
        let begun = Instant::now();
        let pieces = stream::iter(0..times).then(move |_| async move {
            tokio::time::sleep(Duration::from_millis(20)).await;
            Ok::<_, Infallible>(Bytes::from(vec![b' '; bytes]))
        });
        let pieces = pieces.chain(stream::pending());
        let body = TimedBody::new(axum::body::Body::from_stream(pieces));
        let body = TimedBody { pace: QUICK, ..body };
        // As the handlers read it: through a body of axum, with a bound.
        let read = to_bytes(axum::body::Body::new(body), bytes * times + 1).await;
        (read.map(|bytes| bytes.len()).map_err(|error| is_too_slow(&error)), begun.elapsed())
    }

    #[tokio::test]
    async fn what_drips_or_stops_is_cut_off_and_what_comes_on_is_not() {
        let second = Duration::from_secs(1);
        let (read, after) = come(10, 0).await;
        assert!(read == Err(true) && after >= QUICK.first, "it never comes: {after:?}");
        let (read, after) = come(1, 10_000).await;
        assert!(read == Err(true) && after < second * 5, "it drips: {after:?}");
        let (read, after) = come(100_000, 10).await;
        assert!(read == Err(true) && after > second, "cut off at its end alone: {after:?}");
    }
}
