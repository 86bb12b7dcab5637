//! The bounds of a plan.

/// All attempts of one step, the first included.
pub const RETRY_ATTEMPTS_MAX: u32 = 10;

/// Before the second attempt, in milliseconds.
pub const RETRY_BACKOFF_MS_MAX: u64 = 60_000;
