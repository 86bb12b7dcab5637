//! Read-only views of tasks.

use crate::{
    task::Task,
    task_position::{ParkedTask, Question, TaskPosition},
};
use wiiiv_domain::{
    BlueprintDigest, BlueprintId, Edits, ExecutionId, SlotName, Slots, Sources, StateName, TaskId,
    TaskType, TurnId,
};

/// A preview that still waits for a person's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingQuestion {
    /// The plan that was shown.
    pub blueprint: BlueprintId,
    /// Its digest, which the answer must name.
    pub digest: BlueprintDigest,
}

/// One task, as others may read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskView<'a> {
    /// The task.
    pub id: TaskId,
    /// Its type.
    pub task_type: TaskType,
    /// The values that are known.
    pub slots: &'a Slots,
    /// Of the values that did not come from the user's words.
    pub sources: &'a Sources,
    /// Of the values that somebody else than the requester wrote.
    pub edits: &'a Edits,
    /// Required slots that have no value.
    pub missing: Vec<SlotName>,
    /// Runs that succeeded.
    pub rounds: u32,
    /// For a suspended task, the state that it returns to.
    pub state: StateName,
    /// Its preview, if one waits for an answer.
    pub question: Option<PendingQuestion>,
    /// It was approved or edited while it was suspended, and goes on by itself once something has ended.
    pub goes_on: bool,
    /// Its run, if one has begun.
    pub execution: Option<ExecutionId>,
    /// The message that the task shares with other jobs.
    pub batch: Option<TurnId>,
}

impl<'a> TaskView<'a> {
    pub(crate) fn of_place(place: &'a TaskPosition) -> Option<Self> {
        let task = place.task()?;
        let view = Self::new(task, place.name(), place.question());
        Some(Self { execution: place.execution(), ..view })
    }

    pub(crate) fn of_held(held: &'a ParkedTask) -> Self {
        let view = Self::new(&held.task, held.rest.name(), held.rest.question());
        Self { goes_on: held.needs_nobody(), ..view }
    }

    pub(crate) fn of_queued(task: &'a Task) -> Self {
        Self::new(task, StateName::Queued, None)
    }

    fn new(task: &'a Task, state: StateName, question: Option<&Question>) -> Self {
        Self {
            id: task.id,
            task_type: task.task_type,
            slots: &task.slots,
            sources: &task.sources,
            edits: &task.edits,
            missing: task.missing(),
            rounds: task.rounds,
            state,
            question: question
                .map(|q| PendingQuestion { blueprint: q.blueprint, digest: q.digest }),
            goes_on: false,
            execution: None,
            batch: task.batch,
        }
    }
}
