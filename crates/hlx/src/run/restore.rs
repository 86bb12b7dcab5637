//! Restores a run after a restart, from the recorded attempts only.

use super::{
    CancelSource, Resolution, RunState,
    retry::delay_ms,
    step_position::{Progress, StepPosition},
};
use std::collections::BTreeSet;
use wiiiv_domain::{ExecutionId, Node, StepFailure, StepId, StepOutcome};

/// Attempts of one step over all restarts.
const ATTEMPTS_TOTAL_MAX: u32 = 100;

/// One attempt on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptFact {
    pub step: StepId,
    pub attempt: u32,
    /// `None`: started, and nothing is known of its end.
    pub finished: Option<StepOutcome>,
    /// What a person has said of it.
    pub resolved: Option<Resolution>,
}

impl RunState {
    /// Finished steps stay finished and skipped ones skipped; an interrupted idempotent one is
    /// started again under the next number; any other interrupted one is in doubt.
    /// `RunEvent::Begin` then goes on. A skip that is not on record is found again: its condition
    /// speaks of outputs that are.
    #[must_use]
    pub fn restore(
        execution: ExecutionId,
        nodes: &[Node],
        attempts: &[AttemptFact],
        skipped: &BTreeSet<StepId>,
    ) -> Self {
        let mut state = Self::new(execution, nodes);
        for step in skipped {
            state.put(step, StepPosition::Skipped);
        }
        for step in state.order.clone() {
            let own = |fact: &&AttemptFact| fact.step == step;
            let Some(last) = attempts.iter().filter(own).max_by_key(|fact| fact.attempt) else {
                continue;
            };
            let failed =
                |fact: &&AttemptFact| matches!(fact.finished, Some(StepOutcome::Failure { .. }));
            let failures = attempts.iter().filter(own).filter(failed).count();
            if let Some(progress) = state.steps.get_mut(&step) {
                progress.failures = u32::try_from(failures).unwrap_or(u32::MAX);
                let (place, stop) = place_of(execution, progress, last);
                progress.place = place;
                match stop {
                    Some(Stop::Failed(code)) => state.fail(&code),
                    Some(Stop::Cancelled) => state.cancelled = true,
                    None => {}
                }
            }
        }
        state
    }
}

/// Why a step that was found so stops the run.
enum Stop {
    Failed(String),
    Cancelled,
}

fn place_of(
    execution: ExecutionId,
    progress: &Progress,
    last: &AttemptFact,
) -> (StepPosition, Option<Stop>) {
    let failed = |code: &str| (StepPosition::Failed, Some(Stop::Failed(code.to_owned())));
    match (&last.resolved, &last.finished) {
        (Some(Resolution::Happened), _) | (None, Some(StepOutcome::Success { .. })) => {
            (StepPosition::Done, None)
        }
        (Some(Resolution::DidNotHappen), _) => failed("DID_NOT_HAPPEN"),
        (Some(Resolution::Abandon), _) => failed("ABANDONED"),
        (None, Some(StepOutcome::Cancelled { source })) => {
            let mut failing = CancelSource::FAILING.into_iter();
            let failing = failing.find(|stopped| source == stopped.as_str());
            let stop = match failing.and_then(CancelSource::code) {
                Some(code) => Some(Stop::Failed(code.to_owned())),
                None if source == CancelSource::Run.as_str() => None,
                None => Some(Stop::Cancelled),
            };
            (StepPosition::Cancelled, stop)
        }
        (None, Some(StepOutcome::Failure { failure })) => {
            after_failure(execution, progress, last, failure)
        }
        (None, None) if !progress.idempotent => (StepPosition::InDoubt, None),
        (None, None) if last.attempt >= ATTEMPTS_TOTAL_MAX => failed("ATTEMPTS_EXHAUSTED"),
        (None, None) => (StepPosition::Waiting { attempt: last.attempt + 1 }, None),
    }
}

fn after_failure(
    execution: ExecutionId,
    progress: &Progress,
    last: &AttemptFact,
    failure: &StepFailure,
) -> (StepPosition, Option<Stop>) {
    if failure.effect_unknown && !progress.idempotent {
        return (StepPosition::InDoubt, None);
    }
    match delay_ms(execution, &last.step, progress, failure) {
        Some(_) => (StepPosition::Waiting { attempt: last.attempt + 1 }, None),
        None => (StepPosition::Failed, Some(Stop::Failed(failure.code.clone()))),
    }
}
