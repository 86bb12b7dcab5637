//! Limits of event streams: one for all persons, a lower one for each.

use crate::{
    limits::{SSE_STREAMS_MAX, SSE_STREAMS_PER_USER_MAX},
    listen::slot_counts::{CountedSlot, SlotCounts},
    problem::{Problem, ProblemCode},
};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wiiiv_domain::UserId;

#[derive(Debug, Clone)]
pub(crate) struct Streams {
    all: Arc<Semaphore>,
    held: SlotCounts<UserId>,
}

/// Given back when the stream ends.
#[derive(Debug)]
pub(crate) struct StreamSlot {
    _own: CountedSlot<UserId>,
    _all: OwnedSemaphorePermit,
}

impl Streams {
    pub(crate) fn new() -> Self {
        Self { all: Arc::new(Semaphore::new(SSE_STREAMS_MAX)), held: SlotCounts::new() }
    }

    pub(crate) fn take(&self, user: UserId) -> Result<StreamSlot, Problem> {
        let own = self.held.take(user, SSE_STREAMS_PER_USER_MAX).ok_or_else(|| {
            Problem::new(ProblemCode::TooManyStreams).with("limit", SSE_STREAMS_PER_USER_MAX)
        })?;
        let all = Arc::clone(&self.all).try_acquire_owned();
        let all = all.map_err(|_| Problem::new(ProblemCode::TooManyStreams))?;
        Ok(StreamSlot { _own: own, _all: all })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn one_person_leaves_places_for_the_others_and_gives_them_back() {
        let streams = Streams::new();
        let [kim, lee] = [1, 2].map(|id| UserId::from(Uuid::from_u128(id)));
        let mut places: Vec<StreamSlot> =
            (0..SSE_STREAMS_PER_USER_MAX).map(|_| streams.take(kim).expect("a place")).collect();
        let refused = streams.take(kim).map_err(|problem| problem.code()).err();
        assert_eq!(refused, Some(ProblemCode::TooManyStreams));
        assert!(streams.take(lee).is_ok());
        places.pop();
        assert!(streams.take(kim).is_ok());
        drop(places);
        assert!(streams.held.lock().is_empty());
        assert_eq!(streams.all.available_permits(), SSE_STREAMS_MAX);
    }
}
