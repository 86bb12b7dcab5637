//! What a user can say to a session that is at work: only cancel and reset change anything.

use crate::{
    states::closed,
    transition::{Next, Transition},
};
use wiiiv_domain::{ReplyCode, SignalKind, UserSignal};

pub(crate) fn in_flight(t: &mut Transition<'_>, UserSignal { signal, .. }: UserSignal) -> Next {
    match signal {
        SignalKind::Cancel => closed::cancel(t),
        SignalKind::Reset => closed::reset(t),
        SignalKind::Remember => t.only_reply(ReplyCode::CannotRemember),
        SignalKind::Say
        | SignalKind::Modify
        | SignalKind::FollowUp
        | SignalKind::Affirm { .. }
        | SignalKind::Deny { .. }
        | SignalKind::Switch { .. } => t.only_reply(ReplyCode::Busy),
    }
}
