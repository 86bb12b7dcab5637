//! Listening: no task is active.

use crate::{
    jobs,
    states::closed,
    task_position::{Back, TaskPosition},
    transition::{Next, Transition},
};
use wiiiv_domain::{BlueprintDigest, FlowInput, ReplyCode, SignalKind, TurnId, UserSignal, Why};

pub(crate) fn on(t: &mut Transition<'_>, input: FlowInput) -> Next {
    match input {
        FlowInput::Signal(signal) => said(t, signal),
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

fn said(t: &mut Transition<'_>, UserSignal { turn, signal }: UserSignal) -> Next {
    match signal {
        SignalKind::Say | SignalKind::Modify | SignalKind::FollowUp => {
            propose(t, turn, Why::Message)
        }
        SignalKind::Recall { recall } => propose(t, turn, Why::Recall { recall }),
        SignalKind::Affirm { digest } | SignalKind::Deny { digest } => nothing_asked(t, digest),
        SignalKind::Cancel => closed::cancel(t),
        SignalKind::CancelAll => closed::cancel_all(t),
        SignalKind::LeaveOut { task } => jobs::leave_out(t, None, task),
        SignalKind::Remember => t.only_reply(ReplyCode::Remember),
        SignalKind::Switch { task } => jobs::switch(t, None, task),
        SignalKind::Reset => closed::reset(t),
    }
}

fn propose(t: &mut Transition<'_>, turn: TurnId, why: Why) -> Next {
    t.propose(turn, why);
    Next::To(TaskPosition::Proposing { turn, back: Back::Listening })
}

/// An answer that names a preview names one that has ended.
fn nothing_asked(t: &mut Transition<'_>, digest: Option<BlueprintDigest>) -> Next {
    t.only_reply(match digest {
        Some(digest) => ReplyCode::Stale { digest },
        None => ReplyCode::NothingToConfirm,
    })
}
