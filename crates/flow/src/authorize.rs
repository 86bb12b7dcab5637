//! The one way from a question that is answered to the gates.

use crate::{
    place::{Asked, Place, Question},
    task::Task,
    transition::Transition,
};
use wiiiv_domain::FlowEffect;

/// INVARIANT: called for a spec that was deliberated and drawn, with the answer that policy asks
/// for, which named this digest.
pub(crate) fn authorize(
    t: &mut Transition<'_>,
    task: Task,
    question: Question,
    asked: Asked,
) -> Place {
    let Question { blueprint, digest, .. } = question;
    t.effect(FlowEffect::Authorize { blueprint, digest });
    Place::Authorizing { task, question, asked }
}
