//! The end of a task.

use crate::{place::Place, task::Task, transition::Transition};
use wiiiv_domain::{FlowEffect, TaskOutcome};

pub(crate) fn close(t: &mut Transition<'_>, task: &Task, outcome: TaskOutcome) -> Place {
    t.ended(task, outcome.clone());
    t.effect(FlowEffect::Close { task: task.id, outcome });
    Place::Listening
}
