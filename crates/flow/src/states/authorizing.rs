//! Authorizing: the gates rule, and their claim is committed. Only this state leads to Running.

use crate::{
    closing::close,
    signals,
    task::Task,
    task_position::{Approver, ParkedTask, Question, Rest, TaskPosition},
    transition::{Next, Transition},
};
use wiiiv_domain::{
    DenyCode, FlowEffect, FlowInput, Grounds, ReplyCode, RulingOutcome, TaskOutcome,
};

pub(crate) fn on(
    t: &mut Transition<'_>,
    task: &Task,
    question: Question,
    approver: Approver,
    input: FlowInput,
) -> Next {
    match input {
        FlowInput::Signal(signal) => signals::in_flight(t, signal),
        FlowInput::Ruling { digest, ruling } if digest == question.digest => {
            Next::To(match ruling {
                RulingOutcome::Allow { execution } => {
                    t.effect(FlowEffect::Run { execution, digest });
                    let (task, spec) = (task.clone(), question.spec);
                    TaskPosition::Running { task, spec, digest, execution }
                }
                RulingOutcome::Deny { codes, under } => denied(t, task, question, (codes, under)),
                RulingOutcome::Unavailable => {
                    t.reply(ReplyCode::Unavailable);
                    TaskPosition::Resting(ParkedTask {
                        task: task.clone(),
                        rest: before(question, approver),
                    })
                }
            })
        }
        FlowInput::Ruling { .. }
        | FlowInput::Proposed { .. }
        | FlowInput::Verdict { .. }
        | FlowInput::Shadowed { .. }
        | FlowInput::Drawn { .. }
        | FlowInput::NotDrawable { .. }
        | FlowInput::Approved { .. }
        | FlowInput::Refused { .. }
        | FlowInput::Expired { .. }
        | FlowInput::Edited { .. }
        | FlowInput::Regrounded { .. }
        | FlowInput::Finished { .. } => Next::Stay,
    }
}

fn denied(
    t: &mut Transition<'_>,
    task: &Task,
    question: Question,
    (codes, under): (Vec<DenyCode>, Option<Grounds>),
) -> TaskPosition {
    let has = |code| codes.contains(&code);
    let expired = !codes.is_empty() && codes.iter().all(|code| *code == DenyCode::ApprovalExpired);
    let no = has(DenyCode::DacsNo);
    let revise = has(DenyCode::DacsRevision) && !no;
    if no {
        t.refusals.close(question.spec, under);
    }
    t.reply(ReplyCode::Denied { codes });
    if revise {
        return TaskPosition::interviewing(task.clone());
    }
    let outcome = if expired { TaskOutcome::Expired } else { TaskOutcome::Denied };
    close(t, task, outcome)
}

/// Asks the requester for the yes again; another person's approval stays valid.
const fn before(question: Question, approver: Approver) -> Rest {
    match approver {
        Approver::Nobody => Rest::interview(),
        Approver::Requester => Rest::Confirming(Question { approved: false, ..question }),
        Approver::AnotherPerson => Rest::AwaitingApproval(question),
    }
}
