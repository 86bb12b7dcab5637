//! ConfirmingWorkOrder: a work order waits for a yes, which permits drawing only.

use crate::{
    closing::close,
    jobs, order,
    states::{closed, proposing},
    task::Task,
    task_position::ParkedTask,
    transition::{Next, Transition},
};
use wiiiv_domain::{FlowInput, ReplyCode, SignalKind, TaskOutcome, UserSignal, Why};

pub(crate) fn on(t: &mut Transition<'_>, held: &ParkedTask, input: FlowInput) -> Next {
    match input {
        FlowInput::Signal(signal) => said(t, held, signal),
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
    UserSignal { turn, signal }: UserSignal,
) -> Next {
    match signal {
        SignalKind::Affirm { digest: None } => {
            Next::To(order::deliberate(t, Task { turn, ..held.task.clone() }))
        }
        SignalKind::Deny { digest: None } => {
            t.reply(ReplyCode::Refused { digest: None });
            Next::To(close(t, &held.task, TaskOutcome::Refused))
        }
        // A work order has no blueprint: a yes or no that names one is about an older preview.
        SignalKind::Affirm { digest: Some(digest) } | SignalKind::Deny { digest: Some(digest) } => {
            t.only_reply(ReplyCode::Stale { digest })
        }
        SignalKind::Say | SignalKind::Modify | SignalKind::FollowUp => {
            proposing::message(t, turn, held, Why::Message)
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
