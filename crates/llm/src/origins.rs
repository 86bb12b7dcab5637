//! What is known of each origin: its breaker, and which of its models take no schema.

use crate::breaker::{Admitted, Breaker};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};
use wiiiv_domain::ProviderName;
use wiiiv_net::Origin;

/// Origins that are remembered; administrators approve far fewer.
const ORIGINS_MAX: usize = 256;
/// Models without a schema that are remembered; one that is forgotten is found out again.
const PLAIN_MAX: usize = 256;

/// As which provider, and where.
pub(crate) type Asked<'a> = (ProviderName, &'a Origin);

#[derive(Debug, Default)]
struct Known {
    /// With the provider that it was asked as first.
    breakers: BTreeMap<Origin, (ProviderName, Breaker)>,
    plain: BTreeSet<(Origin, String)>,
}

impl Known {
    fn breaker(&mut self, (provider, origin): Asked<'_>) -> &mut Breaker {
        if self.breakers.len() >= ORIGINS_MAX && !self.breakers.contains_key(origin) {
            self.breakers.pop_first();
        }
        &mut self.breakers.entry(origin.clone()).or_insert_with(|| (provider, Breaker::new())).1
    }
}

/// Calls run side by side and share this alone. The lock is held for a few lines, never across an
/// await.
#[derive(Debug, Default)]
pub(crate) struct Origins(Mutex<Known>);

impl Origins {
    fn with<T>(&self, act: impl FnOnce(&mut Known) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// `None` while the origin is left alone; `pause`: for how long, if this call finds it down.
    pub(crate) fn admit<'a>(&'a self, asked: Asked<'a>, pause: Duration) -> Option<Pass<'a>> {
        let admitted = self.with(|known| known.breaker(asked).admit(Instant::now()));
        admitted.map(|call| Pass { origins: self, asked, call, pause, told: false })
    }
    /// Origins that have not answered and are left alone now, of every provider or of this one.
    pub(crate) fn left_alone(&self, of: Option<ProviderName>) -> usize {
        let now = Instant::now();
        let open = |(provider, breaker): &&(ProviderName, Breaker)| {
            breaker.is_open(now) && of.is_none_or(|of| of == *provider)
        };
        self.with(|known| known.breakers.values().filter(open).count())
    }
    /// The model has refused a request with a schema in it, and answered one without.
    pub(crate) fn is_plain(&self, origin: &Origin, model: &str) -> bool {
        let key = (origin.clone(), model.to_owned());
        self.with(|known| known.plain.contains(&key))
    }
    pub(crate) fn set_plain(&self, origin: &Origin, model: &str) {
        let key = (origin.clone(), model.to_owned());
        self.with(|known| {
            if known.plain.len() >= PLAIN_MAX {
                known.plain.pop_first();
            }
            known.plain.insert(key);
        });
    }
}

/// One call on its way. Dropped without a word, it was given up.
#[derive(Debug)]
pub(crate) struct Pass<'a> {
    origins: &'a Origins,
    asked: Asked<'a>,
    call: Admitted,
    pause: Duration,
    told: bool,
}

impl Pass<'_> {
    pub(crate) fn succeeded(mut self) {
        self.told = true;
        self.origins.with(|known| known.breaker(self.asked).succeeded());
    }
    pub(crate) fn failed(mut self) {
        self.told = true;
        let (call, now) = (self.call, Instant::now());
        self.origins.with(|known| known.breaker(self.asked).failed(call, now, self.pause));
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        if !self.told {
            let (call, now) = (self.call, Instant::now());
            self.origins.with(|known| known.breaker(self.asked).withdrawn(call, now));
        }
    }
}
