//! Reminds the user of open questions after other talk and other work.

use crate::{
    task_position::{ParkedTask, Rest, TaskPosition},
    transition::Transition,
};
use wiiiv_domain::ReplyCode;

/// Names the task whose question is open after other talk.
pub(crate) fn active(t: &mut Transition<'_>, held: &ParkedTask) {
    named(t, (std::slice::from_ref(held), false), waits);
}

/// Names suspended tasks that wait when no task is active.
pub(crate) fn aside(t: &mut Transition<'_>, place: &TaskPosition) {
    if *place == TaskPosition::Listening {
        let suspended = t.suspended.clone();
        named(t, (&suspended, true), |held| waits(held) || held.needs_nobody());
    }
}

/// Names suspended tasks that a cancel keeps from going on, until something has ended behind the next message.
pub(crate) fn kept(t: &mut Transition<'_>) {
    let suspended = t.suspended.clone();
    named(t, (&suspended, true), ParkedTask::needs_nobody);
}

/// Replies only if there are any.
fn named(
    t: &mut Transition<'_>,
    (held, aside): (&[ParkedTask], bool),
    are: impl Fn(&ParkedTask) -> bool,
) {
    let waiting = held.iter().filter(|held| are(held));
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
