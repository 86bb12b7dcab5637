//! From a spec to nodes, by code alone: the file tasks, and calls of services or registered
//! systems whose answers are joined, filtered and saved where the slots ask for it.

mod api;
pub(crate) mod arguments;
mod condition;
mod content;
mod files;
mod format;
mod input;
mod inside;
mod reason;
mod request;
mod route;
mod source;
mod system;
mod url;
mod web;

pub use files::LISTING;
pub use files::appends;
pub(crate) use route::Route;
pub use source::{latest, pinned};
pub use system::{Registered, registered};

use std::collections::BTreeSet;
use wiiiv_domain::{
    ExecutionId, Node, NotDrawn, ProjectPolicy, Spec, StepId, System, TaskType, TaskTypes,
    Timestamp,
};

/// What a binding may carry where nothing says more, in bytes.
pub const BOUND_DEFAULT_BYTES: u64 = 1024 * 1024;

/// What this build draws plans for.
pub const DRAWABLE: TaskTypes = TaskTypes::of(&[
    TaskType::FileRead,
    TaskType::FileWrite,
    TaskType::FileDelete,
    TaskType::ApiWorkflow,
    TaskType::WebFetch,
]);

/// What drawing may know of the world.
#[derive(Debug, Clone, Copy)]
pub struct DrawFacts<'a> {
    pub policy: &'a ProjectPolicy,
    /// Earlier runs of the same session.
    pub earlier: &'a [EarlierRun],
    /// Registered systems of the project.
    pub systems: &'a [System],
    /// First components, such as `lib` or `var`, that exist in the workspace although systems
    /// have directories of that name.
    pub own_directories: &'a BTreeSet<String>,
    /// What the target holds, where something is to be added to it; `None`: nothing is there.
    pub held: Option<&'a str>,
}

/// A run that may be referred to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierRun {
    pub execution: ExecutionId,
    pub finished_at: Timestamp,
    /// Steps that left an output, in plan order.
    pub steps: Vec<EarlierStep>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlierStep {
    pub step: StepId,
    pub media_type: String,
    pub size_bytes: u64,
    /// It holds what was read or made of it; the report of a write is no result to refer to.
    pub foreign: bool,
}

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
