//! Wire forms of conversations.

use super::{form::FormView, halt::HaltView, mirror::mirror, risk::RiskView};
use crate::limits::FIRST_MESSAGE_CHARS_MAX;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;
use wiiiv_domain::{FormAnswer, Lang};
use wiiiv_governor::{SessionView as Standing, TaskSummary};
use wiiiv_store::SessionRow;

#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CreateSession {
    /// May be left out.
    #[serde(default)]
    pub title: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SessionView {
    pub id: Uuid,
    pub project: Uuid,
    pub owner: Uuid,
    pub title: String,
    pub created_at: String,
    /// When a turn last began or ended in it.
    pub updated_at: String,
    /// The first words that were said in it, at most 200 characters; `null` before there are any.
    pub first_message: Option<String>,
    /// Its owner keeps it at the top of the list.
    pub pinned: bool,
    /// Something in it waits for a person.
    pub waiting: bool,
    /// What of it, its project or the server is halted; left out in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub halts: Option<Vec<HaltView>>,
    /// What raised its risk; left out in lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<RiskView>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PatchSession {
    /// At most 200 characters; empty: it is called by its first message again.
    pub title: Option<String>,
    pub pinned: Option<bool>,
}

impl SessionView {
    pub(crate) fn of(row: SessionRow, first_message: Option<String>, waiting: bool) -> Self {
        let cut = |text: String| text.chars().take(FIRST_MESSAGE_CHARS_MAX).collect();
        Self {
            id: row.id.uuid(),
            project: row.project.uuid(),
            owner: row.owner.uuid(),
            title: row.title,
            created_at: row.created_at.to_string(),
            updated_at: row.updated_at.to_string(),
            first_message: first_message.map(cut),
            pinned: row.pinned,
            waiting,
            halts: None,
            risk: None,
        }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SessionsQuery {
    /// Part of the title or of what the person said, in any case; at most 200 characters. A search
    /// may end a page early: `next_cursor` says whether it goes on.
    pub q: Option<String>,
    /// Only those that are pinned, or that are not.
    pub pinned: Option<bool>,
    /// Rows, 1 to 100; 50 by default.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<u32>,
    /// `next_cursor` of the page before.
    pub cursor: Option<String>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PostMessage {
    /// Words; left out where `form` is given.
    #[serde(default)]
    pub text: String,
    /// What its author has set to be answered in; left out: what was first clearly spoken in the
    /// conversation.
    #[serde(default)]
    pub language: Option<LanguageName>,
    /// The answer to the form of the last `ask`, in place of words.
    pub form: Option<FormInput>,
    /// `seq` of the newest event that its author had seen. A yes or a no in words counts with it alone: where
    /// it is left out, or older than what was said last, what waits is shown again and nothing is done.
    /// Needed with `form`.
    pub seen: Option<u64>,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LanguageName {
    Ko,
    #[default]
    En,
}

mirror!(LanguageName => Lang: Ko, En);

/// Values by the names of the form's fields. What is sent is checked against the operation's schema.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FormInput {
    /// Of the form.
    pub task: Uuid,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub path: Map<String, Value>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub query: Map<String, Value>,
    /// Members of the body's object, `null` for an optional one that is not sent; else the whole body.
    #[schema(value_type = Option<Object>)]
    pub body: Option<Value>,
}

impl From<FormInput> for FormAnswer {
    fn from(input: FormInput) -> Self {
        let FormInput { task, path, query, body } = input;
        Self { task: task.into(), path, query, body }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AcceptedTurn {
    pub turn: Uuid,
    /// Where the turn can be followed.
    pub events: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ControlAction {
    /// Stops whatever is in flight; does not wait.
    Cancel,
    /// Goes on with a suspended task.
    Switch,
    /// Gives all tasks of the session up.
    Reset,
    /// Says why the last request came to what it came to.
    Why,
    /// Proposes the last request once more.
    Again,
    /// Lists the files of the workspace.
    ListFiles,
    /// Shows the file that was saved last.
    ShowSaved,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PostControl {
    pub action: ControlAction,
    /// With `switch` alone.
    pub task: Option<Uuid>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ControlledTurn {
    pub turn: Uuid,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TaskItem {
    pub task: Uuid,
    pub task_type: String,
    pub state: String,
}

impl From<TaskSummary> for TaskItem {
    fn from(task: TaskSummary) -> Self {
        Self {
            task: task.task.uuid(),
            task_type: task.task_type.to_string(),
            state: task.state.to_string(),
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PendingItem {
    pub approval: Uuid,
    pub digest: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StateView {
    /// Of the active task; `listening` where there is none.
    pub state: String,
    pub active: Option<TaskItem>,
    pub suspended: Vec<TaskItem>,
    /// The question that waits for a person.
    pub pending: Option<PendingItem>,
    /// Messages that wait behind the turn in progress.
    pub queued: usize,
    /// What the active task lacks, as fields to fill in; `null` where nothing of the kind is asked for.
    pub form: Option<FormView>,
    /// Number of the newest event; events after it are those of `?after=`.
    pub last_event: u64,
}

impl StateView {
    pub(crate) fn of(view: Standing, last_event: u64) -> Self {
        let pending = view.pending.map(|(approval, digest)| PendingItem {
            approval: approval.uuid(),
            digest: digest.to_string(),
        });
        Self {
            state: view.state.to_string(),
            active: view.active.map(TaskItem::from),
            suspended: view.suspended.into_iter().map(TaskItem::from).collect(),
            pending,
            queued: view.queued,
            form: view.form.as_ref().map(FormView::of),
            last_event,
        }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct EventsQuery {
    /// Number of the last event seen; 0 for all. Left out: only what happens from now on.
    pub after: Option<u64>,
}
