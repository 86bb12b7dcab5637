//! The closed list of task types (governance.md 2).

use crate::{confirmation::Confirmation, effect::Effect, slots::SlotName};
use serde::{Deserialize, Serialize};

named! {
    /// What kind of thing the user wants.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum TaskType {
        /// Talk.
        Conversation = "CONVERSATION",
        /// A question that the model answers in words.
        Information = "INFORMATION",
        /// Reads or lists files.
        FileRead = "FILE_READ",
        /// Writes a file.
        FileWrite = "FILE_WRITE",
        /// Removes a file.
        FileDelete = "FILE_DELETE",
        /// Changes source code.
        CodeEdit = "CODE_EDIT",
        /// Runs a command.
        Command = "COMMAND",
        /// Calls registered services.
        ApiWorkflow = "API_WORKFLOW",
        /// Queries a database.
        DbQuery = "DB_QUERY",
        /// Plans a new software project.
        ProjectCreate = "PROJECT_CREATE",
        /// Makes a workflow.
        WorkflowCreate = "WORKFLOW_CREATE",
        /// Runs a stored workflow.
        WorkflowRun = "WORKFLOW_RUN",
        /// Lists, changes or removes workflows.
        WorkflowManage = "WORKFLOW_MANAGE",
        /// Reads a web page.
        WebFetch = "WEB_FETCH",
    }
}

impl TaskType {
    /// Whether it is talk, which never reaches the review.
    #[must_use]
    pub const fn is_talk(self) -> bool {
        matches!(self, Self::Conversation | Self::Information)
    }

    /// Slots that must be filled before the review.
    #[must_use]
    pub const fn required_slots(self) -> &'static [&'static str] {
        match self {
            Self::Conversation | Self::Information => &[],
            Self::FileRead | Self::FileDelete => &[SlotName::TARGET_PATH],
            Self::FileWrite => &[SlotName::TARGET_PATH, SlotName::CONTENT],
            Self::CodeEdit => &["sources", "instruction"],
            Self::Command => &["command"],
            Self::ApiWorkflow => &[SlotName::INTENT, SlotName::DOMAIN],
            Self::DbQuery => &[SlotName::INTENT, "database"],
            Self::ProjectCreate => &[SlotName::DOMAIN, "techStack", "scale"],
            Self::WorkflowCreate => &[SlotName::DOMAIN, "scale"],
            Self::WorkflowRun | Self::WorkflowManage => &["workflow"],
            Self::WebFetch => &[SlotName::URL],
        }
    }

    /// Whether people are asked about each plan of this type anew: no yes to it is said beforehand.
    #[must_use]
    pub const fn is_asked_each_time(self) -> bool {
        match self {
            Self::Conversation
            | Self::Information
            | Self::FileDelete
            | Self::CodeEdit
            | Self::Command
            | Self::ProjectCreate
            | Self::WorkflowCreate
            | Self::WorkflowManage => true,
            Self::FileRead
            | Self::FileWrite
            | Self::ApiWorkflow
            | Self::DbQuery
            | Self::WorkflowRun
            | Self::WebFetch => false,
        }
    }

    /// The effect to expect before the steps are drawn; `None` for talk.
    #[must_use]
    pub const fn default_effect(self) -> Option<Effect> {
        match self {
            Self::Conversation | Self::Information => None,
            Self::FileRead
            | Self::ApiWorkflow
            | Self::DbQuery
            | Self::WebFetch
            | Self::WorkflowRun
            | Self::WorkflowManage => Some(Effect::Read),
            Self::FileWrite | Self::CodeEdit | Self::ProjectCreate | Self::WorkflowCreate => {
                Some(Effect::Write)
            }
            Self::FileDelete => Some(Effect::Delete),
            Self::Command => Some(Effect::Execute),
        }
    }

    /// Whether a work order is shown first; a yes to it permits drawing only.
    #[must_use]
    pub const fn has_work_order(self) -> bool {
        matches!(self, Self::ProjectCreate | Self::WorkflowCreate)
    }

    /// The default of this type; `UnlessRead` where the table says "as the nodes".
    #[must_use]
    pub const fn default_confirmation(self) -> Confirmation {
        match self {
            Self::Conversation | Self::Information | Self::FileRead => Confirmation::Never,
            Self::FileWrite
            | Self::FileDelete
            | Self::CodeEdit
            | Self::Command
            | Self::ProjectCreate
            | Self::WorkflowCreate => Confirmation::Always,
            // A page alone is a READ, and no yes is needed; saved to a file it is a write.
            Self::ApiWorkflow
            | Self::DbQuery
            | Self::WorkflowRun
            | Self::WorkflowManage
            | Self::WebFetch => Confirmation::UnlessRead,
        }
    }
}

/// A set of task types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskTypes(u16);

impl TaskTypes {
    /// Every task type.
    pub const ALL: Self = Self(u16::MAX);

    /// The set of these.
    #[must_use]
    pub const fn of(types: &[TaskType]) -> Self {
        let (mut bits, mut rest) = (0, types);
        while let [first, others @ ..] = rest {
            bits |= 1 << (*first as u16);
            rest = others;
        }
        Self(bits)
    }
    /// Whether the type is in the set.
    #[must_use]
    pub const fn has(self, task: TaskType) -> bool {
        self.0 & (1 << (task as u16)) != 0
    }
}
