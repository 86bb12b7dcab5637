//! Decides whether and when a step is tried again.

use super::step_position::Progress;
use wiiiv_domain::{ContentDigest, ExecutionId, StepFailure, StepId};

/// A longer wait than this is not waited for: the step has failed. In milliseconds.
pub(super) const DELAY_MS_MAX: u64 = 60_000;
/// Starts of one attempt that may be lost before the run gives up.
pub(super) const START_LOSSES_MAX: u32 = 3;
/// Jitter, in percent of the delay.
const JITTER_PERCENT_MAX: u64 = 25;

/// The delay before the next attempt; `None`: there is none.
///
/// Only an idempotent step, only a category that may be retried, only within its attempts, and
/// the service's own Retry-After is honoured or the step has failed.
pub(super) fn delay_ms(
    execution: ExecutionId,
    step: &StepId,
    progress: &Progress,
    failure: &StepFailure,
) -> Option<u64> {
    let wanted = progress.idempotent
        && failure.category.may_retry()
        && progress.failures < progress.retry.attempts_max;
    let asked = failure.retry_after_ms.unwrap_or(0);
    if !wanted || asked > DELAY_MS_MAX {
        return None;
    }
    Some(backoff_ms(execution, step, progress.retry.backoff_ms, progress.failures).max(asked))
}

/// Doubled for each failure. The jitter is drawn from the run's id: runs differ, a replay does not.
pub(super) fn backoff_ms(execution: ExecutionId, step: &StepId, first_ms: u64, count: u32) -> u64 {
    let doubled = 1_u64.checked_shl(count.saturating_sub(1)).unwrap_or(u64::MAX);
    let delay = first_ms.saturating_mul(doubled).min(DELAY_MS_MAX);
    let seed = ContentDigest::of_bytes(format!("{execution} {step} {count}").as_bytes());
    let drawn = seed.bytes().first().copied().map_or(0, u64::from);
    let jitter = delay * JITTER_PERCENT_MAX * drawn / (100 * 255);
    delay.saturating_add(jitter).min(DELAY_MS_MAX)
}
