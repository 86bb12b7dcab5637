//! Limits of event streams: one for all persons, a lower one for each.

use crate::{
    limits::{SSE_STREAMS_MAX, SSE_STREAMS_PER_USER_MAX},
    problem::{Problem, ProblemCode},
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wiiiv_domain::UserId;

type PerUser = HashMap<UserId, usize>;

#[derive(Debug, Clone)]
pub(crate) struct Streams {
    all: Arc<Semaphore>,
    /// Of those who hold any, so never more entries than places.
    held: Arc<Mutex<PerUser>>,
}

/// Given back when the stream ends.
#[derive(Debug)]
pub(crate) struct StreamSlot {
    user: UserId,
    held: Arc<Mutex<PerUser>>,
    _all: OwnedSemaphorePermit,
}

fn lock(held: &Mutex<PerUser>) -> MutexGuard<'_, PerUser> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Streams {
    pub(crate) fn new() -> Self {
        Self { all: Arc::new(Semaphore::new(SSE_STREAMS_MAX)), held: Arc::default() }
    }

    pub(crate) fn take(&self, user: UserId) -> Result<StreamSlot, Problem> {
        let mut held = lock(&self.held);
        let count = held.get(&user).copied().unwrap_or_default();
        if count >= SSE_STREAMS_PER_USER_MAX {
            let problem = Problem::new(ProblemCode::TooManyStreams);
            return Err(problem.with("limit", SSE_STREAMS_PER_USER_MAX));
        }
        let all = Arc::clone(&self.all).try_acquire_owned();
        let all = all.map_err(|_| Problem::new(ProblemCode::TooManyStreams))?;
        held.insert(user, count + 1);
        Ok(StreamSlot { user, held: Arc::clone(&self.held), _all: all })
    }
}

impl Drop for StreamSlot {
    fn drop(&mut self) {
        let mut held = lock(&self.held);
        match held.get_mut(&self.user) {
            Some(count) if *count > 1 => *count -= 1,
            Some(_) | None => {
                held.remove(&self.user);
            }
        }
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
        assert!(lock(&streams.held).is_empty());
        assert_eq!(streams.all.available_permits(), SSE_STREAMS_MAX);
    }
}
