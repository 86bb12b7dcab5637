//! What a session is doing, for whoever asks.

use crate::session::{place, state::Session};
use wiiiv_domain::{ApprovalId, BlueprintDigest, RequestForm, TaskId, TaskType};
use wiiiv_flow::StateName;

#[derive(Debug, Clone)]
pub struct TaskSummary {
    pub task: TaskId,
    pub task_type: TaskType,
    pub state: StateName,
}

#[derive(Debug, Clone)]
pub struct SessionView {
    /// Of the active task; `listening` where there is none.
    pub state: StateName,
    pub active: Option<TaskSummary>,
    /// Put aside, or waiting their turn.
    pub suspended: Vec<TaskSummary>,
    /// The question that waits for a person.
    pub pending: Option<(ApprovalId, BlueprintDigest)>,
    /// Messages that wait behind the turn in progress.
    pub queued: usize,
    /// What the active task lacks, as fields to fill in.
    pub form: Option<RequestForm>,
}

impl Session {
    pub fn view(&self) -> SessionView {
        let summary = |task: wiiiv_flow::TaskView<'_>| TaskSummary {
            task: task.id,
            task_type: task.task_type,
            state: task.state,
        };
        let asked = place::asked(&self.flow);
        let pending = asked.and_then(|digest| {
            let approval = self.plans.get(&digest)?.approval?;
            Some((approval, digest))
        });
        SessionView {
            state: self.flow.name(),
            active: self.flow.active().map(summary),
            suspended: self.flow.suspended().chain(self.flow.queued()).map(summary).collect(),
            pending,
            queued: self.queue.len(),
            form: self.form(),
        }
    }
}
