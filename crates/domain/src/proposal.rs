//! A model's answer. It is untrusted data and opens nothing.

use crate::{
    envelope::Envelope,
    id::TaskId,
    provenance::Sources,
    recall::Recall,
    slots::{SlotName, Slots},
    task::TaskType,
};
use serde::{Deserialize, Serialize};

named! {
    /// What a model proposes to do next. Models write it in upper case.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum Action {
        /// Answer in words.
        Reply = "reply",
        /// Ask for what is missing.
        Ask = "ask",
        /// Show a plan and ask for a yes.
        Confirm = "confirm",
        /// Do the task.
        Execute = "execute",
        /// Give the task up.
        Cancel = "cancel",
        /// See [`Recall::Why`].
        Why = Recall::Why.as_str(),
        /// See [`Recall::Again`].
        Again = Recall::Again.as_str(),
        /// See [`Recall::ListFiles`].
        ListFiles = Recall::ListFiles.as_str(),
        /// See [`Recall::ShowSaved`].
        ShowSaved = Recall::ShowSaved.as_str(),
    }
}

impl Action {
    /// The question that code answers from the record in the model's place, if it is one.
    #[must_use]
    pub const fn recall(self) -> Option<Recall> {
        match self {
            Self::Why => Some(Recall::Why),
            Self::Again => Some(Recall::Again),
            Self::ListFiles => Some(Recall::ListFiles),
            Self::ShowSaved => Some(Recall::ShowSaved),
            Self::Reply | Self::Ask | Self::Confirm | Self::Execute | Self::Cancel => None,
        }
    }
}

/// Which task the model takes the message for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "task")]
pub enum TaskSwitch {
    /// Go on with the active task.
    #[default]
    Stay,
    /// The message begins another one; the active one is suspended.
    New,
    /// Back to a suspended one.
    To(TaskId),
}

/// A model's answer to one message, parsed and bounded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Proposal {
    /// What it wants done next.
    pub action: Action,
    /// What kind of task it took the message for.
    pub task_type: TaskType,
    /// Its own wording: a reply in talk, or a text beside a question.
    #[serde(default)]
    pub message: String,
    /// Values that it found in the message.
    #[serde(default)]
    pub slots: Slots,
    /// Which task the message belongs to.
    #[serde(default)]
    pub task_switch: TaskSwitch,
    /// May only widen what code derives from the slots.
    #[serde(default)]
    pub envelope: Envelope,
    /// Further jobs of the same message, in its order: each waits its turn as a task of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub later: Vec<LaterJob>,
    /// How sure the built-in understanding is, in per cent. The schema of other models has no such
    /// field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<u8>,
    /// The slots that did not come from the user's words. INVARIANT: only code writes it; what a model
    /// writes here is replaced.
    #[serde(default, skip_serializing_if = "Sources::is_empty")]
    pub sources: Sources,
}

/// One of several jobs of a message, after the first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LaterJob {
    /// What kind of task it is.
    pub task_type: TaskType,
    /// Values that were found for it.
    #[serde(default)]
    pub slots: Slots,
    /// Written by code only, for the registered systems that the slots name.
    #[serde(default, skip_serializing_if = "Envelope::is_empty")]
    pub envelope: Envelope,
    /// As [`Proposal::sources`].
    #[serde(default, skip_serializing_if = "Sources::is_empty")]
    pub sources: Sources,
}

/// A job's name in texts for people: its type and its object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct JobName {
    /// What kind of task it is.
    pub task_type: TaskType,
    /// Start of the slot that identifies the job; empty if none is filled.
    #[serde(default)]
    pub object: String,
}

impl JobName {
    /// Of one name, in Unicode scalar values.
    const OBJECT_CHARS_MAX: usize = 80;
    /// Slots that identify a job, in order; the first one filled is used.
    const OBJECTS: [&str; 9] = [
        SlotName::TARGET_PATH,
        "sources",
        "command",
        SlotName::URL,
        SlotName::OPERATION,
        SlotName::DOMAIN,
        "database",
        "workflow",
        SlotName::INTENT,
    ];

    /// Names a job by the first slot that identifies it.
    #[must_use]
    pub fn of(task_type: TaskType, slots: &Slots) -> Self {
        let object = Self::OBJECTS.iter().find_map(|name| slots.get(name)).unwrap_or_default();
        // One line, whatever the slot holds.
        let plain = object.chars().map(|c| if c.is_control() { ' ' } else { c });
        Self { task_type, object: plain.take(Self::OBJECT_CHARS_MAX).collect() }
    }
}
