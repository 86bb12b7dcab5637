//! Confirming and AwaitingApproval: a preview waits for a yes that names it, of its requester or of
//! somebody else. In the latter case the requester may only talk or withdraw.

use crate::{
    authorize::authorize,
    closing::close,
    jobs, order,
    states::{closed, edited, proposing},
    task::Task,
    task_position::{Approver, ParkedTask, Question},
    transition::{Next, Transition},
};
use wiiiv_domain::{FlowInput, ReplyCode, SignalKind, TaskOutcome, UserSignal, Why};

pub(crate) fn on(
    t: &mut Transition<'_>,
    held: &ParkedTask,
    (question, approver): (Question, Approver),
    input: FlowInput,
) -> Next {
    match input {
        FlowInput::Signal(signal) => answered(t, held, (question, approver), signal),
        FlowInput::Approved { digest } if digest == question.digest => {
            let approved = question.approved || approver == Approver::AnotherPerson;
            let question = Question { approved, ..question };
            Next::To(authorize(t, held.task.clone(), question, approver))
        }
        FlowInput::Refused { digest } if digest == question.digest => {
            t.reply(ReplyCode::Refused { digest: Some(digest) });
            Next::To(close(t, &held.task, TaskOutcome::Refused))
        }
        FlowInput::Expired { digest } if digest == question.digest => {
            t.reply(ReplyCode::Expired { digest });
            Next::To(close(t, &held.task, TaskOutcome::Expired))
        }
        FlowInput::Edited { digest, edit } if digest == question.digest => {
            match edited::task(t, &held.task, &question, &edit) {
                Some(task) => Next::To(order::deliberate(t, task)),
                None => Next::Stay,
            }
        }
        FlowInput::Approved { .. }
        | FlowInput::Refused { .. }
        | FlowInput::Expired { .. }
        | FlowInput::Edited { .. }
        | FlowInput::Proposed { .. }
        | FlowInput::Verdict { .. }
        | FlowInput::Shadowed { .. }
        | FlowInput::Drawn { .. }
        | FlowInput::NotDrawable { .. }
        | FlowInput::Ruling { .. }
        | FlowInput::Regrounded { .. }
        | FlowInput::Finished { .. } => Next::Stay,
    }
}

fn answered(
    t: &mut Transition<'_>,
    held: &ParkedTask,
    (question, approver): (Question, Approver),
    UserSignal { turn, signal }: UserSignal,
) -> Next {
    match signal {
        SignalKind::Affirm { digest: Some(digest) } if digest == question.digest => {
            if approver == Approver::AnotherPerson && !question.approved {
                return t.only_reply(ReplyCode::Waiting { digest });
            }
            // Where it was approved but nothing could be decided then, the requester asks again.
            let task = Task { turn, ..held.task.clone() };
            Next::To(authorize(t, task, question, approver))
        }
        // Something was shown since: the preview is put before the user's eyes again.
        SignalKind::Affirm { digest: None } => {
            t.only_reply(ReplyCode::Waiting { digest: question.digest })
        }
        // A no that names nothing is about what stands: refusing is the safe side.
        SignalKind::Deny { digest } if digest.is_none_or(|named| named == question.digest) => {
            t.withdraw(Some(&question));
            t.reply(ReplyCode::Refused { digest: Some(question.digest) });
            Next::To(close(t, &held.task, TaskOutcome::Refused))
        }
        SignalKind::Affirm { digest: Some(digest) } => t.only_reply(ReplyCode::Stale { digest }),
        SignalKind::Deny { digest } => {
            t.only_reply(ReplyCode::Stale { digest: digest.unwrap_or(question.digest) })
        }
        SignalKind::Say | SignalKind::Modify | SignalKind::FollowUp => {
            proposing::message(t, turn, held, Why::Message)
        }
        SignalKind::Cancel => closed::cancel(t),
        SignalKind::CancelAll => closed::cancel_all(t),
        SignalKind::LeaveOut { task } => jobs::leave_out(t, Some(held), task),
        SignalKind::Recall { recall } => proposing::message(t, turn, held, Why::Recall { recall }),
        SignalKind::Remember => t.only_reply(ReplyCode::Remember),
        SignalKind::Switch { task } => jobs::switch(t, Some(held), task),
        SignalKind::Reset => closed::reset(t),
    }
}
