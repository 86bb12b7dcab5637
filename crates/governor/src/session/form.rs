//! The form of a request that lacks something, and the answer to it: code fills the slots, and no model
//! is asked what the person meant.

use crate::session::state::{Down, Session};
use wiiiv_domain::{
    Action, Envelope, FlowInput, Proposal, ProposalOutcome, RequestForm, StateName, TaskSwitch,
    TaskType, TurnId, Why,
};

impl Session {
    /// `None` where no task waits for a person, or what it lacks is no value of a request.
    pub fn form(&self) -> Option<RequestForm> {
        let task = self.flow.active()?;
        let asks = task.state == StateName::Interviewing;
        let calls = task.task_type == TaskType::ApiWorkflow;
        if asks && calls { wiiiv_hlx::form(task.id, task.slots, &self.systems) } else { None }
    }

    /// `Some`: the form's answer, in place of a model's proposal.
    pub async fn answered_form(
        &mut self,
        turn: TurnId,
        why: &Why,
    ) -> Result<Option<FlowInput>, Down> {
        let Some(slots) = self.filled.take() else { return Ok(None) };
        let by_user = matches!(why, Why::Message | Why::Revision { .. });
        let Some(task) = self.flow.active().filter(|_| by_user) else { return Ok(None) };
        let proposal = Proposal {
            action: Action::Execute,
            task_type: task.task_type,
            message: String::new(),
            slots,
            task_switch: TaskSwitch::Stay,
            envelope: Envelope::default(),
            later: Vec::new(),
            confidence: None,
        };
        let proposal = self.in_order(proposal, true).await?;
        let outcome = ProposalOutcome::Proposal { proposal };
        Ok(Some(FlowInput::Proposed { turn, outcome }))
    }
}
