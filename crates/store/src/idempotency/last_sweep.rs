//! Time of the last removal of old keys.

use std::sync::atomic::{AtomicI64, Ordering};
use wiiiv_domain::Timestamp;

const SWEEP_SECONDS: i64 = 60;

/// When keys that are too old were last removed, in milliseconds since 1970.
#[derive(Debug, Default)]
pub(crate) struct LastSweep(AtomicI64);

impl LastSweep {
    pub(super) fn is_due(&self, now: Timestamp) -> bool {
        let last = self.0.load(Ordering::Relaxed);
        let due = last < now.plus_seconds(-SWEEP_SECONDS).unix_ms();
        if due {
            self.0.store(now.unix_ms(), Ordering::Relaxed);
        }
        due
    }
}
