//! Leads from an answered question to the gates.

use crate::{
    task::Task,
    task_position::{Approver, Question, TaskPosition},
    transition::Transition,
};
use wiiiv_domain::FlowEffect;

/// INVARIANT: called only for a spec that was reviewed and drawn, with the answer that policy
/// requires, for this digest.
pub(crate) fn authorize(
    t: &mut Transition<'_>,
    task: Task,
    question: Question,
    approver: Approver,
) -> TaskPosition {
    let Question { blueprint, digest, .. } = question;
    t.effect(FlowEffect::Authorize { blueprint, digest });
    TaskPosition::Authorizing { task, question, approver }
}
