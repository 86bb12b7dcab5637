//! What must be known to read an utterance, and what is read.

use crate::lexicon::Lexicon;
use std::sync::Arc;
use wiiiv_domain::{Lang, SlotName, Slots, System, TaskType};

/// Jobs of one message besides its first: a session holds eight that wait, and one that is active.
pub const JOBS_LATER_MAX: usize = 7;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadSignal {
    /// A yes and nothing else.
    Affirm,
    Deny,
    Cancel,
    /// Of several jobs the one at this place is not wanted: 0 is the active one, the others are those
    /// of [`Situation::waiting`] and then of [`Situation::aside`], from 1.
    LeaveOut(usize),
    /// Changes what was asked for.
    Modify,
    /// Refers to an earlier result.
    FollowUp,
    Remember,
    Reset,
    /// None of the others.
    Say,
}

/// What must be known to read an utterance right.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Situation {
    /// The active task has asked for what it misses.
    pub awaiting_answer: bool,
    pub active: Option<(TaskType, Vec<SlotName>)>,
    /// What is known of the active task.
    pub known: Slots,
    /// Jobs that wait behind the active one, in their order.
    pub waiting: Vec<(TaskType, Slots)>,
    /// Tasks that were put aside, in their order.
    pub aside: Vec<(TaskType, Slots)>,
    /// The session has a run whose result can be referred to.
    pub earlier_run: bool,
    /// What that run was asked for, as far as it is known.
    pub ran: Slots,
    /// Registered systems, whose aliases and labels are words here.
    pub systems: Arc<[System]>,
}

impl Situation {
    /// `it` is the file of the job before: `read a.txt and delete it`.
    pub(crate) fn after(&self, job: &Job) -> Self {
        let path = job.slots.get(SlotName::TARGET_PATH).or_else(|| job.slots.get("sources"));
        // One that names no file leaves none to be pointed to: not that of an older run.
        let mut ran = self.ran.clone();
        let kept = ran.set(SlotName::TARGET_PATH, path.unwrap_or_default());
        let ran = kept.map_or_else(|_| Slots::default(), |()| ran);
        Self { ran, ..self.clone() }
    }

    /// A preview waits for a yes or a no.
    pub(crate) fn is_confirming(&self) -> bool {
        self.awaiting_answer && self.active.as_ref().is_some_and(|(_, missing)| missing.is_empty())
    }
    /// Something particular was asked for.
    pub(crate) fn is_asked(&self) -> bool {
        self.awaiting_answer && self.active.as_ref().is_some_and(|(_, missing)| !missing.is_empty())
    }
    /// The file of the earlier run, where the active task has no other.
    pub(crate) fn file(&self) -> Option<&str> {
        let other = self.known.get(SlotName::TARGET_PATH);
        let file = self.ran.get(SlotName::TARGET_PATH)?;
        other.is_none_or(|other| other == file).then_some(file)
    }
    /// The active task writes down an earlier result.
    pub(crate) fn keeps_earlier(&self) -> bool {
        let writes = self.active.as_ref().is_some_and(|(task, _)| *task == TaskType::FileWrite);
        writes && self.known.get(SlotName::SOURCE_RUN).is_some()
    }
    pub(crate) fn asks_for(&self, slot: &str) -> bool {
        let missing = self.active.iter().flat_map(|(_, missing)| missing);
        self.awaiting_answer && missing.into_iter().any(|name| name.as_str() == slot)
    }
}

/// Why nothing of a message is taken, though it asks for something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// More than [`JOBS_LATER_MAX`] and one.
    TooMany,
    /// Only a part of it was understood.
    Half,
    /// A file is spoken of in parts, and only the whole of it can be handled.
    Part,
    /// All files are to go, and only those that are named can be.
    Wide,
    /// A job on a file hangs on a time or a condition.
    Bound,
    /// Nothing here can do it.
    Undone,
    /// Somebody will do it or wants it done, and does not ask for it.
    Told,
    /// It may be the text that was asked for, or something else that is to be done.
    Either,
}

impl Lost {
    /// Each of them.
    pub const ALL: [Self; 8] = [
        Self::TooMany,
        Self::Half,
        Self::Part,
        Self::Wide,
        Self::Bound,
        Self::Undone,
        Self::Told,
        Self::Either,
    ];

    /// What its text is called by.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TooMany => "too_many",
            Self::Half => "half",
            Self::Part => "part",
            Self::Wide => "wide",
            Self::Bound => "bound",
            Self::Undone => "undone",
            Self::Told => "told",
            Self::Either => "either",
        }
    }
}

/// One of several jobs of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    pub task_type: TaskType,
    pub slots: Slots,
    /// Its part of the message.
    pub text: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    pub language: Lang,
    /// It holds words of a language, and not only a place, a file or a value.
    pub speaks: bool,
    pub signal: ReadSignal,
    pub task_type: Option<TaskType>,
    pub slots: Slots,
    /// 0 to 1.
    pub confidence: f32,
    /// "Do not ..": nothing is asked for.
    pub negated: bool,
    /// What is to be done after the first job, in the order of the message; at most
    /// [`JOBS_LATER_MAX`].
    pub later: Vec<Job>,
    pub lost: Option<Lost>,
    /// Parts of the message that nothing here can do, as they were said.
    pub left: Vec<String>,
    /// A cancel reaches every task, also those that were put aside.
    pub everything: bool,
}

/// Reads a text in its situation.
pub(crate) type Reread = fn(&Lexicon, &str, &Situation) -> Reading;
