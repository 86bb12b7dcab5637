//! The trait of executors, and the report of an attempt.

use std::future::Future;
use tokio_util::sync::CancellationToken;
use wiiiv_domain::{ContentDigest, ExecutorMeta, StepFailure, StepOutcome, StepOutput};
use wiiiv_gate::{Authorized, Step};

/// Does one kind of step.
pub trait Executor {
    /// What it declares of itself; the permission gate uses this, not what a plan says.
    fn meta() -> ExecutorMeta;

    /// Takes the permit by value: it permits this once. Ends soon after `cancel`.
    fn execute(
        &self,
        permit: Authorized<Step>,
        cancel: &CancellationToken,
    ) -> impl Future<Output = StepReport> + Send;
}

/// The outcome, and the output's bytes; empty where there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepReport {
    pub outcome: StepOutcome,
    pub bytes: Vec<u8>,
}

impl StepReport {
    pub(crate) fn success(
        bytes: Vec<u8>,
        media_type: String,
        foreign: bool,
        status: Option<u16>,
    ) -> Self {
        let output = StepOutput {
            digest: ContentDigest::of_bytes(&bytes),
            size_bytes: bytes.len() as u64,
            media_type,
            foreign,
            status,
        };
        Self { outcome: StepOutcome::Success { output }, bytes }
    }
    /// Stopped before anything happened. Who asked for it is for the caller to say.
    pub(crate) fn cancelled() -> Self {
        let source = "cancelled".to_owned();
        Self { outcome: StepOutcome::Cancelled { source }, bytes: Vec::new() }
    }
}

impl From<StepFailure> for StepReport {
    fn from(failure: StepFailure) -> Self {
        Self { outcome: StepOutcome::Failure { failure }, bytes: Vec::new() }
    }
}
