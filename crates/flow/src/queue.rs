//! Several jobs of one message: the first is begun, the others wait their turn as tasks of their
//! own. When one was done, failed, was denied or declined, the next is begun by itself; where its
//! time ran out or it was stopped, those behind it are dropped by name.

use crate::{
    judge::{self, Wish},
    place::{Held, Place},
    states::{closed, suspended},
    task::Task,
    transition::{Ended, Next, Transition},
    waiting,
};
use wiiiv_domain::{
    FlowEffect, JOBS_LATER_MAX, JobName, LaterJob, ReplyCode, SlotName, TaskId, TaskOutcome, TurnId,
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

/// Without talk, unless it says what nothing can do, and without those that are there already: a model that answers to a user's answer sees the message
/// that brought them once more.
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

fn beside(task: &Task, batch: Option<TurnId>) -> bool {
    batch.is_some() && task.batch == batch
}

fn name(job: &LaterJob) -> JobName {
    JobName::of(job.task_type, &job.slots)
}

/// After a task has ended: the next job whose message has nothing under way, where nothing else is
/// active. It may be turned away at once, and the one behind it is next: each round takes one away.
pub(crate) fn go_on(t: &mut Transition<'_>, mut place: Place) -> Place {
    for _ in 0..=t.queued.len() {
        let Some(ended) = t.ended.take() else { return place };
        if !goes_on(&ended.outcome) {
            let jobs = drop_where(t, |task, _| beside(task, ended.batch));
            name_dropped(t, jobs);
            waiting::aside(t, &place);
            return place;
        }
        let next = if place == Place::Listening { ready(t) } else { None };
        let turn = ended.turn;
        told(t, ended, next.as_ref());
        let Some(task) = next else {
            waiting::aside(t, &place);
            return place;
        };
        place = begin(t, Task { turn, ..task });
    }
    place
}

/// INVARIANT: what ended because nobody answered, or because somebody stopped it, sets nothing
/// going: nobody may be there to see it.
const fn goes_on(outcome: &TaskOutcome) -> bool {
    match outcome {
        TaskOutcome::Done | TaskOutcome::Failed | TaskOutcome::Denied | TaskOutcome::Refused => {
            true
        }
        TaskOutcome::Cancelled | TaskOutcome::Expired | TaskOutcome::Abandoned => false,
    }
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

/// The user does not want this one. What is active ends as if it had been declined, and the next
/// is asked about, and so where it was put aside; of those that wait it goes alone, and nothing
/// else moves.
pub(crate) fn leave_out(t: &mut Transition<'_>, active: Option<&Held>, id: TaskId) -> Next {
    if let Some(held) = active.filter(|held| held.task.id == id) {
        t.withdraw(held.rest.question());
        t.reply(ReplyCode::Refused);
        return Next::To(closed::close(t, &held.task, TaskOutcome::Refused));
    }
    if let Some(job) = suspended::decline(t, id) {
        t.reply(ReplyCode::JobsLeftOut { jobs: vec![job] });
        return Next::To(t.before.clone());
    }
    let jobs = drop_where(t, |task, _| task.id == id);
    if jobs.is_empty() {
        return t.only_reply(ReplyCode::UnknownTask);
    }
    t.reply(ReplyCode::JobsLeftOut { jobs });
    if let Some(held) = active {
        waiting::active(t, held);
    }
    Next::Stay
}

/// The user says stop: what waits behind this task, and whatever waits behind nothing, is dropped.
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

fn drop_where(t: &mut Transition<'_>, gone: impl Fn(&Task, &[Held]) -> bool) -> Vec<JobName> {
    let (dropped, kept): (Vec<Task>, _) =
        std::mem::take(&mut t.queued).into_iter().partition(|task| gone(task, &t.suspended));
    t.queued = kept;
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
    let at = t.queued.iter().position(|task| !is_under_way(&t.suspended, task.batch))?;
    Some(t.queued.remove(at))
}

fn is_under_way(held: &[Held], batch: Option<TurnId>) -> bool {
    held.iter().any(|held| held.task.batch == batch)
}

/// What became of the task before, and which is next; or that it was the last of its message.
fn told(t: &mut Transition<'_>, ended: Ended, next: Option<&Task>) {
    let Ended { batch, job, outcome, .. } = ended;
    let waits = |of| t.queued.iter().filter(|task| beside(task, of)).count();
    let left = waits(next.map_or(batch, |next| next.batch));
    let is_last = batch.is_some() && left == 0 && !is_under_way(&t.suspended, batch);
    if next.is_some() || is_last {
        let left = u32::try_from(left).unwrap_or(u32::MAX);
        t.reply(ReplyCode::JobClosed { job, outcome, next: next.map(Task::name), left });
    }
}
