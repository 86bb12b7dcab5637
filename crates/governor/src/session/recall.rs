//! Questions about earlier work, answered by code instead of a model.

use crate::{
    reply,
    session::{Session, SessionFault, earlier, form, task_position},
};
use wiiiv_domain::{
    Envelope, LaterJob, Proposal, ProposalOutcome, Recall, ReplyCode, SlotName, Slots, TaskSwitch,
    TaskType, WorkspacePath,
};

impl Session {
    /// The outcome that stands in for a model's.
    pub async fn recalled(&mut self, recall: Recall) -> Result<ProposalOutcome, SessionFault> {
        let job = match recall {
            Recall::Why => return Ok(ProposalOutcome::Told { message: self.why().await? }),
            Recall::Again => {
                if let Some(turn) = &mut self.work.turn {
                    turn.tries_again = true;
                }
                self.conversation.wished.clone()
            }
            Recall::ListFiles => Some(reading(WorkspacePath::ROOT)?),
            Recall::ShowSaved => earlier::saved(self).await?.as_deref().map(reading).transpose()?,
        };
        let Some(job) = job else {
            return Ok(ProposalOutcome::Told { message: self.text("recall.nothing", &[]) });
        };
        let proposal = self.in_order(self.proposal(job), true).await?;
        Ok(ProposalOutcome::Proposal { proposal })
    }

    /// Continues the active task if it is of the same type, else begins another.
    fn proposal(&self, job: LaterJob) -> Proposal {
        let goes_on = self.flow.active().is_some_and(|task| task.task_type == job.task_type);
        form::proposal(job, if goes_on { TaskSwitch::Stay } else { TaskSwitch::New })
    }

    async fn why(&self) -> Result<String, SessionFault> {
        if let Some(task) = self.flow.active().filter(|task| task.question.is_some()) {
            let others = task_position::asks_others(&self.flow);
            let key = if others { "recall.why_waits_other" } else { "recall.why_waits" };
            let texts = &self.runtime.deps.messages;
            let task = texts.task(self.conversation.language, task.task_type).to_owned();
            return Ok(self.text(key, &[("task", task)]));
        }
        Ok(match &self.conversation.came_to {
            None => self.text("recall.nothing", &[]),
            Some(ReplyCode::Facts { .. }) => self.text("recall.why_done", &[]),
            Some(code) => {
                let outcome = reply::render(self, code).await?;
                self.text("recall.why", &[("outcome", outcome)])
            }
        })
    }
}

fn reading(path: &str) -> Result<LaterJob, SessionFault> {
    let mut slots = Slots::default();
    slots.set(SlotName::TARGET_PATH, path)?;
    Ok(LaterJob { task_type: TaskType::FileRead, slots, envelope: Envelope::default() })
}
