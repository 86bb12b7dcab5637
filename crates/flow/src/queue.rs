//! Several jobs of one message: the first is begun, the others wait their turn as tasks of their
//! own. When one ends, however it ends, the next is begun by itself; a user's cancel drops them all.

use crate::{
    judge::{self, Wish},
    place::{Held, Place},
    states::suspended,
    task::Task,
    transition::{Ended, Transition},
};
use wiiiv_domain::{
    FlowEffect, JOBS_LATER_MAX, JobName, LaterJob, ReplyCode, TaskId, TaskOutcome, TurnId,
};

/// Puts the further jobs of a message behind its first. `None`, with the list: there is no room
/// for all, and none was taken. `beside`: tasks that are about to be put aside.
pub(crate) fn behind(
    t: &mut Transition<'_>,
    turn: TurnId,
    first: Task,
    later: &[LaterJob],
    beside: usize,
) -> Option<Task> {
    let jobs: Vec<&LaterJob> = later.iter().filter(|job| !job.task_type.is_talk()).collect();
    if jobs.is_empty() {
        return Some(first);
    }
    let drawable = t.limits.drawable;
    let (taken, declined): (Vec<_>, Vec<_>) =
        jobs.into_iter().partition(|job| drawable.has(job.task_type));
    let mut names = Vec::new();
    if drawable.has(first.task_type) {
        names.push(first.name());
    }
    names.extend(taken.iter().map(|job| name(job)));
    let room = t.room().saturating_sub(beside).min(JOBS_LATER_MAX);
    if taken.len() > room {
        let room = u32::try_from(room.saturating_add(1)).unwrap_or(u32::MAX);
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

fn name(job: &LaterJob) -> JobName {
    JobName::of(job.task_type, &job.slots)
}

/// With no task active, the next job whose message has nothing under way. It may be turned away at
/// once, and the one behind it is next: each round takes one away.
pub(crate) fn go_on(t: &mut Transition<'_>, mut place: Place) -> Place {
    for _ in 0..=t.queued.len() {
        let next = if place == Place::Listening { ready(t) } else { None };
        let turn = told(t, next.as_ref());
        let Some(task) = next else { return place };
        place = begin(t, Task { turn: turn.unwrap_or(task.turn), ..task });
    }
    place
}

/// The user asks for this one before its turn.
pub(crate) fn ahead(t: &mut Transition<'_>, active: Option<&Held>, task: Task) -> Place {
    if let Some(active) = active {
        suspended::suspend(t, active);
    }
    t.reply(ReplyCode::Resumed { task: task.id });
    begin(t, task)
}

pub(crate) fn take(t: &mut Transition<'_>, id: TaskId) -> Option<Task> {
    let at = t.queued.iter().position(|task| task.id == id)?;
    Some(t.queued.remove(at))
}

/// What waits behind this task is not done any more: their names.
pub(crate) fn drop_behind(t: &mut Transition<'_>, task: Option<&Task>) -> Vec<JobName> {
    t.ended = None;
    let Some(batch) = task.and_then(|task| task.batch) else { return Vec::new() };
    let (dropped, kept) = t.queued.drain(..).partition(|task| task.batch == Some(batch));
    t.queued = kept;
    let dropped: Vec<Task> = dropped;
    for task in &dropped {
        t.effect(FlowEffect::Close { task: task.id, outcome: TaskOutcome::Cancelled });
    }
    dropped.iter().map(Task::name).collect()
}

/// As if it had just been proposed: it is asked about or deliberated, like any other.
fn begin(t: &mut Transition<'_>, task: Task) -> Place {
    judge::take_up(t, task, Wish::Act, String::new())
}

fn ready(t: &mut Transition<'_>) -> Option<Task> {
    let under_way = |batch| t.suspended.iter().any(|held| held.task.batch == batch);
    let at = t.queued.iter().position(|task| !under_way(task.batch))?;
    Some(t.queued.remove(at))
}

/// What became of the job before, and which is next. The next goes on in the same turn.
fn told(t: &mut Transition<'_>, next: Option<&Task>) -> Option<TurnId> {
    let Some(Ended { batch, turn, job, outcome }) = t.ended.take() else {
        if let Some(next) = next {
            t.reply(ReplyCode::Resumed { task: next.id });
        }
        return None;
    };
    let left = t.queued.iter().filter(|task| task.batch == Some(batch)).count();
    let next = next.filter(|next| next.batch == Some(batch)).map(Task::name);
    // Others of its message wait for one that was put aside: it is not the last.
    if next.is_some() || left == 0 {
        let left = u32::try_from(left).unwrap_or(u32::MAX);
        t.reply(ReplyCode::JobClosed { job, outcome, next, left });
    }
    Some(turn)
}
