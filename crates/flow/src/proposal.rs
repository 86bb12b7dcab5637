//! What follows from a model's proposal. A proposal can lead to a question and no further; code
//! decides whether there is enough to act on.

use crate::{
    closing::close,
    jobs, queue,
    states::{drawing, suspended},
    take_up::{Wish, take_up},
    task::Task,
    task_position::{Back, ParkedTask, Rest, TaskPosition},
    transition::Transition,
    waiting,
};
use wiiiv_domain::{
    ExecutionId, FlowEffect, NotDrawn, Proposal, ProposalFailure, ReplyCode, TaskId, TaskOutcome,
    TaskSwitch, TurnId, Why,
};

/// The answer to a message that came while no task was active.
pub(crate) fn without_task(
    t: &mut Transition<'_>,
    turn: TurnId,
    proposal: Proposal,
) -> TaskPosition {
    if let Some(recall) = proposal.action.recall() {
        t.propose(turn, Why::Recall { recall });
        return TaskPosition::Proposing { turn, back: Back::Listening };
    }
    match proposal.task_switch {
        TaskSwitch::To(task) => return jobs::switch(t, None, task).or(|| TaskPosition::Listening),
        TaskSwitch::Stay | TaskSwitch::New => {}
    }
    match Wish::of(&proposal) {
        Wish::Talk => {
            t.say(proposal.message);
            TaskPosition::Listening
        }
        wish @ (Wish::Ask | Wish::Act) => {
            begin(t, turn, wish, proposal).unwrap_or(TaskPosition::Listening)
        }
    }
}

/// The answer to a message that came while a task was at rest.
pub(crate) fn in_task(
    t: &mut Transition<'_>,
    turn: TurnId,
    held: &ParkedTask,
    proposal: Proposal,
) -> TaskPosition {
    if let Some(recall) = proposal.action.recall() {
        t.propose(turn, Why::Recall { recall });
        return TaskPosition::Proposing { turn, back: Back::ParkedTask(held.clone()) };
    }
    let another = match proposal.task_switch {
        TaskSwitch::To(task) if task != held.task.id => {
            let next = jobs::switch(t, Some(held), task);
            return next.or(|| suspended::returned(t, held.clone()));
        }
        TaskSwitch::New => true,
        TaskSwitch::To(_) | TaskSwitch::Stay => proposal.task_type != held.task.task_type,
    };
    match Wish::of(&proposal) {
        Wish::Talk => {
            t.say(proposal.message);
            waiting::active(t, held);
            suspended::returned(t, held.clone())
        }
        wish @ (Wish::Ask | Wish::Act) if another => beside(t, turn, held, wish, proposal),
        wish @ (Wish::Ask | Wish::Act) => further(t, turn, held, wish, proposal),
    }
}

/// The answer to a plan that could not be drawn. No user spoke, so it cannot switch tasks, add jobs
/// or change the job; the same spec is not tried again.
pub(crate) fn redraw(
    t: &mut Transition<'_>,
    turn: TurnId,
    (task, reasons): (&Task, &[NotDrawn]),
    proposal: Proposal,
) -> TaskPosition {
    let wish = Wish::of(&proposal);
    if wish == Wish::Talk {
        t.say(proposal.message);
        return TaskPosition::interviewing(task.clone());
    }
    let again = |next: &Task| next.spec_digest(t.salt).ok() == task.spec_digest(t.salt).ok();
    let same = proposal.task_type == task.task_type;
    let next = if same { task.changed(turn, &proposal).ok() } else { None };
    match next.filter(|next| wish == Wish::Ask || !again(next)) {
        Some(next) => take_up(t, next, wish, proposal.message),
        None => drawing::give_up(t, task.clone(), reasons.to_vec()),
    }
}

