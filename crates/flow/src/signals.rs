//! Signals to a session that is at work: only a cancel, a reset and the removal of a waiting job
//! have an effect.

use crate::{
    jobs,
    states::closed,
    transition::{Next, Transition},
};
use wiiiv_domain::{ReplyCode, SignalKind, UserSignal};

pub(crate) fn in_flight(t: &mut Transition<'_>, UserSignal { signal, .. }: UserSignal) -> Next {
    match signal {
        SignalKind::Cancel => closed::cancel(t),
        SignalKind::CancelAll => closed::cancel_all(t),
        SignalKind::LeaveOut { task } => jobs::leave_out(t, None, task),
        SignalKind::Reset => closed::reset(t),
        SignalKind::Remember => t.only_reply(ReplyCode::Remember),
        SignalKind::Say
        | SignalKind::Modify
        | SignalKind::FollowUp
        | SignalKind::Recall { .. }
        | SignalKind::Affirm { .. }
        | SignalKind::Deny { .. }
        | SignalKind::Switch { .. } => t.only_reply(ReplyCode::Busy),
    }
}
