//! Chooses the next job when one has ended, is asked for early, or is declined.

use crate::{
    closing::close,
    queue::{self, beside, drop_where, is_under_way, name_dropped, ready},
    states::suspended::{self, returned},
    take_up::{Wish, take_up},
    task::Task,
    task_position::{ParkedTask, TaskPosition},
    transition::{Ended, Next, Transition},
    waiting,
};
use wiiiv_domain::{FlowEffect, ReplyCode, TaskId, TaskOutcome};

/// After a task has ended: begins the next job, if no other is active and nothing of its message is
/// under way. A job may be refused at once; then the one behind it is tried.
pub(crate) fn go_on(t: &mut Transition<'_>, mut place: TaskPosition) -> TaskPosition {
    for _ in 0..=t.queued.len() {
        let Some(ended) = t.ended.take() else { return place };
        if !goes_on(&ended.outcome) {
            let jobs = drop_where(t, |task, _| beside(task, ended.batch));
            name_dropped(t, jobs);
            waiting::aside(t, &place);
            return place;
        }
        let next = if place == TaskPosition::Listening { ready(t) } else { None };
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

/// INVARIANT: a task that was stopped, or whose question was not answered, starts no other: nobody
/// may be there to see it.
const fn goes_on(outcome: &TaskOutcome) -> bool {
    match outcome {
        TaskOutcome::Done | TaskOutcome::Failed | TaskOutcome::Denied | TaskOutcome::Refused => {
            true
        }
        TaskOutcome::Cancelled | TaskOutcome::Expired | TaskOutcome::Abandoned => false,
    }
}

/// The user asks for this job before its turn.
pub(crate) fn ahead(
    t: &mut Transition<'_>,
    active: Option<&ParkedTask>,
    task: Task,
) -> TaskPosition {
    if let Some(active) = active {
        suspended::suspend(t, active);
    }
    t.reply(ReplyCode::Resumed { task: task.id });
    begin(t, task)
}

/// The user declines this job. An active or suspended one ends as if its question had been
/// declined, and the next one begins; a waiting one is removed, and nothing else changes.
pub(crate) fn leave_out(t: &mut Transition<'_>, active: Option<&ParkedTask>, id: TaskId) -> Next {
    if let Some(held) = active.filter(|held| held.task.id == id) {
        let question = held.rest.question();
        t.withdraw(question);
        t.reply(ReplyCode::Refused { digest: question.map(|question| question.digest) });
        return Next::To(close(t, &held.task, TaskOutcome::Refused));
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

/// Treats the job as just proposed: asks about it or has it reviewed.
fn begin(t: &mut Transition<'_>, task: Task) -> TaskPosition {
    take_up(t, task, Wish::Act, String::new())
}

/// Reports how the last task ended and which is next, or that it was the last of its message.
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

/// Suspends the active task for another suspended one. The number of suspended tasks stays the
/// same, so it always fits.
pub(crate) fn switch(t: &mut Transition<'_>, active: Option<&ParkedTask>, to: TaskId) -> Next {
    let Some(at) = t.suspended.iter().position(|held| held.task.id == to) else {
        if let Some(task) = queue::take(t, to) {
            return Next::To(ahead(t, active, task));
        }
        let here = active.is_some_and(|held| held.task.id == to);
        let reply = if here { ReplyCode::Resumed { task: to } } else { ReplyCode::UnknownTask };
        return t.only_reply(reply);
    };
    let held = t.suspended.remove(at);
    if let Some(active) = active {
        suspended::suspend(t, active);
    }
    t.effect(FlowEffect::Resume { task: to });
    t.reply(ReplyCode::Resumed { task: to });
    // Shows again what a yes would now mean.
    if let Some(question) = held.rest.question().filter(|question| !question.approved) {
        t.reply(ReplyCode::Waiting { digest: question.digest });
    }
    Next::To(returned(t, held))
}
