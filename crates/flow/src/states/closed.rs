//! Closed: a task has ended. The session keeps nothing of it.

use crate::{
    closing::close,
    queue,
    task_position::{Back, TaskPosition},
    transition::{Next, Transition},
    waiting,
};
use wiiiv_domain::{FlowEffect, JobName, ReplyCode, TaskId, TaskOutcome};

/// INVARIANT: a cancel takes effect in every state at once; a later answer names no current
/// request. A stop drops all: also jobs behind the task, and those next with none active.
pub(crate) fn cancel(t: &mut Transition<'_>) -> Next {
    stopped(t, Vec::new())
}

/// The same for every task, suspended ones included.
pub(crate) fn cancel_all(t: &mut Transition<'_>) -> Next {
    let aside = std::mem::take(&mut t.suspended);
    for held in &aside {
        t.withdraw(held.rest.question());
        t.effect(FlowEffect::Close { task: held.task.id, outcome: TaskOutcome::Cancelled });
    }
    stopped(t, aside.iter().map(|held| held.task.name()).collect())
}

/// Also lists the other dropped tasks, in the session's order.
fn stopped(t: &mut Transition<'_>, mut dropped: Vec<JobName>) -> Next {
    let place = stop(t, TaskOutcome::Cancelled);
    dropped.extend(queue::stop(t, t.before.task()));
    if matches!(t.before, TaskPosition::Listening) && dropped.is_empty() {
        t.reply(ReplyCode::NothingToCancel);
        waiting::kept(t);
        return Next::Stay;
    }
    t.reply(ReplyCode::Cancelled);
    queue::name_dropped(t, dropped);
    waiting::kept(t);
    Next::To(place)
}

/// Every task ends; refused specs stay refused.
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
        // No task has begun: only the model call stops, under the id that its task would have.
        t.effect(FlowEffect::CancelWork { task: TaskId::from(*turn), execution: None });
    }
    TaskPosition::Listening
}
