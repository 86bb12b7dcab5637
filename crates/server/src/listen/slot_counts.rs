//! Slots by their holder, so that none has more than its limit.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Of holders that have any, so never more entries than slots.
#[derive(Debug, Clone)]
pub(crate) struct SlotCounts<K>(Arc<Mutex<HashMap<K, usize>>>);

/// One slot, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct CountedSlot<K: Copy + Eq + Hash> {
    holder: K,
    counts: SlotCounts<K>,
}

impl<K: Copy + Eq + Hash> SlotCounts<K> {
    pub(crate) fn new() -> Self {
        Self(Arc::default())
    }

    /// `None`: that holder has all that it may have.
    pub(crate) fn take(&self, holder: K, limit: usize) -> Option<CountedSlot<K>> {
        let mut counts = self.lock();
        let count = counts.get(&holder).copied().unwrap_or_default();
        if count >= limit {
            return None;
        }
        counts.insert(holder, count + 1);
        Some(CountedSlot { holder, counts: Self(Arc::clone(&self.0)) })
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, HashMap<K, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Copy + Eq + Hash> Drop for CountedSlot<K> {
    fn drop(&mut self) {
        let mut counts = self.counts.lock();
        match counts.get_mut(&self.holder) {
            Some(count) if *count > 1 => *count -= 1,
            Some(_) | None => {
                counts.remove(&self.holder);
            }
        }
    }
}
