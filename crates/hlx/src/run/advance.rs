//! Applies one event to a run: total, bounded, deterministic.

use super::{
    APPROVAL_REVOKED, Resolution, RunEffect, RunEvent, RunState,
    retry::{START_LOSSES_MAX, backoff_ms, delay_ms},
    step_position::StepPosition,
};
use wiiiv_domain::{DenyCode, StepFailure, StepId, StepOutcome};

/// Answers about anything but the current attempt change nothing.
#[must_use]
pub fn advance(mut state: RunState, event: RunEvent) -> (RunState, Vec<RunEffect>) {
    let mut effects = Vec::new();
    match event {
        RunEvent::Begin => begin(&mut state, &mut effects),
        RunEvent::StepStarted { step, attempt } => started(&mut state, &step, attempt),
        RunEvent::StepFinished { step, attempt, outcome } => {
            if is_current(&state, &step, attempt) {
                finished(&mut state, &step, attempt, outcome, &mut effects);
            }
        }
        RunEvent::StepSkipped { step, attempt } => {
            if is_current(&state, &step, attempt) {
                state.put(&step, StepPosition::Skipped);
                effects.push(RunEffect::Skipped { step });
            }
        }
        RunEvent::StepDenied { step, attempt, code } => {
            if is_current(&state, &step, attempt) {
                state.put(&step, StepPosition::Failed);
                state.fail(code.as_str());
            }
        }
        RunEvent::StartLost { step, attempt } => {
            if is_current(&state, &step, attempt) {
                lost(&mut state, &step, attempt, &mut effects);
            }
        }
        RunEvent::Cancel => state.cancelled |= !state.ended,
        RunEvent::Halt => stop(&mut state, DenyCode::Halted.as_str()),
        RunEvent::Revoke => stop(&mut state, APPROVAL_REVOKED),
        RunEvent::Resolved { step, resolution } => resolved(&mut state, &step, resolution),
    }
    state.settle(&mut effects);
    (state, effects)
}

/// Nothing more is started, and it ends by that code.
fn stop(state: &mut RunState, code: &str) {
    if !state.ended {
        state.fail(code);
    }
}

fn begin(state: &mut RunState, effects: &mut Vec<RunEffect>) {
    if !state.begun {
        state.begun = true;
        let doubts = state.indeterminate().into_iter();
        effects.extend(doubts.map(|step| RunEffect::Indeterminate { step }));
    }
}

fn is_current(state: &RunState, step: &StepId, attempt: u32) -> bool {
    state.steps.get(step).is_some_and(|progress| progress.in_flight() == Some(attempt))
}

fn started(state: &mut RunState, step: &StepId, attempt: u32) {
    if is_current(state, step, attempt) {
        state.put(step, StepPosition::Running { attempt });
    }
}

fn finished(
    state: &mut RunState,
    step: &StepId,
    attempt: u32,
    outcome: StepOutcome,
    effects: &mut Vec<RunEffect>,
) {
    match outcome {
        StepOutcome::Success { output: _ } => state.put(step, StepPosition::Done),
        StepOutcome::Cancelled { source: _ } => {
            state.put(step, StepPosition::Cancelled);
            // Stopped by something else than this run: the run stops too.
            state.cancelled |= state.failure.is_none();
        }
        StepOutcome::Failure { failure } => failed(state, step, attempt, &failure, effects),
    }
}

fn failed(
    state: &mut RunState,
    step: &StepId,
    attempt: u32,
    failure: &StepFailure,
    effects: &mut Vec<RunEffect>,
) {
    let (execution, stopping) = (state.execution, state.is_stopping());
    let Some(progress) = state.steps.get_mut(step) else { return };
    if failure.effect_unknown && !progress.idempotent {
        progress.place = StepPosition::InDoubt;
        effects.push(RunEffect::Indeterminate { step: step.clone() });
        return;
    }
    progress.failures += 1;
    progress.losses = 0;
    match delay_ms(execution, step, progress, failure) {
        Some(delay_ms) if !stopping => {
            let attempt = attempt + 1;
            progress.place = StepPosition::Starting { attempt };
            effects.push(RunEffect::StartAfter { step: step.clone(), attempt, delay_ms });
        }
        Some(_) | None => {
            progress.place = StepPosition::Failed;
            state.fail(&failure.code);
        }
    }
}

/// Nothing was done, so that even a step that is not idempotent may start under the same number.
fn lost(state: &mut RunState, step: &StepId, attempt: u32, effects: &mut Vec<RunEffect>) {
    let (execution, stopping) = (state.execution, state.is_stopping());
    let Some(progress) = state.steps.get_mut(step) else { return };
    if !matches!(progress.place, StepPosition::Starting { .. }) {
        return;
    }
    progress.losses += 1;
    if stopping {
        progress.place = StepPosition::Cancelled;
    } else if progress.losses <= START_LOSSES_MAX {
        let delay_ms = backoff_ms(execution, step, progress.retry.backoff_ms, progress.losses);
        effects.push(RunEffect::StartAfter { step: step.clone(), attempt, delay_ms });
    } else {
        progress.place = StepPosition::Failed;
        state.fail("AUDIT_UNAVAILABLE");
    }
}

fn resolved(state: &mut RunState, step: &StepId, resolution: Resolution) {
    if state.steps.get(step).is_none_or(|progress| progress.place != StepPosition::InDoubt) {
        return;
    }
    match resolution {
        Resolution::Happened => state.put(step, StepPosition::Done),
        Resolution::DidNotHappen => {
            state.put(step, StepPosition::Failed);
            state.fail("DID_NOT_HAPPEN");
        }
        Resolution::Abandon => {
            state.put(step, StepPosition::Failed);
            state.fail("ABANDONED");
        }
    }
    // The run had ended in doubt; it ends once more, or goes on.
    state.ended = false;
}
