//! The form for missing request values, and its answer: code fills the slots without a model.

use crate::session::Conversation;
use wiiiv_domain::{
    Action, Envelope, LaterJob, Proposal, RequestForm, StateName, System, TaskSwitch, TaskType, Why,
};
use wiiiv_flow::FlowState;

/// `None` where the active task does not lack request values.
pub fn form(flow: &FlowState, systems: &[System]) -> Option<RequestForm> {
    let task = flow.active()?;
    let asks = task.state == StateName::Interviewing && task.task_type == TaskType::ApiWorkflow;
    if asks { wiiiv_hlx::form(task.id, task.slots, systems) } else { None }
}

/// The form's answer, in place of a model's proposal.
pub fn answered(conversation: &mut Conversation, flow: &FlowState, why: &Why) -> Option<Proposal> {
    let slots = conversation.filled.take()?;
    let by_user = matches!(why, Why::Message | Why::Revision { .. });
    let task = flow.active().filter(|_| by_user)?;
    // What was typed stands in the user's words; the rest is as it was.
    let (task_type, sources) = (task.task_type, task.sources.clone());
    let job = LaterJob { task_type, slots, envelope: Envelope::default(), sources };
    Some(proposal(job, TaskSwitch::Stay))
}

/// A proposal that code makes in place of a model.
pub fn proposal(job: LaterJob, task_switch: TaskSwitch) -> Proposal {
    Proposal {
        action: Action::Execute,
        task_type: job.task_type,
        message: String::new(),
        slots: job.slots,
        task_switch,
        envelope: Envelope::default(),
        later: Vec::new(),
        confidence: None,
        sources: job.sources,
    }
}
