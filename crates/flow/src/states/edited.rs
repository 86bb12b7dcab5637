//! Edited: values of a plan were changed in place of an answer. Its question is void, and the changed spec
//! is reviewed as if it had just been asked for.

use crate::{
    task::Task,
    task_position::{ParkedTask, Question, Rest},
    transition::Transition,
};
use wiiiv_domain::{PlanEdit, ReplyCode};

/// The changed task, with its question withdrawn. `None`: the edit changes nothing.
pub(crate) fn task(
    t: &mut Transition<'_>,
    task: &Task,
    question: &Question,
    edit: &PlanEdit,
) -> Option<Task> {
    let changes = edit.changes(&task.slots);
    let changed = task.edited(t.salt, edit).ok().filter(|_| !changes.is_empty())?;
    t.withdraw(Some(question));
    t.reply(ReplyCode::Edited { by: edit.by, changes });
    Some(changed)
}

/// The same of a task that cannot be reviewed now: it is when it becomes active.
pub(crate) fn parked(
    t: &mut Transition<'_>,
    held: &ParkedTask,
    edit: &PlanEdit,
) -> Option<ParkedTask> {
    let question = *held.rest.question()?;
    let task = task(t, &held.task, &question, edit)?;
    Some(ParkedTask { task, rest: Rest::Edited })
}
