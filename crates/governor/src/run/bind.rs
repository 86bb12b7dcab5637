//! Resolves a step's values: literals, and bindings to earlier outputs.

use crate::{runtime::Runtime, systems::failure};
use std::{collections::BTreeMap, sync::Arc};
use wiiiv_domain::{
    Arg, Binding, ExecutionId, FailureCategory, Node, SessionId, Source, StepFailure, StepId,
    ValueKind,
};
use wiiiv_gate::Resolved;

pub type Outputs = BTreeMap<StepId, Arc<Vec<u8>>>;

pub async fn resolve(
    runtime: &Runtime,
    session: SessionId,
    node: &Node,
    outputs: &Outputs,
) -> Result<Resolved, StepFailure> {
    let mut values = BTreeMap::new();
    for (name, arg) in node.params.args() {
        let value = match arg {
            Arg::Literal(text) => text.clone(),
            Arg::Bound(binding) => bound(runtime, session, binding, outputs).await?,
        };
        values.insert(name, value);
    }
    Ok(Resolved::new(values))
}

/// What a step was ruled on, told later: by the outputs that its run has left.
pub async fn recorded(
    runtime: &Runtime,
    (session, execution): (SessionId, ExecutionId),
    node: &Node,
) -> Result<Resolved, StepFailure> {
    let mut outputs = Outputs::new();
    for (_, arg) in node.params.args() {
        let Some(Source::Step { step }) = arg.binding().map(|binding| &binding.from) else {
            continue;
        };
        let left = runtime.deps.store.output(execution, step).await.map_err(unread)?;
        outputs.extend(left.map(|(_, bytes)| (step.clone(), Arc::new(bytes))));
    }
    resolve(runtime, session, node, &outputs).await
}

/// Whether the node has no condition, or its condition holds for the recorded outputs.
pub async fn holds(
    runtime: &Runtime,
    session: SessionId,
    node: &Node,
    outputs: &Outputs,
) -> Result<bool, StepFailure> {
    let Some(condition) = &node.when else { return Ok(true) };
    let value = bound(runtime, session, condition, outputs).await?;
    Ok(!matches!(value.trim(), "false" | "null"))
}

/// Its start waits for no expression, no other run's output and no condition: what it binds are
/// whole outputs of this run, or nothing.
pub fn is_immediate(node: &Node) -> bool {
    let whole = |binding: &Binding| {
        let is_text = matches!(binding.kind, ValueKind::Text | ValueKind::Json);
        matches!(binding.from, Source::Step { .. }) && binding.select == "." && is_text
    };
    let args = node.params.args().into_iter();
    node.when.is_none() && args.filter_map(|(_, arg)| arg.binding()).all(whole)
}

async fn bound(
    runtime: &Runtime,
    session: SessionId,
    binding: &Binding,
    outputs: &Outputs,
) -> Result<String, StepFailure> {
    let bytes = match &binding.from {
        Source::Step { step } => {
            let found = outputs.get(step).cloned();
            found.ok_or_else(|| missing(&format!("step `{step}` has left no output")))?
        }
        Source::Run { execution, step } => {
            // A run of another session looks like a missing one.
            let row = runtime.deps.store.execution(*execution).await.map_err(unread)?;
            if row.is_none_or(|row| row.session != session) {
                return Err(missing(&format!("there is no run `{execution}`")));
            }
            let output = runtime.deps.store.output(*execution, step).await.map_err(unread)?;
            let (_, bytes) = output
                .ok_or_else(|| missing(&format!("run `{execution}` has no output `{step}`")))?;
            Arc::new(bytes)
        }
    };
    runtime.deps.executors.select(&bytes, binding).await
}

fn missing(what: &str) -> StepFailure {
    failure(FailureCategory::ResourceNotFound, "BINDING_SOURCE_MISSING", what)
}

fn unread(error: wiiiv_store::StoreError) -> StepFailure {
    failure(FailureCategory::IoError, "BINDING_SOURCE_UNREADABLE", &error.to_string())
}
