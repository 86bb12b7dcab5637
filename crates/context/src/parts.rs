//! The parts of a prompt below the boundary, as typed data.

use crate::{
    checked::CheckedAnswer,
    fence::{Fence, Fenced, Label},
    intent::Intent,
    long_term::LongTerm,
    memory::MemoryBlocks,
    passages::Passages,
    profile::ProfileBlock,
    related::RelatedTurn,
    shape::{AnswerShape, PROFILE_PROPOSAL, PROPOSAL},
    systems,
};
use std::{collections::BTreeSet, fmt::Write as _, sync::Arc};
use wiiiv_domain::{
    ExecutionId, Guardrail, JobName, Lang, SlotName, Slots, Speaker, StepId, System, SystemName,
    TaskId, TaskType,
};

/// A slot's value as it is shown, in Unicode scalar values.
const SLOT_SHOWN_CHARS_MAX: usize = 2_000;
/// A step's output as it is shown, in Unicode scalar values.
pub(crate) const OUTPUT_SHOWN_CHARS_MAX: usize = 4_000;
/// Reasons for a revision.
const REVISIONS_MAX: usize = 32;

#[derive(Debug, Clone)]
pub struct PromptParts {
    /// 32 lower-case hexadecimal digits, random, of this request alone.
    pub fence: String,
    /// By the project's policy alone: they stand among the rules.
    pub guardrails: BTreeSet<Guardrail>,
    pub memory: MemoryBlocks,
    /// Of the person who speaks; `None` where the project has no schema of profiles.
    pub profile: Option<ProfileBlock>,
    /// What the user is answered in.
    pub language: Lang,
    pub task: Option<TaskFacts>,
    pub suspended: Vec<(TaskId, TaskType)>,
    /// Those of them that wait their turn behind another job of their message, by what they are about.
    pub waiting: Vec<(TaskId, JobName)>,
    /// What a review wants changed, or why nothing could be drawn.
    pub revision: Vec<String>,
    pub facts: Option<RunFacts>,
    /// Of documents; `None` where none were looked at.
    pub documents: Option<Passages>,
    /// An answer to the same message that is looked at, or made better, before one is given.
    pub checked: Option<CheckedAnswer>,
    /// The session has a run whose result can be referred to.
    pub earlier_run: bool,
    /// What that run was asked for, as far as it is known.
    pub ran: Slots,
    /// What the project may talk to: registered, never guessed.
    pub systems: Arc<[System]>,
    /// Of those, what policy reaches at no address of theirs: no example speaks of them.
    pub unreached: BTreeSet<SystemName>,
    /// Turns before the history; `None` where it is all that there is.
    pub long_term: Option<Box<LongTerm>>,
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

impl PromptParts {
    /// What the answer has to look like.
    #[must_use]
    pub const fn answer(&self) -> &'static AnswerShape {
        match self.profile {
            Some(_) => &PROFILE_PROPOSAL,
            None => &PROPOSAL,
        }
    }

    /// Of the person and of the project; an empty one has no block.
    pub(crate) fn memories(&self, fence: &Fence) -> [String; 2] {
        let MemoryBlocks { user, project } = &self.memory;
        [(Label::UserMemory, user), (Label::ProjectMemory, project)]
            .map(|(label, memory)| block(fence, label, memory.as_str()))
    }

    /// What the person told of themselves; nothing where no schema is on.
    pub(crate) fn told(&self, fence: &Fence) -> String {
        self.profile.as_ref().map_or_else(String::new, |profile| {
            Fenced::new(fence, Label::Profile, profile.text()).as_str().to_owned()
        })
    }

    /// With so many key points, but for so many related turns, and how many points are left out.
    pub(crate) fn summary(
        &self,
        fence: &Fence,
        (points, related): (usize, usize),
    ) -> (String, usize) {
        let Some(long_term) = &self.long_term else { return (String::new(), 0) };
        let beside = long_term.related.get(..related).unwrap_or(&long_term.related);
        let text = long_term.summary.text(points, beside);
        let left_out = long_term.summary.points().saturating_sub(points);
        (block(fence, Label::Summary, &text), left_out)
    }

