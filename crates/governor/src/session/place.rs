//! Where a session's flow stands, as the governor needs to know it.

use wiiiv_domain::BlueprintDigest;
use wiiiv_flow::{FlowState, StateName};

/// The preview that waits for its requester.
pub fn confirming(flow: &FlowState) -> Option<BlueprintDigest> {
    let task = flow.active()?;
    (task.state == StateName::Confirming).then_some(task.question?.digest)
}

/// The preview that waits for a person, whoever that is.
pub fn asked(flow: &FlowState) -> Option<BlueprintDigest> {
    let task = flow.active()?;
    let waits = matches!(task.state, StateName::Confirming | StateName::AwaitingApproval);
    waits.then_some(task.question?.digest)
}

/// The active question is somebody else's to answer.
pub fn asks_others(flow: &FlowState) -> bool {
    flow.rests_at() == StateName::AwaitingApproval
}

/// This preview is still a question, of the active task or of a suspended one.
pub fn asks_about(flow: &FlowState, digest: BlueprintDigest) -> bool {
    let active = flow.active().into_iter();
    active.chain(flow.suspended()).any(|t| t.question.is_some_and(|q| q.digest == digest))
}

/// The prompt for the active task shows what came from outside: the facts of its runs, or slots that
/// a model filled when it had seen them.
pub fn reads_results(flow: &FlowState) -> bool {
    flow.active().is_some_and(|task| task.rounds > 0)
}

/// Something answers by itself: a model, a drawing, a commit or a run.
pub fn is_busy(flow: &FlowState) -> bool {
    match flow.name() {
        StateName::Proposing
        | StateName::Deliberating
        | StateName::Drawing
        | StateName::Authorizing
        | StateName::Running => true,
        StateName::Listening
        | StateName::Interviewing
        | StateName::ConfirmingWorkOrder
        | StateName::Confirming
        | StateName::AwaitingApproval
        | StateName::Queued => false,
    }
}

/// The next message may be an answer to a question.
pub fn awaits_answer(flow: &FlowState) -> bool {
    match flow.name() {
        StateName::Interviewing
        | StateName::ConfirmingWorkOrder
        | StateName::Confirming
        | StateName::AwaitingApproval => true,
        StateName::Listening
        | StateName::Proposing
        | StateName::Deliberating
        | StateName::Drawing
        | StateName::Authorizing
        | StateName::Running
        | StateName::Queued => false,
    }
}
