//! The question that a person is to answer, put once more.

use crate::session::state::{Down, Session};
use wiiiv_domain::{FlowEffect, ReplyCode, TurnId};
use wiiiv_flow::StateName;

impl Session {
    /// For a yes or no that was sent before the question stood there, and after a crash that came
    /// before it was put. False where the flow asks for nothing.
    pub async fn put_again(&mut self, turn: TurnId) -> Result<bool, Down> {
        let Some(effect) = self.question() else { return Ok(false) };
        self.unput = false;
        self.perform(turn, effect).await?;
        Ok(true)
    }

    fn question(&self) -> Option<FlowEffect> {
        let task = self.flow.active()?;
        match task.state {
            StateName::Interviewing => {
                let (task_type, missing) = (task.task_type, task.missing);
                Some(FlowEffect::Ask { task_type, missing, message: String::new() })
            }
            StateName::ConfirmingWorkOrder => {
                Some(FlowEffect::ConfirmWorkOrder { task: task.id, spec: self.flow.spec()? })
            }
            StateName::Confirming | StateName::AwaitingApproval => {
                let digest = task.question?.digest;
                Some(FlowEffect::Reply { reply: ReplyCode::Waiting { digest } })
            }
            StateName::Listening
            | StateName::Proposing
            | StateName::Deliberating
            | StateName::Drawing
            | StateName::Authorizing
            | StateName::Running
            | StateName::Queued => None,
        }
    }
}