    /// So many of the related turns, and how many are left out.
    pub(crate) fn related(&self, fence: &Fence, turns: usize) -> (String, usize) {
        let related =
            self.long_term.as_ref().map_or(&[][..], |long_term| long_term.related.as_slice());
        let lines: Vec<String> = related.iter().take(turns).map(RelatedTurn::lines).collect();
        (block(fence, Label::Related, &lines.join("\n")), related.len().saturating_sub(turns))
    }

    /// So much of the passages, in the steps of `Passages::shown`, and how many are left out or cut short.
    pub(crate) fn passages(&self, fence: &Fence, extent: usize) -> (String, usize) {
        let Some(passages) = &self.documents else { return (String::new(), 0) };
        // Nothing, not even a word that there are some.
        if extent == 0 {
            return (String::new(), passages.hits().len());
        }
        let shown = passages.shown(extent, &self.message);
        (block(fence, Label::Documents, &shown.text()), passages.dropped(&shown))
    }

    pub(crate) fn setting(&self, fence: &Fence) -> String {
        let mut setting = format!("language: {}\nearlierRun: {}", self.language, self.earlier_run);
        // Of a run it is said what it came to, whatever the question was.
        if let (None, Some(intent)) = (&self.facts, Intent::of(&self.message)) {
            let _ = write!(setting, "\nintent: {}", intent.as_str());
        }
        for name in [SlotName::SYSTEM, SlotName::OPERATION] {
            if let Some(value) = self.ran.get(name) {
                let value = serde_json::Value::from(shown(value, SLOT_SHOWN_CHARS_MAX));
                let _ = write!(setting, "\n{name} of the earlier run: {value}");
            }
        }
        block(fence, Label::Setting, &setting)
    }

    /// Registered systems in so many bytes, and how many of their lines are left out.
    pub(crate) fn registered(&self, fence: &Fence, bytes_max: usize) -> (String, usize) {
        let slots = self.task.as_ref().map(|task| &task.slots);
        let (systems, left_out) = systems::shown(&self.systems, &self.message, slots, bytes_max);
        (block(fence, Label::Systems, &systems), left_out)
    }

    /// The task, what waits beside it, and what is to change.
    pub(crate) fn job(&self, fence: &Fence) -> String {
        let task = self.task.as_ref().map(TaskFacts::render).unwrap_or_default();
        let lines = self.revision.iter().take(REVISIONS_MAX).map(String::as_str);
        let revision = lines.collect::<Vec<_>>().join("\n");
        let mut text = block(fence, Label::Task, &task);
        text.push_str(&block(fence, Label::Suspended, &self.aside()));
        if !self.revision.is_empty() {
            text.push_str(Fenced::new(fence, Label::Revision, &revision).as_str());
        }
        if let Some(answer) = &self.checked {
            text.push_str(&answer.render(fence));
        }
        text
    }

    /// What a run came to, with so much of each output, and how many of them are cut short.
    pub(crate) fn results(&self, fence: &Fence, chars_max: usize) -> (String, usize) {
        let Some(facts) = &self.facts else { return (String::new(), 0) };
        let is_cut = |step: &&StepFact| step.text.char_indices().nth(chars_max).is_some();
        let cut = facts.steps.iter().filter(is_cut).count();
        (block(fence, Label::Facts, &facts.render(chars_max)), cut)
    }

    /// One message of the conversation.
    pub(crate) fn line(fence: &Fence, (speaker, said): &(Speaker, String)) -> String {
        let label = match speaker {
            Speaker::User => Label::User,
            Speaker::Governor => Label::Assistant,
        };
        Fenced::new(fence, label, said).as_str().to_owned()
    }

    pub(crate) fn query(&self, fence: &Fence) -> String {
        Fenced::new(fence, Label::Message, &self.message).as_str().to_owned()
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
    fn render(&self, chars_max: usize) -> String {
        let mut text = format!("run: {}", self.execution);
        for StepFact { step, ok, text: output } in &self.steps {
            let end = if *ok { "done" } else { "failed" };
            let _ = write!(text, "\nstep {step}: {end}\n{}", shown(output, chars_max));
        }
        text
    }
}

/// Nothing of an empty text.
fn block(fence: &Fence, label: Label, inner: &str) -> String {
    if inner.is_empty() {
        return String::new();
    }
    Fenced::new(fence, label, inner).as_str().to_owned()
}

/// The beginning, and that there is more.
pub(crate) fn shown(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        Some((end, _)) => format!("{} […]", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
