//! Interviewing: the user was asked for missing slots.

use crate::{
    closing::close,
    jobs,
    states::{closed, proposing},
    task_position::ParkedTask,
    transition::{Next, Transition},
};
use wiiiv_domain::{FlowInput, ReplyCode, SignalKind, TaskOutcome, UserSignal, Why};

/// `concerns`: what the review asks to change; the model gets it with the next message.
pub(crate) fn on(
    t: &mut Transition<'_>,
    held: &ParkedTask,
    concerns: &[String],
    input: FlowInput,
) -> Next {
    match input {
        FlowInput::Signal(signal) => said(t, held, concerns, signal),
        FlowInput::Proposed { .. }
        | FlowInput::Verdict { .. }
        | FlowInput::Shadowed { .. }
        | FlowInput::Drawn { .. }
        | FlowInput::NotDrawable { .. }
        | FlowInput::Approved { .. }
        | FlowInput::Refused { .. }
        | FlowInput::Expired { .. }
        | FlowInput::Edited { .. }
        | FlowInput::Ruling { .. }
        | FlowInput::Regrounded { .. }
        | FlowInput::Finished { .. } => Next::Stay,
    }
}

fn said(
    t: &mut Transition<'_>,
    held: &ParkedTask,
    concerns: &[String],
    UserSignal { turn, signal }: UserSignal,
) -> Next {
    match signal {
        // A bare yes answers the model's own question, as there is no preview.
        SignalKind::Say
        | SignalKind::Modify
        | SignalKind::FollowUp
        | SignalKind::Affirm { digest: None } => {
            let why = match concerns {
                [] => Why::Message,
                [..] => Why::Revision { concerns: concerns.to_vec() },
            };
            proposing::message(t, turn, held, why)
        }
        SignalKind::Affirm { digest: Some(digest) } | SignalKind::Deny { digest: Some(digest) } => {
            t.only_reply(ReplyCode::Stale { digest })
        }
        SignalKind::Deny { digest: None } => {
            t.reply(ReplyCode::Refused { digest: None });
            Next::To(close(t, &held.task, TaskOutcome::Refused))
        }
        SignalKind::Cancel => closed::cancel(t),
        SignalKind::CancelAll => closed::cancel_all(t),
        SignalKind::LeaveOut { task } => jobs::leave_out(t, Some(held), task),
        SignalKind::Recall { recall } => proposing::message(t, turn, held, Why::Recall { recall }),
        SignalKind::Remember => t.only_reply(ReplyCode::Remember),
        SignalKind::Switch { task } => jobs::switch(t, Some(held), task),
        SignalKind::Reset => closed::reset(t),
    }
}
