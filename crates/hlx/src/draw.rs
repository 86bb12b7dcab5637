//! Draws nodes from a spec, by code only: file tasks, and calls of services or registered systems,
//! whose answers are joined, filtered and saved as the slots ask.

mod api;
pub(crate) mod arguments;
mod condition;
mod content;
pub(crate) mod facts;
mod files;
mod format;
mod input;
mod inside;
mod node;
mod reason;
mod request;
mod route;
mod source;
mod system;
mod url;
mod web;

use crate::draw::facts::DrawFacts;
pub use files::{LISTING, appends};
pub(crate) use route::Route;
pub use source::{latest, pinned};
pub use system::{Registered, registered};
use wiiiv_domain::{Node, NotDrawn, Spec, TaskType, TaskTypes};

/// What this build draws plans for.
pub const DRAWABLE: TaskTypes = TaskTypes::of(&[
    TaskType::FileRead,
    TaskType::FileWrite,
    TaskType::FileDelete,
    TaskType::ApiWorkflow,
    TaskType::WebFetch,
]);

/// Deterministic: the same spec and facts give the same nodes.
pub fn draw(spec: &Spec, facts: &DrawFacts<'_>) -> Result<Vec<Node>, Vec<NotDrawn>> {
    let nodes = match spec.task_type {
        TaskType::FileRead => files::read(spec, facts),
        TaskType::FileWrite => files::write(spec, facts),
        TaskType::FileDelete => files::delete(spec, facts),
        TaskType::ApiWorkflow => api::workflow(spec, facts),
        TaskType::WebFetch => web::fetch(spec, facts),
        TaskType::Conversation
        | TaskType::Information
        | TaskType::CodeEdit
        | TaskType::Command
        | TaskType::DbQuery
        | TaskType::ProjectCreate
        | TaskType::WorkflowCreate
        | TaskType::WorkflowRun
        | TaskType::WorkflowManage => Err(vec![NotDrawn::NoExecutor { task_type: spec.task_type }]),
    }?;
    inside::envelope(&nodes, &spec.envelope)?;
    Ok(nodes)
}
