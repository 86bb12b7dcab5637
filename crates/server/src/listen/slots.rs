//! Slots of what goes on for long: so many for all persons, fewer for each.

use crate::{
    limits::{FILES_READ_MAX, FILES_READ_PER_USER_MAX, SSE_STREAMS_MAX, SSE_STREAMS_PER_USER_MAX},
    listen::slot_counts::{CountedSlot, SlotCounts},
    problem::{Problem, ProblemCode},
};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wiiiv_domain::UserId;

#[derive(Debug, Clone)]
pub(crate) struct Slots {
    all: Arc<Semaphore>,
    held: SlotCounts<UserId>,
    own_max: usize,
    /// What it is refused by.
    code: ProblemCode,
}

/// Given back when it is dropped.
#[derive(Debug)]
pub(crate) struct HeldSlot {
    _own: CountedSlot<UserId>,
    _all: OwnedSemaphorePermit,
}

impl Slots {
    /// Of event streams.
    pub(crate) fn of_streams() -> Self {
        Self::new((SSE_STREAMS_MAX, SSE_STREAMS_PER_USER_MAX), ProblemCode::TooManyStreams)
    }

    /// Of files that are read into memory.
    pub(crate) fn of_files() -> Self {
        Self::new((FILES_READ_MAX, FILES_READ_PER_USER_MAX), ProblemCode::TooManyIngests)
    }

    fn new((all, own_max): (usize, usize), code: ProblemCode) -> Self {
        Self { all: Arc::new(Semaphore::new(all)), held: SlotCounts::new(), own_max, code }
    }

    pub(crate) fn take(&self, user: UserId) -> Result<HeldSlot, Problem> {
        let own = self.held.take(user, self.own_max);
        let own = own.ok_or_else(|| Problem::new(self.code).with("limit", self.own_max))?;
        let all = Arc::clone(&self.all).try_acquire_owned();
        let all = all.map_err(|_| Problem::new(self.code))?;
        Ok(HeldSlot { _own: own, _all: all })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn one_person_leaves_slots_for_the_others_and_gives_them_back() {
        for (slots, all) in
            [(Slots::of_streams(), SSE_STREAMS_MAX), (Slots::of_files(), FILES_READ_MAX)]
        {
            let [kim, lee] = [1, 2].map(|id| UserId::from(Uuid::from_u128(id)));
            let mut held: Vec<HeldSlot> =
                (0..slots.own_max).map(|_| slots.take(kim).expect("a slot")).collect();
            let refused = slots.take(kim).map_err(|problem| problem.code()).err();
            assert_eq!(refused, Some(slots.code));
            assert!(slots.take(lee).is_ok());
            held.pop();
            assert!(slots.take(kim).is_ok());
            drop(held);
            assert!(slots.held.lock().is_empty());
            assert_eq!(slots.all.available_permits(), all);
        }
    }
}
