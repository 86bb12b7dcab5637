//! What is known of each origin: its breaker, and whether it takes a schema.

use crate::breaker::Breaker;
use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::Instant,
};
use wiiiv_net::Origin;

/// Origins that are remembered; administrators approve far fewer.
const ORIGINS_MAX: usize = 256;

#[derive(Debug)]
struct Known {
    breaker: Breaker,
    plain: bool,
}

/// Calls run side by side and share this alone. The lock is held for a few lines, never across an
/// await.
#[derive(Debug, Default)]
pub(crate) struct Origins(Mutex<BTreeMap<Origin, Known>>);

impl Origins {
    fn with<T>(&self, origin: &Origin, act: impl FnOnce(&mut Known) -> T) -> T {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= ORIGINS_MAX && !all.contains_key(origin) {
            all.pop_first();
        }
        let new = || Known { breaker: Breaker::new(), plain: false };
        act(all.entry(origin.clone()).or_insert_with(new))
    }

    /// `None` while the origin is left alone.
    pub(crate) fn admit<'a>(&'a self, origin: &'a Origin) -> Option<Pass<'a>> {
        let admitted = self.with(origin, |known| known.breaker.admit(Instant::now()));
        admitted.then_some(Pass { origins: self, origin, told: false })
    }
    /// It has refused a request with a schema in it.
    pub(crate) fn is_plain(&self, origin: &Origin) -> bool {
        self.with(origin, |known| known.plain)
    }
    pub(crate) fn set_plain(&self, origin: &Origin) {
        self.with(origin, |known| known.plain = true);
    }
}

/// One call on its way. Dropped without a word, it was given up.
#[derive(Debug)]
pub(crate) struct Pass<'a> {
    origins: &'a Origins,
    origin: &'a Origin,
    told: bool,
}

impl Pass<'_> {
    pub(crate) fn succeeded(mut self) {
        self.told = true;
        self.origins.with(self.origin, |known| known.breaker.succeeded());
    }
    pub(crate) fn failed(mut self) {
        self.told = true;
        self.origins.with(self.origin, |known| known.breaker.failed(Instant::now()));
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        if !self.told {
            self.origins.with(self.origin, |known| known.breaker.withdrawn(Instant::now()));
        }
    }
}
