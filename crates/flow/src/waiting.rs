//! What was asked about and has no answer yet is not forgotten behind other talk and other work.

use crate::{
    place::{Held, Place, Rest},
    transition::Transition,
};
use wiiiv_domain::ReplyCode;

/// Names those of the tasks that wait for an answer of the user's; none at all is no reply.
pub(crate) fn named(t: &mut Transition<'_>, held: &[Held]) {
    let jobs: Vec<_> =
        held.iter().filter(|held| waits(held)).map(|held| held.task.name()).collect();
    if !jobs.is_empty() {
        t.reply(ReplyCode::StillWaits { jobs });
    }
}

/// Nothing is active any more: what was put aside for it.
pub(crate) fn aside(t: &mut Transition<'_>, place: &Place) {
    if *place == Place::Listening {
        let suspended = t.suspended.clone();
        named(t, &suspended);
    }
}

fn waits(held: &Held) -> bool {
    match &held.rest {
        Rest::Confirming(question) => !question.approved,
        Rest::ConfirmingWorkOrder { .. } => true,
        // What it lacks may be said next; somebody else's answer is not this person's to give.
        Rest::Interviewing { .. } | Rest::AwaitingApproval(_) => false,
    }
}
