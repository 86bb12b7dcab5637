//! Closed: the end of a task. Nothing of it stays in the session.

use crate::{
    closing::close,
    queue,
    task_position::{Back, TaskPosition},
    transition::{Next, Transition},
};
use wiiiv_domain::{FlowEffect, JobName, ReplyCode, TaskId, TaskOutcome};

/// INVARIANT: honoured from every state, at once; what answers later names nothing current. Who
/// shouts stop means all of it: what waits behind the task, or is next with none active, goes too.
pub(crate) fn cancel(t: &mut Transition<'_>) -> Next {
    stopped(t, Vec::new())
}

/// The same of every task, also of those that were put aside.
pub(crate) fn cancel_all(t: &mut Transition<'_>) -> Next {
    let aside = std::mem::take(&mut t.suspended);
    for held in &aside {
        t.withdraw(held.rest.question());
        t.effect(FlowEffect::Close { task: held.task.id, outcome: TaskOutcome::Cancelled });
    }
    stopped(t, aside.iter().map(|held| held.task.name()).collect())
}

/// With what else is dropped, in the order of the session.
fn stopped(t: &mut Transition<'_>, mut dropped: Vec<JobName>) -> Next {
    let place = stop(t, TaskOutcome::Cancelled);
    dropped.extend(queue::stop(t, t.before.task()));
    if matches!(t.before, TaskPosition::Listening) && dropped.is_empty() {
        return t.only_reply(ReplyCode::NothingToCancel);
    }
    t.reply(ReplyCode::Cancelled);
    queue::name_dropped(t, dropped);
    Next::To(place)
}

/// Every task ends; the specs that DACS refused stay refused.
pub(crate) fn reset(t: &mut Transition<'_>) -> Next {
    let place = stop(t, TaskOutcome::Abandoned);
    for held in std::mem::take(&mut t.suspended) {
        t.withdraw(held.rest.question());
        close(t, &held.task, TaskOutcome::Abandoned);
    }
    for task in std::mem::take(&mut t.queued) {
        close(t, &task, TaskOutcome::Abandoned);
    }
    t.reply(ReplyCode::Reset);
    Next::To(place)
}

fn stop(t: &mut Transition<'_>, outcome: TaskOutcome) -> TaskPosition {
    let before = t.before;
    t.withdraw(before.question());
    if let Some(task) = before.task() {
        t.effect(FlowEffect::CancelWork { task: task.id, execution: before.execution() });
        return close(t, task, outcome);
    }
    if let TaskPosition::Proposing { turn, back: Back::Listening } = before {
        // No task has begun: the model call alone is stopped, under the id it would have had.
        t.effect(FlowEffect::CancelWork { task: TaskId::from(*turn), execution: None });
    }
    TaskPosition::Listening
}
