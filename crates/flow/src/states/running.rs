//! Running: the run actor performs the plan; its end is reported from facts.

use crate::{
    closing::close,
    signals,
    task::Task,
    task_position::{Back, TaskPosition},
    transition::{Next, Transition},
};
use wiiiv_domain::{ExecutionId, FlowInput, ReplyCode, RunOutcome, SpecDigest, TaskOutcome, Why};

pub(crate) fn on(
    t: &mut Transition<'_>,
    task: &Task,
    spec: SpecDigest,
    execution: ExecutionId,
    input: FlowInput,
) -> Next {
    match input {
        FlowInput::Signal(signal) => signals::in_flight(t, signal),
        FlowInput::Finished { execution: named, outcome } if named == execution => {
            finished(t, task, spec, (execution, outcome))
        }
        FlowInput::Finished { .. }
        | FlowInput::Proposed { .. }
        | FlowInput::Verdict { .. }
        | FlowInput::Shadowed { .. }
        | FlowInput::Drawn { .. }
        | FlowInput::NotDrawable { .. }
        | FlowInput::Approved { .. }
        | FlowInput::Refused { .. }
        | FlowInput::Expired { .. }
        | FlowInput::Edited { .. }
        | FlowInput::Regrounded { .. }
        | FlowInput::Ruling { .. } => Next::Stay,
    }
}

fn finished(
    t: &mut Transition<'_>,
    task: &Task,
    spec: SpecDigest,
    (execution, outcome): (ExecutionId, RunOutcome),
) -> Next {
    Next::To(match outcome {
        RunOutcome::Succeeded => next_round(t, task, spec, execution),
        RunOutcome::Failed { code } => {
            t.reply(ReplyCode::RunFailed { execution, code });
            close(t, task, TaskOutcome::Failed)
        }
        RunOutcome::Cancelled => {
            t.reply(ReplyCode::RunCancelled { execution });
            close(t, task, TaskOutcome::Cancelled)
        }
        // A person resolves it; then the run ends a second time.
        RunOutcome::Indeterminate => {
            return t.only_reply(ReplyCode::RunIndeterminate { execution });
        }
    })
}

/// The model gets the facts and may propose a next step, up to the limit of rounds.
fn next_round(
    t: &mut Transition<'_>,
    task: &Task,
    spec: SpecDigest,
    execution: ExecutionId,
) -> TaskPosition {
    let rounds = task.rounds.saturating_add(1);
    let task = Task { rounds, drawings: 0, ran: Some(spec), ..task.clone() };
    if rounds < t.limits.rounds_max {
        t.propose(task.turn, Why::Facts { execution });
        return TaskPosition::Proposing { turn: task.turn, back: Back::Facts { task, execution } };
    }
    t.reply(ReplyCode::Facts { execution, message: String::new() });
    t.reply(ReplyCode::RoundLimit);
    close(t, &task, TaskOutcome::Done)
}
