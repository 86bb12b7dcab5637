//! Reminds the user of open questions after other talk and other work.

use crate::{
    task_position::{ParkedTask, Rest, TaskPosition},
    transition::Transition,
};
use wiiiv_domain::ReplyCode;

/// Names the task whose question is open after other talk.
pub(crate) fn active(t: &mut Transition<'_>, held: &ParkedTask) {
    named(t, std::slice::from_ref(held), false);
}

/// Names suspended tasks that wait when no task is active.
pub(crate) fn aside(t: &mut Transition<'_>, place: &TaskPosition) {
    if *place == TaskPosition::Listening {
        let suspended = t.suspended.clone();
        named(t, &suspended, true);
    }
}

/// Replies only if there are any.
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
        // A missing slot may come with the next message; another person's answer may not.
        Rest::Interviewing { .. } | Rest::AwaitingApproval(_) | Rest::Edited => false,
    }
}
