//! Turns a task into a question or an action.

use crate::{
    closing::close, order, task::Task, task_position::TaskPosition, transition::Transition,
};
use wiiiv_domain::{Action, NotDrawn, Proposal, ReplyCode, TaskOutcome};

/// What a proposal amounts to. INVARIANT: talk is `Talk` whatever the action, so it never reaches a
/// review; a CANCEL that the user did not ask for is talk too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    Talk,
    Ask,
    Act,
}

impl Wish {
    pub(crate) const fn of(proposal: &Proposal) -> Self {
        if proposal.task_type.is_talk() {
            return Self::Talk;
        }
        match proposal.action {
            Action::Reply
            | Action::Cancel
            | Action::Why
            | Action::Again
            | Action::ListFiles
            | Action::ShowSaved => Self::Talk,
            Action::Ask => Self::Ask,
            Action::Confirm | Action::Execute => Self::Act,
        }
    }
}

/// Acts if all slots are filled, else asks for them. Asks nothing for a task that this build cannot
/// do.
pub(crate) fn take_up(
    t: &mut Transition<'_>,
    task: Task,
    wish: Wish,
    message: String,
) -> TaskPosition {
    if !t.limits.drawable.has(task.task_type) {
        let reasons = vec![NotDrawn::NoExecutor { task_type: task.task_type }];
        t.reply(ReplyCode::NotDrawable { reasons });
        return close(t, &task, TaskOutcome::Denied);
    }
    if wish == Wish::Act && task.missing().is_empty() {
        return order::order(t, task);
    }
    t.ask(&task, message);
    TaskPosition::interviewing(task)
}
