//! A circuit breaker: after failures in a row an origin is left alone for a while, then tried once.

use std::time::{Duration, Instant};

/// Failures in a row that open it.
pub const OPEN_AFTER_FAILURES: u32 = 5;
/// How long it stays open, unless `Limits` say otherwise.
pub const OPEN_FOR: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Breaker {
    Closed {
        failures: u32,
    },
    Open {
        until: Instant,
    },
    /// One call is on its way to find out.
    Probing,
}

impl Breaker {
    pub(crate) const fn new() -> Self {
        Self::Closed { failures: 0 }
    }

    /// Whether a call may go out.
    pub(crate) fn admit(&mut self, now: Instant) -> bool {
        match self {
            Self::Closed { .. } => true,
            Self::Open { until } if now >= *until => {
                *self = Self::Probing;
                true
            }
            Self::Open { .. } | Self::Probing => false,
        }
    }

    pub(crate) fn succeeded(&mut self) {
        *self = Self::new();
    }

    pub(crate) fn failed(&mut self, now: Instant, pause: Duration) {
        let failures = match self {
            Self::Closed { failures } => failures.saturating_add(1),
            // Calls that were out when it opened say nothing new.
            Self::Open { .. } => return,
            Self::Probing => OPEN_AFTER_FAILURES,
        };
        *self = if failures >= OPEN_AFTER_FAILURES {
            Self::Open { until: now + pause }
        } else {
            Self::Closed { failures }
        };
    }

    /// Calls are turned away, or one is finding out whether they still have to be.
    pub(crate) const fn is_open(&self) -> bool {
        matches!(self, Self::Open { .. } | Self::Probing)
    }

    /// The call was given up before it could tell.
    pub(crate) fn withdrawn(&mut self, now: Instant) {
        if *self == Self::Probing {
            *self = Self::Open { until: now };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_opens_probes_and_closes() {
        let start = Instant::now();
        let later = start + OPEN_FOR;
        let mut breaker = Breaker::new();
        for _ in 1..OPEN_AFTER_FAILURES {
            breaker.failed(start, OPEN_FOR);
        }
        breaker.succeeded();
        for _ in 0..OPEN_AFTER_FAILURES {
            assert!(breaker.admit(start));
            breaker.failed(start, OPEN_FOR);
        }
        assert!(breaker.is_open());
        assert!(!breaker.admit(start) && !breaker.admit(later - Duration::from_millis(1)));
        assert!(breaker.admit(later), "one probe");
        assert!(!breaker.admit(later), "and only one");
        breaker.withdrawn(later);
        assert!(breaker.admit(later), "a probe that was given up is tried again");
        breaker.failed(later, OPEN_FOR);
        assert!(!breaker.admit(later));
        assert!(breaker.admit(later + OPEN_FOR));
        breaker.succeeded();
        assert!(!breaker.is_open() && breaker.admit(later));
    }
}
