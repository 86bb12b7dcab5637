//! What was asked about and has no answer yet is not forgotten behind other talk and other work.

use crate::{
    task_position::{ParkedTask, Rest, TaskPosition},
    transition::Transition,
};
use wiiiv_domain::ReplyCode;

/// The task that was asked about, behind other talk.
pub(crate) fn active(t: &mut Transition<'_>, held: &ParkedTask) {
    named(t, std::slice::from_ref(held), false);
}

/// Nothing is active any more: what was put aside for it.
pub(crate) fn aside(t: &mut Transition<'_>, place: &TaskPosition) {
    if *place == TaskPosition::Listening {
        let suspended = t.suspended.clone();
        named(t, &suspended, true);
    }
}

/// None at all is no reply.
fn named(t: &mut Transition<'_>, held: &[ParkedTask], aside: bool) {
    let waiting = held.iter().filter(|held| waits(held));
    let jobs: Vec<_> = waiting.map(|held| held.task.name()).collect();
    if !jobs.is_empty() {
        t.reply(ReplyCode::StillWaits { jobs, aside });
    }
}

fn waits(held: &ParkedTask) -> bool {
    match &held.rest {
        Rest::Confirming(question) => !question.approved,
        Rest::ConfirmingWorkOrder { .. } => true,
        // What it lacks may be said next; somebody else's answer is not this person's to give.
        Rest::Interviewing { .. } | Rest::AwaitingApproval(_) => false,
    }
}
