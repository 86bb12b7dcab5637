//! Suspended: a task at rest, which another one replaced and which can be resumed unchanged.

use crate::{
    authorize::authorize,
    closing::close,
    order,
    states::edited,
    task::Task,
    task_position::{Approver, ParkedTask, Question, Rest, TaskPosition},
    transition::Transition,
};
use wiiiv_domain::{
    BlueprintDigest, FlowEffect, FlowInput, JobName, ReplyCode, TaskId, TaskOutcome,
};

pub(crate) fn suspend(t: &mut Transition<'_>, held: &ParkedTask) {
    t.effect(FlowEffect::Suspend { task: held.task.id });
    t.suspended.push(held.clone());
}

/// Makes the task active again; an approval or an edit that came meanwhile takes effect.
pub(crate) fn returned(t: &mut Transition<'_>, held: ParkedTask) -> TaskPosition {
    match held.rest {
        Rest::Confirming(question) if question.approved => {
            authorize(t, held.task, question, Approver::Requester)
        }
        Rest::AwaitingApproval(question) if question.approved => {
            authorize(t, held.task, question, Approver::AnotherPerson)
        }
        Rest::Edited => order::deliberate(t, held.task),
        Rest::Interviewing { .. }
        | Rest::ConfirmingWorkOrder { .. }
        | Rest::Confirming(_)
        | Rest::AwaitingApproval(_) => TaskPosition::Resting(held),
    }
}

/// Keeps a person's answer with its suspended task; returns any other input.
pub(crate) fn answer(t: &mut Transition<'_>, input: FlowInput) -> Option<FlowInput> {
    match &input {
        FlowInput::Approved { digest } => {
            let question = t.suspended.iter_mut().find_map(|held| asked(held, *digest));
            let Some(question) = question else { return Some(input) };
            question.approved = true;
            None
        }
        FlowInput::Refused { digest } => {
            let Some(task) = take(t, *digest) else { return Some(input) };
            t.reply(ReplyCode::Refused { digest: Some(*digest) });
            close(t, &task, TaskOutcome::Refused);
            None
        }
        FlowInput::Expired { digest } => {
            let Some(task) = take(t, *digest) else { return Some(input) };
            t.reply(ReplyCode::Expired { digest: *digest });
            close(t, &task, TaskOutcome::Expired);
            None
        }
        FlowInput::Edited { digest, edit } => {
            let at = t.suspended.iter().position(|held| held.asks_about(*digest));
            let found = at.and_then(|at| Some((at, t.suspended.get(at)?.clone())));
            let Some((at, held)) = found else { return Some(input) };
            let changed = edited::parked(t, &held, edit);
            if let (Some(place), Some(changed)) = (t.suspended.get_mut(at), changed) {
                *place = changed;
            }
            None
        }
        FlowInput::Signal(_)
        | FlowInput::Proposed { .. }
        | FlowInput::Verdict { .. }
        | FlowInput::Shadowed { .. }
        | FlowInput::Drawn { .. }
        | FlowInput::NotDrawable { .. }
        | FlowInput::Ruling { .. }
        | FlowInput::Regrounded { .. }
        | FlowInput::Finished { .. } => Some(input),
    }
}

/// If no task is active, the longest suspended one that was approved or edited goes on.
pub(crate) fn go_on(t: &mut Transition<'_>, place: TaskPosition) -> TaskPosition {
    if place != TaskPosition::Listening {
        return place;
    }
    let Some(at) = t.suspended.iter().position(ParkedTask::needs_nobody) else { return place };
    let held = t.suspended.remove(at);
    t.effect(FlowEffect::Resume { task: held.task.id });
    returned(t, held)
}

fn asked(held: &mut ParkedTask, digest: BlueprintDigest) -> Option<&mut Question> {
    held.rest.question_mut().filter(|question| question.digest == digest)
}

/// The user declines it: it ends as if its question had been declined. `None` if it is not
/// suspended.
pub(crate) fn decline(t: &mut Transition<'_>, id: TaskId) -> Option<JobName> {
    let at = t.suspended.iter().position(|held| held.task.id == id)?;
    let held = t.suspended.remove(at);
    t.withdraw(held.rest.question());
    close(t, &held.task, TaskOutcome::Refused);
    Some(held.task.name())
}

fn take(t: &mut Transition<'_>, digest: BlueprintDigest) -> Option<Task> {
    let at = t.suspended.iter().position(|held| held.asks_about(digest))?;
    Some(t.suspended.remove(at).task)
}
