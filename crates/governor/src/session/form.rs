//! The form for missing request values, and its answer: code fills the slots without a model.

use crate::session::{Session, SessionFault};
use wiiiv_domain::{
    Action, Envelope, LaterJob, Proposal, RequestForm, StateName, TaskSwitch, TaskType, Why,
};

impl Session {
    /// `None` where the active task does not lack request values.
    pub fn form(&self) -> Option<RequestForm> {
        let task = self.flow.active()?;
        let asks = task.state == StateName::Interviewing;
        let calls = task.task_type == TaskType::ApiWorkflow;
        if asks && calls {
            wiiiv_hlx::form(task.id, task.slots, &self.work.systems.list)
        } else {
            None
        }
    }

    /// The form's answer, in place of a model's proposal.
    pub async fn answered_form(&mut self, why: &Why) -> Result<Option<Proposal>, SessionFault> {
        let Some(slots) = self.conversation.filled.take() else { return Ok(None) };
        let by_user = matches!(why, Why::Message | Why::Revision { .. });
        let Some(task) = self.flow.active().filter(|_| by_user) else { return Ok(None) };
        let job = LaterJob { task_type: task.task_type, slots, envelope: Envelope::default() };
        self.in_order(proposal(job, TaskSwitch::Stay), true).await.map(Some)
    }
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
    }
}
