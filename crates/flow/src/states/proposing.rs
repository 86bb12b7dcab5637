//! Proposing: one model call of one turn; it is answered once.

use crate::{
    closing::close,
    proposal, signals,
    states::{drawing, edited, suspended},
    task_position::{Back, ParkedTask, Rest, TaskPosition},
    transition::{Next, Transition},
    waiting,
};
use wiiiv_domain::{
    BlueprintDigest, FlowInput, PlanEdit, ProposalFailure, ProposalOutcome, ReplyCode, TaskOutcome,
    TurnId, Why,
};

/// A message to a task at rest: the model is called, and the open question stays open.
pub(crate) fn message(t: &mut Transition<'_>, turn: TurnId, held: &ParkedTask, why: Why) -> Next {
    let mut held = held.clone();
    held.task.drawings = 0;
    t.propose(turn, why);
    Next::To(TaskPosition::Proposing { turn, back: Back::ParkedTask(held) })
}

pub(crate) fn on(t: &mut Transition<'_>, turn: TurnId, back: &Back, input: FlowInput) -> Next {
    match input {
        FlowInput::Signal(signal) => signals::in_flight(t, signal),
        FlowInput::Proposed { turn: answered, outcome } if answered == turn => {
            Next::To(match outcome {
                ProposalOutcome::Proposal { proposal } => match back {
                    Back::Listening => proposal::without_task(t, turn, proposal),
                    Back::ParkedTask(held) => proposal::in_task(t, turn, held, proposal),
                    Back::Redraw { task, reasons } => {
                        proposal::redraw(t, turn, (task, reasons), proposal)
                    }
                    Back::Facts { task, execution } => {
                        proposal::next_round(t, turn, (task, *execution), proposal)
                    }
                },
                ProposalOutcome::Failed { failure } => failed(t, back, failure),
                ProposalOutcome::Told { message } => told(t, back, message),
            })
        }
        FlowInput::Approved { digest } => approved(turn, back, digest),
        FlowInput::Refused { digest } => {
            let reply = ReplyCode::Refused { digest: Some(digest) };
            over(t, (turn, back), digest, reply)
        }
        FlowInput::Expired { digest } => {
            let reply = ReplyCode::Expired { digest };
            over(t, (turn, back), digest, reply)
        }
        FlowInput::Edited { digest, edit } => changed(t, (turn, back), digest, &edit),
        FlowInput::Proposed { .. }
        | FlowInput::Verdict { .. }
        | FlowInput::Shadowed { .. }
        | FlowInput::Drawn { .. }
        | FlowInput::NotDrawable { .. }
        | FlowInput::Ruling { .. }
        | FlowInput::Regrounded { .. }
        | FlowInput::Finished { .. } => Next::Stay,
    }
}

/// Back to the state before, after a reply. The reply is given only to a person's message.
fn told(t: &mut Transition<'_>, back: &Back, message: String) -> TaskPosition {
    match back {
        Back::Listening => {
            t.reply(ReplyCode::Told { message });
            TaskPosition::Listening
        }
        Back::ParkedTask(held) => {
            t.reply(ReplyCode::Told { message });
            waiting::active(t, held);
            suspended::returned(t, held.clone())
        }
        Back::Redraw { .. } | Back::Facts { .. } => failed(t, back, ProposalFailure::InvalidOutput),
    }
}

/// Back to the state before. Facts of a run are reported in any case.
fn failed(t: &mut Transition<'_>, back: &Back, failure: ProposalFailure) -> TaskPosition {
    match back {
        Back::Listening => {
            t.reply(ReplyCode::ModelFailed { failure });
            TaskPosition::Listening
        }
        Back::ParkedTask(held) => {
            t.reply(ReplyCode::ModelFailed { failure });
            suspended::returned(t, held.clone())
        }
        Back::Redraw { task, reasons } => {
            t.reply(ReplyCode::ModelFailed { failure });
            drawing::give_up(t, task.clone(), reasons.clone())
        }
        Back::Facts { task, execution } => {
            t.reply(ReplyCode::Facts { execution: *execution, message: String::new() });
            close(t, task, TaskOutcome::Done)
        }
    }
}

/// Keeps the answer with the question: it counts if the message was talk, and is void if the
/// message changes the task.
fn approved(turn: TurnId, back: &Back, digest: BlueprintDigest) -> Next {
    let Some(held) = asked(back, digest) else { return Next::Stay };
    let mut held = held.clone();
    if let Some(question) = held.rest.question_mut() {
        question.approved = true;
    }
    Next::To(TaskPosition::Proposing { turn, back: Back::ParkedTask(held) })
}

/// The question is void; the changed task is reviewed when the message is answered.
fn changed(
    t: &mut Transition<'_>,
    (turn, back): (TurnId, &Back),
    digest: BlueprintDigest,
    edit: &PlanEdit,
) -> Next {
    let Some(held) = asked(back, digest) else { return Next::Stay };
    let Some(held) = edited::parked(t, held, edit) else { return Next::Stay };
    Next::To(TaskPosition::Proposing { turn, back: Back::ParkedTask(held) })
}

/// The question ends; the message is still answered.
fn over(
    t: &mut Transition<'_>,
    (turn, back): (TurnId, &Back),
    digest: BlueprintDigest,
    reply: ReplyCode,
) -> Next {
    let Some(held) = asked(back, digest) else { return Next::Stay };
    t.reply(reply);
    let held = ParkedTask { task: held.task.clone(), rest: Rest::interview() };
    Next::To(TaskPosition::Proposing { turn, back: Back::ParkedTask(held) })
}

fn asked(back: &Back, digest: BlueprintDigest) -> Option<&ParkedTask> {
    match back {
        Back::ParkedTask(held) => Some(held).filter(|held| held.asks_about(digest)),
        Back::Listening | Back::Redraw { .. } | Back::Facts { .. } => None,
    }
}
