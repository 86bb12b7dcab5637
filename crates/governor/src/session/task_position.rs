//! Where a session's flow is, for the governor.

use wiiiv_domain::{BlueprintDigest, BlueprintId, ExecutionId, JobName};
use wiiiv_flow::{FlowState, StateName, TaskView};

/// The preview that waits for its requester.
pub fn confirming(flow: &FlowState) -> Option<BlueprintDigest> {
    let task = flow.active()?;
    (task.state == StateName::Confirming).then_some(task.question?.digest)
}

/// The preview that waits for any person.
pub fn asked(flow: &FlowState) -> Option<BlueprintDigest> {
    let task = flow.active()?;
    let waits = matches!(task.state, StateName::Confirming | StateName::AwaitingApproval);
    waits.then_some(task.question?.digest)
}

/// The execution that the flow stands at.
pub fn current_run(flow: &FlowState) -> Option<ExecutionId> {
    flow.active()?.execution
}

/// Somebody else has to answer the active question.
pub fn asks_others(flow: &FlowState) -> bool {
    flow.rests_at() == StateName::AwaitingApproval
}

/// The preview is a question of the active task or of a suspended one. The same plan drawn again has the same
/// digest, and is a question of its own.
pub fn asks_about(flow: &FlowState, plan: (BlueprintId, BlueprintDigest)) -> bool {
    asking_about(flow, plan).is_some()
}

/// What the plan of such a question is called.
pub fn name_of(flow: &FlowState, plan: (BlueprintId, BlueprintDigest)) -> Option<JobName> {
    asking_about(flow, plan).map(|task| JobName::of(task.task_type, task.slots))
}

fn asking_about(flow: &FlowState, plan: (BlueprintId, BlueprintDigest)) -> Option<TaskView<'_>> {
    let mut asked = flow.active().into_iter().chain(flow.suspended());
    asked.find(|task| task.question.is_some_and(|q| (q.blueprint, q.digest) == plan))
}

/// The prompt contains foreign content: facts of its runs, or slots from a model that had seen
/// them.
pub fn reads_results(flow: &FlowState) -> bool {
    flow.active().is_some_and(|task| task.rounds > 0)
}

/// Waits for a model, a drawing, a commit or a run.
pub fn is_busy(flow: &FlowState) -> bool {
    awaited(flow) == Awaited::Code
}

/// Waits for a person.
pub fn awaits_answer(flow: &FlowState) -> bool {
    awaited(flow) == Awaited::Person
}

#[derive(PartialEq, Eq)]
enum Awaited {
    Code,
    Person,
    Nobody,
}

fn awaited(flow: &FlowState) -> Awaited {
    match flow.name() {
        StateName::Proposing
        | StateName::Deliberating
        | StateName::Drawing
        | StateName::Authorizing
        | StateName::Running => Awaited::Code,
        StateName::Interviewing
        | StateName::ConfirmingWorkOrder
        | StateName::Confirming
        | StateName::AwaitingApproval => Awaited::Person,
        StateName::Listening | StateName::Queued => Awaited::Nobody,
    }
}
