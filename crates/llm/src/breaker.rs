//! A circuit breaker: after failures in a row an origin is not called for a while, then tried once.

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
    Probing {
        since: Instant,
    },
}

/// A call that may go out; as the probe, since when. What a call tells that went out before it
/// opened ends nobody else's probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Admitted {
    probe: Option<Instant>,
}

impl Breaker {
    pub(crate) const fn new() -> Self {
        Self::Closed { failures: 0 }
    }

    /// `None`: the call may not go out.
    pub(crate) fn admit(&mut self, now: Instant) -> Option<Admitted> {
        match self {
            Self::Closed { .. } => Some(Admitted { probe: None }),
            Self::Open { until } if now >= *until => {
                *self = Self::Probing { since: now };
                Some(Admitted { probe: Some(now) })
            }
            Self::Open { .. } | Self::Probing { .. } => None,
        }
    }

    pub(crate) fn succeeded(&mut self) {
        *self = Self::new();
    }

    pub(crate) fn failed(&mut self, call: Admitted, now: Instant, pause: Duration) {
        let failures = match self {
            Self::Closed { failures } => failures.saturating_add(1),
            Self::Probing { since } if call.probe == Some(*since) => OPEN_AFTER_FAILURES,
            // Calls that were out when it opened say nothing new.
            Self::Open { .. } | Self::Probing { .. } => return,
        };
        *self = if failures >= OPEN_AFTER_FAILURES {
            Self::Open { until: now + pause }
        } else {
            Self::Closed { failures }
        };
    }

    /// Calls are turned away now. When its time is over it is not known to be down any more.
    pub(crate) fn is_open(&self, now: Instant) -> bool {
        match self {
            Self::Closed { .. } => false,
            Self::Open { until } => *until > now,
            Self::Probing { .. } => true,
        }
    }

    /// The call was given up before it could tell.
    pub(crate) fn withdrawn(&mut self, call: Admitted, now: Instant) {
        if let Self::Probing { since } = self
            && call.probe == Some(*since)
        {
            *self = Self::Open { until: now };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Opened by failures of calls that were all out at once; one more is still out.
    fn opened(start: Instant) -> (Breaker, Admitted) {
        let mut breaker = Breaker::new();
        let straggler = breaker.admit(start).unwrap();
        for _ in 0..OPEN_AFTER_FAILURES {
            let call = breaker.admit(start).unwrap();
            breaker.failed(call, start, OPEN_FOR);
        }
        (breaker, straggler)
    }

    #[test]
    fn it_opens_probes_and_closes() {
        let start = Instant::now();
        let later = start + OPEN_FOR;
        let mut breaker = Breaker::new();
        for _ in 1..OPEN_AFTER_FAILURES {
            let call = breaker.admit(start).unwrap();
            breaker.failed(call, start, OPEN_FOR);
        }
        breaker.succeeded();
        assert!(breaker.admit(start).is_some(), "only failures in a row count");
        let (mut breaker, _) = opened(start);
        assert!(breaker.is_open(start));
        assert!(breaker.admit(start).is_none());
        assert!(breaker.admit(later - Duration::from_millis(1)).is_none());
        let probe = breaker.admit(later).expect("one probe");
        assert!(breaker.admit(later).is_none(), "and only one");
        breaker.withdrawn(probe, later);
        let probe = breaker.admit(later).expect("a probe that was given up is tried again");
        breaker.failed(probe, later, OPEN_FOR);
        assert!(breaker.admit(later).is_none());
        assert!(breaker.admit(later + OPEN_FOR).is_some());
        breaker.succeeded();
        assert!(!breaker.is_open(later) && breaker.admit(later).is_some());
    }

    #[test]
    fn a_call_from_before_ends_nobody_elses_probe() {
        let start = Instant::now();
        let later = start + OPEN_FOR;
        for tell in [Breaker::withdrawn, |breaker: &mut Breaker, call, now| {
            breaker.failed(call, now, Duration::ZERO);
        }] {
            let (mut breaker, straggler) = opened(start);
            breaker.admit(later).expect("one probe");
            tell(&mut breaker, straggler, later);
            assert!(breaker.admit(later).is_none(), "one probe at a time");
        }
    }

    #[test]
    fn nobody_is_left_alone_when_its_time_is_over() {
        let start = Instant::now();
        let (breaker, _) = opened(start);
        assert!(breaker.is_open(start) && !breaker.is_open(start + OPEN_FOR));
    }
}
