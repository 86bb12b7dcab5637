//! One transition. Pure: no clock, no I/O, no randomness, no model.

use crate::{
    jobs,
    state::FlowState,
    states::{
        authorizing, confirming, confirming_work_order, deliberating, drawing, interviewing,
        listening, proposing, running, suspended,
    },
    task_position::{Approver, ParkedTask, Rest, TaskPosition},
    transition::{Next, Transition},
};
use wiiiv_domain::{FlowEffect, FlowInput, FlowLimits};

/// The state that follows and what the governor is to do, in order: at most
/// [`FlowLimits::effects_max`].
#[must_use]
pub fn step(
    limits: &FlowLimits,
    state: &FlowState,
    input: FlowInput,
) -> (FlowState, Vec<FlowEffect>) {
    let mut t = Transition::from(limits, state);
    // It answers nothing, so nothing goes on behind it.
    if let FlowInput::Regrounded { under } = input {
        t.refusals.moved(under);
        return t.into(state.place.clone());
    }
    let spoken = matches!(input, FlowInput::Signal(_));
    let (next, answered) = match suspended::answer(&mut t, input) {
        Some(input) => (at(&mut t, &state.place, input), false),
        None => (Next::Stay, true),
    };
    let (place, moved) = match next {
        Next::Stay => (state.place.clone(), answered),
        Next::To(place) => (place, true),
    };
    // Neither a cancel nor an answer that came too late may set another task going: what was
    // approved meanwhile waits until code has ended something.
    let place = if moved && !spoken { suspended::go_on(&mut t, place) } else { place };
    // The next of several jobs needs no such word: it was asked for with the one that has ended.
    let place = if moved { jobs::go_on(&mut t, place) } else { place };
    t.into(place)
}

fn at(t: &mut Transition<'_>, place: &TaskPosition, input: FlowInput) -> Next {
    match place {
        TaskPosition::Listening => listening::on(t, input),
        TaskPosition::Proposing { turn, back } => proposing::on(t, *turn, back, input),
        TaskPosition::Resting(held) => at_rest(t, held, input),
        TaskPosition::Deliberating { task, spec } => deliberating::on(t, task, *spec, input),
        TaskPosition::Drawing { task, spec } => drawing::on(t, task, *spec, input),
        TaskPosition::Authorizing { task, question, approver } => {
            authorizing::on(t, task, *question, *approver, input)
        }
        TaskPosition::Running { task, spec, execution, .. } => {
            running::on(t, task, *spec, *execution, input)
        }
    }
}

fn at_rest(t: &mut Transition<'_>, held: &ParkedTask, input: FlowInput) -> Next {
    match &held.rest {
        Rest::Interviewing { concerns } => interviewing::on(t, held, concerns, input),
        Rest::ConfirmingWorkOrder { .. } => confirming_work_order::on(t, held, input),
        // It is never active in this state: it is reviewed at once.
        Rest::Edited => interviewing::on(t, held, &[], input),
        Rest::Confirming(question) => {
            confirming::on(t, held, (*question, Approver::Requester), input)
        }
        Rest::AwaitingApproval(question) => {
            confirming::on(t, held, (*question, Approver::AnotherPerson), input)
        }
    }
}
