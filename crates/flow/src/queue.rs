//! Several jobs of one message: the first begins, the others wait as tasks of their own. The next
//! begins after one is done, failed, denied or declined; after a timeout or a stop the rest are
//! dropped, each by name.

use crate::{task::Task, task_position::ParkedTask, transition::Transition};
use wiiiv_domain::{
    FlowEffect, JOBS_LATER_MAX, JobName, LaterJob, ReplyCode, SlotName, TaskId, TaskOutcome, TurnId,
};

/// Queues the further jobs of a message. `None`, with the list, if they do not all fit: none is
/// taken. `beside`: tasks that are about to be suspended.
pub(crate) fn behind(
    t: &mut Transition<'_>,
    turn: TurnId,
    first: Task,
    later: &[LaterJob],
    beside: usize,
) -> Option<Task> {
    let jobs = unheard(t, &first, later);
    if jobs.is_empty() {
        return Some(first);
    }
    let drawable = t.limits.drawable;
    let (taken, declined): (Vec<_>, Vec<_>) =
        jobs.into_iter().partition(|job| !job.task_type.is_talk() && drawable.has(job.task_type));
    let mut names = Vec::new();
    if drawable.has(first.task_type) {
        names.push(first.name());
    }
    names.extend(taken.iter().map(|job| name(job)));
    let capacity = t.capacity().saturating_sub(beside).min(JOBS_LATER_MAX);
    if taken.len() > capacity {
        let room = u32::try_from(capacity.saturating_add(1)).unwrap_or(u32::MAX);
        t.reply(ReplyCode::TooManyJobs { jobs: names, room });
        return None;
    }
    let batch = first.batch.unwrap_or(turn);
    let numbered = (1_u8..).zip(taken);
    let tasks: Vec<Task> =
        numbered.map(|(nth, job)| Task::later(turn, nth, batch, job.clone())).collect();
    if tasks.iter().any(|task| t.knows(task.id)) {
        t.reply(ReplyCode::Unavailable);
        return None;
    }
    if !tasks.is_empty() {
        t.reply(ReplyCode::JobsTaken { jobs: names });
    }
    if !declined.is_empty() {
        let jobs = declined.into_iter().map(name).collect();
        t.reply(ReplyCode::JobsDeclined { jobs });
    }
    let batch = if tasks.is_empty() { first.batch } else { Some(batch) };
    t.queued.extend(tasks);
    Some(Task { batch, ..first })
}

/// Leaves out talk, except a request that nothing can do, and jobs that are queued already: after a
/// user's answer a model sees the message that brought them again.
fn unheard<'a>(t: &Transition<'_>, first: &Task, later: &'a [LaterJob]) -> Vec<&'a LaterJob> {
    let held = t.suspended.iter().map(|held| &held.task).chain(&t.queued);
    let behind: Vec<&Task> = held.filter(|task| beside(task, first.batch)).collect();
    let mut new: Vec<&LaterJob> = Vec::new();
    let says = |job: &LaterJob| job.slots.get(SlotName::INTENT).is_some();
    for job in later.iter().filter(|job| !job.task_type.is_talk() || says(job)) {
        let same = |task: &Task| task.task_type == job.task_type && task.slots == job.slots;
        if !same(first) && !behind.iter().any(|task| same(task)) && !new.contains(&job) {
            new.push(job);
        }
    }
    new
}

pub(crate) fn beside(task: &Task, batch: Option<TurnId>) -> bool {
    batch.is_some() && task.batch == batch
}

fn name(job: &LaterJob) -> JobName {
    JobName::of(job.task_type, &job.slots)
}

pub(crate) fn take(t: &mut Transition<'_>, id: TaskId) -> Option<Task> {
    let at = t.queued.iter().position(|task| task.id == id)?;
    Some(t.queued.remove(at))
}

/// The user's stop: drops what waits behind this task, and jobs without a predecessor.
pub(crate) fn stop(t: &mut Transition<'_>, task: Option<&Task>) -> Vec<JobName> {
    t.ended = None;
    let batch = task.and_then(|task| task.batch);
    drop_where(t, |task, held| beside(task, batch) || !is_under_way(held, task.batch))
}

pub(crate) fn name_dropped(t: &mut Transition<'_>, jobs: Vec<JobName>) {
    if !jobs.is_empty() {
        t.reply(ReplyCode::JobsDropped { jobs });
    }
}

pub(crate) fn drop_where(
    t: &mut Transition<'_>,
    gone: impl Fn(&Task, &[ParkedTask]) -> bool,
) -> Vec<JobName> {
    let (dropped, kept): (Vec<Task>, _) =
        std::mem::take(&mut t.queued).into_iter().partition(|task| gone(task, &t.suspended));
    t.queued = kept;
    for task in &dropped {
        t.effect(FlowEffect::Close { task: task.id, outcome: TaskOutcome::Cancelled });
    }
    dropped.iter().map(Task::name).collect()
}

pub(crate) fn ready(t: &mut Transition<'_>) -> Option<Task> {
    let at = t.queued.iter().position(|task| !is_under_way(&t.suspended, task.batch))?;
    Some(t.queued.remove(at))
}

pub(crate) fn is_under_way(held: &[ParkedTask], batch: Option<TurnId>) -> bool {
    held.iter().any(|held| held.task.batch == batch)
}
