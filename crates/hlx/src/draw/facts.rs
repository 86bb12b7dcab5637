//! Facts beside the spec that drawing may use.

use std::collections::BTreeSet;
use wiiiv_domain::{ExecutionId, ProjectPolicy, StepId, StepOutput, System, Timestamp};

/// What a binding may carry where nothing says more, in bytes.
pub const BOUND_DEFAULT_BYTES: u64 = 1024 * 1024;

/// What drawing may know of the world.
#[derive(Debug, Clone, Copy)]
pub struct DrawFacts<'a> {
    pub policy: &'a ProjectPolicy,
    /// Earlier runs of the same session.
    pub earlier: &'a [EarlierRun],
    /// Registered systems of the project.
    pub systems: &'a [System],
    /// First components, such as `lib` or `var`, that exist in the workspace although systems
    /// have directories of that name.
    pub own_directories: &'a BTreeSet<String>,
    /// What the target holds, where something is to be added to it; `None`: nothing is there.
    pub held: Option<&'a str>,
}

/// A run that may be referred to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierRun {
    pub execution: ExecutionId,
    pub finished_at: Timestamp,
    /// Steps that left an output, in plan order.
    pub steps: Vec<EarlierStep>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierStep {
    pub step: StepId,
    pub media_type: String,
    pub size_bytes: u64,
    /// It holds what was read or made of it; the report of a write is no result to refer to.
    pub foreign: bool,
}

impl EarlierStep {
    #[must_use]
    pub fn of(step: StepId, output: &StepOutput) -> Self {
        let StepOutput { media_type, size_bytes, foreign, .. } = output;
        Self { step, media_type: media_type.clone(), size_bytes: *size_bytes, foreign: *foreign }
    }
}
