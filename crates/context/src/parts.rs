//! The parts of a prompt below the boundary, as typed data.

use crate::{
    fence::{Fence, Fenced, Label},
    memory::MemoryBlocks,
    systems::{self, SYSTEMS_SHOWN_BYTES_MAX},
};
use std::{collections::BTreeSet, fmt::Write as _, sync::Arc};
use wiiiv_domain::{
    ExecutionId, JobName, Lang, SlotName, Slots, Speaker, StepId, System, SystemName, TaskId,
    TaskType,
};

/// Messages of the conversation that a prompt carries; older ones are left out.
pub const HISTORY_MESSAGES_MAX: usize = 20;
/// A slot's value as it is shown, in Unicode scalar values.
const SLOT_SHOWN_CHARS_MAX: usize = 2_000;
/// A step's output as it is shown, in Unicode scalar values.
const OUTPUT_SHOWN_CHARS_MAX: usize = 4_000;
/// Reasons for a revision.
const REVISIONS_MAX: usize = 32;

#[derive(Debug, Clone)]
pub struct PromptParts {
    /// 32 lower-case hexadecimal digits, random, of this request alone.
    pub fence: String,
    pub memory: MemoryBlocks,
    /// What the user is answered in.
    pub language: Lang,
    pub task: Option<TaskFacts>,
    pub suspended: Vec<(TaskId, TaskType)>,
    /// Those of them that wait their turn behind another job of their message, by what they are about.
    pub waiting: Vec<(TaskId, JobName)>,
    /// What a review wants changed, or why nothing could be drawn.
    pub revision: Vec<String>,
    pub facts: Option<RunFacts>,
    /// The session has a run whose result can be referred to.
    pub earlier_run: bool,
    /// What that run was asked for, as far as it is known.
    pub ran: Slots,
    /// What the project may talk to: registered, never guessed.
    pub systems: Arc<[System]>,
    /// Of those, what policy reaches at no address of theirs: no example speaks of them.
    pub unreached: BTreeSet<SystemName>,
    /// Oldest first, without the message.
    pub history: Vec<(Speaker, String)>,
    pub message: String,
}

/// The active task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskFacts {
    pub task_type: TaskType,
    pub slots: Slots,
    pub missing: Vec<SlotName>,
    /// Where the flow stands with it.
    pub state: String,
    /// Its plan waits for the answer of somebody else. No model is told: code says who may approve.
    pub asks_others: bool,
}

/// What a run has done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFacts {
    pub execution: ExecutionId,
    pub steps: Vec<StepFact>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepFact {
    pub step: StepId,
    pub ok: bool,
    /// The beginning of its output.
    pub text: String,
}

/// How much of what can be left out is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PromptExtent {
    /// Last messages of the conversation.
    history: usize,
    systems_bytes: usize,
}

impl PromptExtent {
    /// Less: the oldest words first, then systems that nobody spoke of. `None` where nothing is
    /// left to leave out.
    pub(crate) fn less(self) -> Option<Self> {
        match (self.history.checked_sub(1), self.systems_bytes) {
            (Some(history), _) => Some(Self { history, ..self }),
            (None, 0) => None,
            (None, bytes) => Some(Self { systems_bytes: bytes / 2, ..self }),
        }
    }
}

impl PromptParts {
    pub(crate) fn extent(&self) -> PromptExtent {
        let systems_bytes = if self.systems.is_empty() { 0 } else { SYSTEMS_SHOWN_BYTES_MAX };
        PromptExtent { history: self.history.len().min(HISTORY_MESSAGES_MAX), systems_bytes }
    }

    /// Every block in its order.
    pub(crate) fn render(&self, fence: &Fence, extent: PromptExtent) -> String {
        let mut text = String::new();
        let mut add = |label, inner: &str| text.push_str(Fenced::new(fence, label, inner).as_str());
        let MemoryBlocks { user, project } = &self.memory;
        for (label, memory) in [(Label::UserMemory, user), (Label::ProjectMemory, project)] {
            if !memory.is_empty() {
                add(label, memory.as_str());
            }
        }
        let mut setting = format!("language: {}\nearlierRun: {}", self.language, self.earlier_run);
        for name in [SlotName::SYSTEM, SlotName::OPERATION] {
            if let Some(value) = self.ran.get(name) {
                let value = serde_json::Value::from(shown(value, SLOT_SHOWN_CHARS_MAX));
                let _ = write!(setting, "\n{name} of the earlier run: {value}");
            }
        }
        add(Label::Setting, &setting);
        let slots = self.task.as_ref().map(|task| &task.slots);
        let systems = systems::shown(&self.systems, &self.message, slots, extent.systems_bytes);
        if !systems.is_empty() {
            add(Label::Systems, &systems);
        }
        if let Some(task) = &self.task {
            add(Label::Task, &task.render());
        }
        if !self.suspended.is_empty() {
            add(Label::Suspended, &self.aside());
        }
        if !self.revision.is_empty() {
            let lines: Vec<&str> =
                self.revision.iter().take(REVISIONS_MAX).map(String::as_str).collect();
            add(Label::Revision, &lines.join("\n"));
        }
        if let Some(facts) = &self.facts {
            add(Label::Facts, &facts.render());
        }
        let older = self.history.len().saturating_sub(extent.history);
        for (speaker, said) in self.history.iter().skip(older) {
            let label = match speaker {
                Speaker::User => Label::User,
                Speaker::Governor => Label::Assistant,
            };
            add(label, said);
        }
        add(Label::Message, &self.message);
        text
    }

    fn aside(&self) -> String {
        let lines = self.suspended.iter().map(|(id, task)| {
            match self.waiting.iter().find(|(waiting, _)| waiting == id) {
                Some((_, job)) => format!("{id} {task} waiting {}", job.object),
                None => format!("{id} {task}"),
            }
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl TaskFacts {
    fn render(&self) -> String {
        let missing: Vec<&str> = self.missing.iter().map(SlotName::as_str).collect();
        let mut text = format!(
            "taskType: {}\nstate: {}\nmissing: {}",
            self.task_type,
            self.state,
            missing.join(", ")
        );
        for (name, value) in self.slots.iter() {
            let value = serde_json::Value::from(shown(value, SLOT_SHOWN_CHARS_MAX));
            let _ = write!(text, "\n{name}: {value}");
        }
        text
    }
}

impl RunFacts {
    fn render(&self) -> String {
        let mut text = format!("run: {}", self.execution);
        for StepFact { step, ok, text: output } in &self.steps {
            let end = if *ok { "done" } else { "failed" };
            let _ = write!(text, "\nstep {step}: {end}\n{}", shown(output, OUTPUT_SHOWN_CHARS_MAX));
        }
        text
    }
}

/// The beginning, and that there is more.
pub(crate) fn shown(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        Some((end, _)) => format!("{} […]", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