/// The answer to a run's facts, which are reported in any case. No user spoke, so it cannot switch
/// tasks or run the same spec again.
pub(crate) fn next_round(
    t: &mut Transition<'_>,
    turn: TurnId,
    (task, execution): (&Task, ExecutionId),
    proposal: Proposal,
) -> TaskPosition {
    let wish = Wish::of(&proposal);
    let next = match wish {
        Wish::Talk => None,
        Wish::Ask | Wish::Act => task.changed(turn, &proposal).ok(),
    };
    let again = |next: &Task| next.spec_digest(t.salt).ok() == task.ran;
    let Some(next) = next.filter(|next| wish == Wish::Ask || !again(next)) else {
        t.reply(ReplyCode::Facts { execution, message: proposal.message });
        return close(t, task, TaskOutcome::Done);
    };
    t.reply(ReplyCode::Facts { execution, message: String::new() });
    take_up(t, next, wish, proposal.message)
}

/// A new task; `None`, with a reply, if the turn has begun one already.
fn begin(
    t: &mut Transition<'_>,
    turn: TurnId,
    wish: Wish,
    proposal: Proposal,
) -> Option<TaskPosition> {
    let task = begun(t, turn, &proposal, 0)?;
    Some(take_up(t, task, wish, proposal.message))
}

/// The first job of the message; the others wait behind it. `None`, with a reply, if they do not
/// fit. `beside`: tasks that are about to be suspended for it.
fn begun(t: &mut Transition<'_>, turn: TurnId, proposal: &Proposal, beside: usize) -> Option<Task> {
    if t.knows(TaskId::from(turn)) {
        t.reply(ReplyCode::Unavailable);
        return None;
    }
    queue::behind(t, turn, Task::begin(turn, proposal), &proposal.later, beside)
}

/// A new task; the active one is left as it is.
fn beside(
    t: &mut Transition<'_>,
    turn: TurnId,
    held: &ParkedTask,
    wish: Wish,
    proposal: Proposal,
) -> TaskPosition {
    if t.capacity() == 0 {
        let aside = t.suspended.iter().map(|held| &held.task);
        let suspended = aside.chain(&t.queued).map(|task| task.id).collect();
        t.reply(ReplyCode::TooManyTasks { suspended });
        return suspended::returned(t, held.clone());
    }
    let Some(task) = begun(t, turn, &proposal, 1) else {
        return suspended::returned(t, held.clone());
    };
    suspended::suspend(t, held);
    take_up(t, task, wish, proposal.message)
}

/// The same task goes on. A question about another spec becomes void.
fn further(
    t: &mut Transition<'_>,
    turn: TurnId,
    held: &ParkedTask,
    wish: Wish,
    proposal: Proposal,
) -> TaskPosition {
    let Ok(task) = held.task.changed(turn, &proposal) else {
        t.reply(ReplyCode::ModelFailed { failure: ProposalFailure::InvalidOutput });
        return suspended::returned(t, held.clone());
    };
    let Some(task) = queue::behind(t, turn, task, &proposal.later, 0) else {
        return suspended::returned(t, held.clone());
    };
    let known = Task { batch: task.batch, ..held.task.clone() };
    let held = &ParkedTask { task: known, rest: held.rest.clone() };
    let asked = held.rest.spec();
    if asked.is_some() && task.spec_digest(t.salt).ok() == asked {
        if !held.rest.question().is_some_and(|question| question.approved) {
            still_asked(t, held, wish, proposal.message);
        }
        return suspended::returned(t, held.clone());
    }
    t.withdraw(held.rest.question());
    take_up(t, task, wish, proposal.message)
}

/// A preview is shown once for each digest.
fn still_asked(t: &mut Transition<'_>, held: &ParkedTask, wish: Wish, message: String) {
    match (&held.rest, wish) {
        (Rest::Confirming(question) | Rest::AwaitingApproval(question), Wish::Act) => {
            t.reply(ReplyCode::Waiting { digest: question.digest });
        }
        (Rest::ConfirmingWorkOrder { .. }, Wish::Act) => {
            t.effect(FlowEffect::ConfirmWorkOrder {
                task: held.task.id,
                spec: held.task.spec(t.salt),
            });
        }
        (
            Rest::Interviewing { .. }
            | Rest::ConfirmingWorkOrder { .. }
            | Rest::Confirming(_)
            | Rest::AwaitingApproval(_)
            | Rest::Edited,
            Wish::Talk | Wish::Ask,
        )
        | (Rest::Interviewing { .. } | Rest::Edited, Wish::Act) => t.ask(&held.task, message),
    }
}
