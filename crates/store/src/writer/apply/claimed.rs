//! Writes a claim, or gives the reason why it may not be written.

use crate::{error::StoreError, writer::refused::Moved};
use wiiiv_gate::{Claim, DecisionRecord, ExecutionStarted, Guard};

/// Why the savepoint is rolled back.
#[derive(Debug)]
pub(crate) enum Refused {
    Moved(Moved),
    Store(StoreError),
}

impl From<StoreError> for Refused {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// What of a claim is written.
pub(crate) struct Claimed<'a> {
    pub(super) record: &'a DecisionRecord,
    pub(super) guard: Option<&'a Guard>,
    pub(super) started: Option<ExecutionStarted>,
}

impl<'a> Claimed<'a> {
    pub(crate) fn of(claim: &'a Claim) -> Self {
        Self { record: claim.record(), guard: claim.guard(), started: claim.started() }
    }
}
