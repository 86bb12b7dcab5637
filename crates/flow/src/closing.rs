//! The end of a task.

use crate::{task::Task, task_position::TaskPosition, transition::Transition};
use wiiiv_domain::{FlowEffect, TaskOutcome};

pub(crate) fn close(t: &mut Transition<'_>, task: &Task, outcome: TaskOutcome) -> TaskPosition {
    t.ended(task, outcome.clone());
    t.effect(FlowEffect::Close { task: task.id, outcome });
    TaskPosition::Listening
}
