//! State of each origin: circuit breakers, models that accept no schema, and models that need
//! another interface.

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
/// Models of which something is remembered; one that is forgotten is found out again.
const MODELS_MAX: usize = 256;

/// As which provider, and where.
pub(crate) type OriginKey<'a> = (ProviderName, &'a Origin);

#[derive(Debug, Default)]
struct Known {
    /// One each for what two providers are asked at the same gateway: one may be down alone.
    breakers: BTreeMap<(Origin, ProviderName), Breaker>,
    plain: BTreeSet<(Origin, String)>,
    responses: BTreeSet<(Origin, String)>,
}

impl Known {
    fn breaker(&mut self, (provider, origin): OriginKey<'_>) -> &mut Breaker {
        let key = (origin.clone(), provider);
        if self.breakers.len() >= ORIGINS_MAX && !self.breakers.contains_key(&key) {
            self.breakers.pop_first();
        }
        self.breakers.entry(key).or_insert_with(Breaker::new)
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

    /// `None` while that provider is left alone there; `pause`: for how long, if this call finds it down.
    pub(crate) fn admit<'a>(&'a self, asked: OriginKey<'a>, pause: Duration) -> Option<Pass<'a>> {
        let admitted = self.with(|known| known.breaker(asked).admit(Instant::now()));
        admitted.map(|call| Pass { origins: self, asked, call, pause, told: false })
    }
    /// Providers that have not answered and are left alone now, each at its origin: all, or this one.
    pub(crate) fn left_alone(&self, of: Option<ProviderName>) -> usize {
        let now = Instant::now();
        let open = |((_, provider), breaker): &(&(Origin, ProviderName), &Breaker)| {
            breaker.is_open(now) && of.is_none_or(|of| of == *provider)
        };
        self.with(|known| known.breakers.iter().filter(open).count())
    }
    /// The model has refused a request with a schema in it, and answered one without.
    pub(crate) fn is_plain(&self, origin: &Origin, model: &str) -> bool {
        self.with(|known| known.plain.contains(&named(origin, model)))
    }
    pub(crate) fn set_plain(&self, origin: &Origin, model: &str) {
        self.with(|known| remember(&mut known.plain, named(origin, model)));
    }
    /// The provider has said that only its Responses serve the model.
    pub(crate) fn is_of_responses(&self, origin: &Origin, model: &str) -> bool {
        self.with(|known| known.responses.contains(&named(origin, model)))
    }
    pub(crate) fn set_of_responses(&self, origin: &Origin, model: &str) {
        self.with(|known| remember(&mut known.responses, named(origin, model)));
    }
}

fn named(origin: &Origin, model: &str) -> (Origin, String) {
    (origin.clone(), model.to_owned())
}

fn remember(models: &mut BTreeSet<(Origin, String)>, one: (Origin, String)) {
    if models.len() >= MODELS_MAX {
        models.pop_first();
    }
    models.insert(one);
}

/// One call on its way. Dropped without a word, it was given up.
#[derive(Debug)]
pub(crate) struct Pass<'a> {
    origins: &'a Origins,
    asked: OriginKey<'a>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::breaker::{OPEN_AFTER_FAILURES, OPEN_FOR};

    #[test]
    fn who_is_down_alone_is_left_alone_alone() {
        let (origins, gateway) = (Origins::default(), Origin::parse("https://h.test").unwrap());
        for _ in 0..OPEN_AFTER_FAILURES {
            origins.admit((ProviderName::OpenAi, &gateway), OPEN_FOR).unwrap().failed();
        }
        assert!(origins.admit((ProviderName::OpenAi, &gateway), OPEN_FOR).is_none());
        assert!(origins.admit((ProviderName::Anthropic, &gateway), OPEN_FOR).is_some());
        let down = [None, Some(ProviderName::OpenAi), Some(ProviderName::Anthropic)];
        assert_eq!(down.map(|of| origins.left_alone(of)), [1, 1, 0]);
    }
}
