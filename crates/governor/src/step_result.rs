//! What a step of a run came to.

use std::sync::Arc;
use wiiiv_domain::{StepId, StepOutcome};

/// One attempt at a step.
pub struct StepResult {
    pub step: StepId,
    /// None while it is under way.
    pub outcome: Option<StepOutcome>,
    /// Its output, if it succeeded.
    pub bytes: Option<Arc<Vec<u8>>>,
    /// The last to end in this run.
    pub last: bool,
}
