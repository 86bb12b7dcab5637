//! Drawing: a plan is drawn, and permission and cost are forecast.

use crate::{
    authorize::authorize,
    closing::close,
    signals,
    task::Task,
    task_position::{Approver, Back, ParkedTask, Question, Rest, TaskPosition},
    transition::{Next, Transition},
};
use wiiiv_domain::{
    Asks, DenyCode, FlowEffect, FlowInput, NotDrawn, ReplyCode, SlotName, SpecDigest, TaskOutcome,
    Why,
};

pub(crate) fn on(t: &mut Transition<'_>, task: &Task, spec: SpecDigest, input: FlowInput) -> Next {
    match input {
        FlowInput::Signal(signal) => signals::in_flight(t, signal),
        FlowInput::Drawn { spec: named, blueprint, digest, asks } if named == spec => {
            Next::To(drawn(t, task, Question { spec, blueprint, digest, approved: false }, asks))
        }
        FlowInput::NotDrawable { spec: named, reasons } if named == spec => {
            Next::To(not_drawn(t, task, reasons))
        }
        FlowInput::Drawn { .. }
        | FlowInput::NotDrawable { .. }
        | FlowInput::Proposed { .. }
        | FlowInput::Verdict { .. }
        | FlowInput::Shadowed { .. }
        | FlowInput::Approved { .. }
        | FlowInput::Refused { .. }
        | FlowInput::Expired { .. }
        | FlowInput::Edited { .. }
        | FlowInput::Ruling { .. }
        | FlowInput::Regrounded { .. }
        | FlowInput::Finished { .. } => Next::Stay,
    }
}

/// INVARIANT: a plan that policy refuses is never shown to a person.
fn drawn(t: &mut Transition<'_>, task: &Task, question: Question, asks: Asks) -> TaskPosition {
    let Question { blueprint, digest, .. } = question;
    let task = task.clone();
    match asks {
        Asks::Nothing => authorize(t, task, question, Approver::Nobody),
        Asks::Requester => {
            t.effect(FlowEffect::Confirm { blueprint, digest });
            TaskPosition::Resting(ParkedTask { task, rest: Rest::Confirming(question) })
        }
        Asks::AnotherPerson => {
            t.effect(FlowEffect::SeekApproval { blueprint, digest });
            TaskPosition::Resting(ParkedTask { task, rest: Rest::AwaitingApproval(question) })
        }
        Asks::Refused => {
            t.reply(ReplyCode::Denied { codes: vec![DenyCode::PolicyForbids] });
            close(t, &task, TaskOutcome::Denied)
        }
    }
}

/// A fault that another proposal could mend goes to the model a few times, then to the user.
fn not_drawn(t: &mut Transition<'_>, task: &Task, reasons: Vec<NotDrawn>) -> TaskPosition {
    if !reasons.iter().all(mendable) {
        t.reply(ReplyCode::NotDrawable { reasons });
        return close(t, task, TaskOutcome::Denied);
    }
    let task = Task { drawings: task.drawings.saturating_add(1), ..task.clone() };
    if task.drawings < t.limits.drawings_max {
        t.propose(task.turn, Why::Undrawable { reasons: reasons.clone() });
        return TaskPosition::Proposing { turn: task.turn, back: Back::Redraw { task, reasons } };
    }
    give_up(t, task, reasons)
}

/// The user gets the reasons, and is asked for the slots that cause them.
pub(crate) fn give_up(t: &mut Transition<'_>, task: Task, reasons: Vec<NotDrawn>) -> TaskPosition {
    let missing = reasons.iter().filter_map(blamed).cloned().collect();
    let (task_type, message) = (task.task_type, String::new());
    t.reply(ReplyCode::NotDrawable { reasons });
    t.effect(FlowEffect::Ask { task_type, missing, message });
    TaskPosition::interviewing(task)
}

const fn blamed(reason: &NotDrawn) -> Option<&SlotName> {
    match reason {
        NotDrawn::Slot { name, .. } => Some(name),
        NotDrawn::OutsideEnvelope { .. }
        | NotDrawn::NoExecutor { .. }
        | NotDrawn::Denied { .. } => None,
    }
}

const fn mendable(reason: &NotDrawn) -> bool {
    match reason {
        NotDrawn::Slot { .. } | NotDrawn::OutsideEnvelope { .. } => true,
        NotDrawn::NoExecutor { .. } | NotDrawn::Denied { .. } => false,
    }
}
