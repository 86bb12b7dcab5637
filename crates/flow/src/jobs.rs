//! Which job goes on: after one has ended, ahead of its turn, or not at all.

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

/// After a task has ended: the next job whose message has nothing under way, where nothing else is
/// active. It may be turned away at once, and the one behind it is next: each round takes one away.
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

/// The user does not want this one. What is active ends as if it had been declined, and the next
/// is asked about, and so where it was put aside; of those that wait it goes alone, and nothing
/// else moves.
pub(crate) fn leave_out(t: &mut Transition<'_>, active: Option<&ParkedTask>, id: TaskId) -> Next {
    if let Some(held) = active.filter(|held| held.task.id == id) {
        t.withdraw(held.rest.question());
        t.reply(ReplyCode::Refused);
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

/// As if it had just been proposed: it is asked about or deliberated, like any other.
fn begin(t: &mut Transition<'_>, task: Task) -> TaskPosition {
    take_up(t, task, Wish::Act, String::new())
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

/// Leaves the active task for a suspended one. It cannot fail for want of room: one goes, one
/// comes.
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
    // What a yes would now mean is shown again.
    if let Some(question) = held.rest.question().filter(|question| !question.approved) {
        t.reply(ReplyCode::Waiting { digest: question.digest });
    }
    Next::To(returned(t, held))
}
