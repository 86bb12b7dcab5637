//! What a person asks about what was done. No model is asked: code answers, or proposes in its place.

use crate::{
    reply,
    session::{
        earlier, place,
        state::{Down, Session},
    },
};
use wiiiv_domain::{
    Action, Envelope, FlowInput, LaterJob, Proposal, ProposalOutcome, Recall, ReplyCode, SlotName,
    Slots, TaskSwitch, TaskType, WorkspacePath,
};

/// Had back from the journal like the rest of the session.
#[derive(Default)]
pub struct Last {
    /// The last request, as it stood when it was last at work.
    wished: Option<LaterJob>,
    /// What it came to.
    came_to: Option<ReplyCode>,
}

impl Session {
    /// What the flow takes in place of a model's answer.
    pub async fn recalled(&mut self, recall: Recall) -> Result<ProposalOutcome, Down> {
        let job = match recall {
            Recall::Why => return Ok(ProposalOutcome::Told { message: self.why().await? }),
            Recall::Again => self.last.wished.clone(),
            Recall::ListFiles => Some(reading(WorkspacePath::ROOT)?),
            Recall::ShowSaved => earlier::saved(self).await?.as_deref().map(reading).transpose()?,
        };
        let Some(job) = job else {
            let texts = &self.room.deps.messages;
            let message = texts.told(self.language, "recall.nothing", &[]);
            return Ok(ProposalOutcome::Told { message });
        };
        let proposal = self.in_order(self.proposal(job), true).await?;
        Ok(ProposalOutcome::Proposal { proposal })
    }

    /// What is at rest goes on where it is the same kind of task, and waits where it is another.
    fn proposal(&self, LaterJob { task_type, slots, envelope: _ }: LaterJob) -> Proposal {
        let goes_on = self.flow.active().is_some_and(|task| task.task_type == task_type);
        Proposal {
            action: Action::Execute,
            task_type,
            message: String::new(),
            slots,
            task_switch: if goes_on { TaskSwitch::Stay } else { TaskSwitch::New },
            envelope: Envelope::default(),
            later: Vec::new(),
            confidence: None,
        }
    }

    async fn why(&self) -> Result<String, Down> {
        let (texts, lang) = (&self.room.deps.messages, self.language);
        if let Some(task) = self.flow.active().filter(|task| task.question.is_some()) {
            let others = place::asks_others(&self.flow);
            let key = if others { "recall.why_waits_other" } else { "recall.why_waits" };
            let task = texts.task(lang, task.task_type).to_owned();
            return Ok(texts.told(lang, key, &[("task", task)]));
        }
        match &self.last.came_to {
            None => Ok(texts.told(lang, "recall.nothing", &[])),
            Some(ReplyCode::Facts { .. }) => Ok(texts.told(lang, "recall.why_done", &[])),
            Some(code) => {
                let told = reply::render(self, code).await?;
                Ok(texts.told(lang, "recall.why", &[("outcome", told)]))
            }
        }
    }

    /// The task that is at work; where an answer ended it at once, what was proposed.
    pub fn note_wish(&mut self, input: &FlowInput) {
        let FlowInput::Proposed { outcome: ProposalOutcome::Proposal { proposal }, .. } = input
        else {
            return;
        };
        if proposal.task_type.is_talk() || proposal.action.recall().is_some() {
            return;
        }
        let active = self.flow.active().filter(|task| task.task_type == proposal.task_type);
        let slots = active.map_or_else(|| self.slots_of(proposal), |task| task.slots.clone());
        let (task_type, envelope) = (proposal.task_type, Envelope::default());
        self.last.wished = Some(LaterJob { task_type, slots, envelope });
    }

    fn slots_of(&self, proposal: &Proposal) -> Slots {
        let goes_on = |job: &&LaterJob| {
            proposal.task_switch == TaskSwitch::Stay && job.task_type == proposal.task_type
        };
        let known = self.last.wished.as_ref().filter(goes_on).map(|job| job.slots.clone());
        known
            .and_then(|known| known.merged(&proposal.slots).ok())
            .unwrap_or_else(|| proposal.slots.clone())
    }

    pub fn note_end(&mut self, code: &ReplyCode) {
        let ends = matches!(
            code,
            ReplyCode::Facts { .. }
                | ReplyCode::RunFailed { .. }
                | ReplyCode::RunCancelled { .. }
                | ReplyCode::RunIndeterminate { .. }
                | ReplyCode::Denied { .. }
                | ReplyCode::DacsNo { .. }
                | ReplyCode::NeedsRevision { .. }
                | ReplyCode::NotDrawable { .. }
                | ReplyCode::ModelFailed { .. }
                | ReplyCode::Expired { .. }
                | ReplyCode::Refused
                | ReplyCode::Cancelled
        );
        if ends {
            self.last.came_to = Some(code.clone());
        }
    }
}

fn reading(path: &str) -> Result<LaterJob, Down> {
    let mut slots = Slots::default();
    slots.set(SlotName::TARGET_PATH, path).map_err(|error| Down(error.to_string()))?;
    Ok(LaterJob { task_type: TaskType::FileRead, slots, envelope: Envelope::default() })
}
