//! Steps a plan: an event goes in, effects come out.
//!
//! INVARIANT: each `Start` and `StartAfter` is answered by exactly one of `StepFinished`,
//! `StepDenied`, `StepSkipped` and `StartLost`; `StepStarted` comes before it if the attempt is
//! recorded.

mod advance;
mod restore;
mod retry;
mod state;
mod step_position;

pub use advance::advance;
pub use restore::AttemptFact;
pub use state::RunState;

use wiiiv_domain::{DenyCode, RunOutcome, StepId, StepOutcome};

/// How a run fails that an approver took back their yes to.
pub const APPROVAL_REVOKED: &str = "APPROVAL_REVOKED";
/// Steps of one run that may be under way at once.
pub const PARALLEL_STEPS_MAX: usize = 4;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEvent {
    /// The run, fresh or restored, may go on.
    Begin,
    /// This attempt is on record: its effect may follow.
    StepStarted {
        step: StepId,
        attempt: u32,
    },
    StepFinished {
        step: StepId,
        attempt: u32,
        outcome: StepOutcome,
    },
    /// Its condition does not hold: nothing was done, and nothing that depends on it will be.
    StepSkipped {
        step: StepId,
        attempt: u32,
    },
    /// Policy now refuses the step. Never tried again.
    StepDenied {
        step: StepId,
        attempt: u32,
        code: DenyCode,
    },
    /// The attempt could not be put on record, so that nothing was done.
    StartLost {
        step: StepId,
        attempt: u32,
    },
    /// By the user.
    Cancel,
    /// What it belongs to was halted.
    Halt,
    /// A yes that it rests on was taken back.
    Revoke,
    /// A person has said what became of a step in doubt.
    Resolved {
        step: StepId,
        resolution: Resolution,
    },
}

/// What a person finds out about a step in doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    /// The effect is there: the run goes on behind it.
    Happened,
    /// It is not: the run ends, and nothing is repeated by itself.
    DidNotHappen,
    /// Nobody can say, or it does not matter any more.
    Abandon,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEffect {
    Start {
        step: StepId,
        attempt: u32,
    },
    StartAfter {
        step: StepId,
        attempt: u32,
        delay_ms: u64,
    },
    /// Stop it as soon as that can be; its answer is still awaited.
    CancelStep {
        step: StepId,
        attempt: u32,
        source: CancelSource,
    },
    /// The effect may have happened: it waits for a person.
    Indeterminate {
        step: StepId,
    },
    /// It will not happen in this run, by its own condition or by one before it.
    Skipped {
        step: StepId,
    },
    /// Nothing is under way any more.
    End {
        outcome: RunOutcome,
    },
}

/// Who stops a step: the text of `StepOutcome::Cancelled`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelSource {
    User,
    /// Another step of the run has failed.
    Run,
    Halt,
    /// Whoever had approved it took that back.
    Approver,
}

impl CancelSource {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Run => "run",
            Self::Halt => "halt",
            Self::Approver => "approver",
        }
    }

    /// Those that a run fails by: to its user it is cancelled, and another step has a code of its own.
    const FAILING: [Self; 2] = [Self::Halt, Self::Approver];

    /// What a run fails by that is stopped so.
    const fn code(self) -> Option<&'static str> {
        match self {
            Self::Halt => Some(DenyCode::Halted.as_str()),
            Self::Approver => Some(APPROVAL_REVOKED),
            Self::User | Self::Run => None,
        }
    }
}
