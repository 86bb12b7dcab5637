//! Checks that an earlier result fits its target: a file format or a request schema.

use crate::{
    runtime::Runtime,
    session::slot_refusal::{of_slot, of_target},
};
use wiiiv_domain::{
    Arg, Binding, Blueprint, FailureCategory, NotDrawn, SlotName, Source, StepFailure, StepParams,
    System, ValueKind,
};

/// Only earlier runs: a result of the same plan is not known yet.
pub async fn check(
    runtime: &Runtime,
    plan: &Blueprint,
    systems: &[System],
) -> Result<(), Vec<NotDrawn>> {
    for node in &plan.nodes {
        match &node.params {
            StepParams::FileWrite { content: Arg::Bound(binding), .. }
                if binding.kind == ValueKind::Csv =>
            {
                if let Some(Err(failure)) = value(runtime, binding).await {
                    of_file(&failure)?;
                }
            }
            StepParams::ApiCall { body: Some(Arg::Bound(binding)), .. } => {
                let slots = &plan.spec_snapshot.spec.slots;
                let Some(taken) = wiiiv_hlx::body_of(slots, systems) else { continue };
                let Some(Ok(body)) = value(runtime, binding).await else { continue };
                if let Some(code) = wiiiv_hlx::body_fault(taken, Some(&body)) {
                    return Err(of_slot(SlotName::SOURCE_RUN, code));
                }
            }
            StepParams::FileWrite { .. }
            | StepParams::ApiCall { .. }
            | StepParams::FileRead { .. }
            | StepParams::FileDelete { .. }
            | StepParams::WebFetch { .. }
            | StepParams::Transform { .. } => {}
        }
    }
    Ok(())
}

/// `None`: of the same plan, or unreadable; the step that needs it fails.
async fn value(runtime: &Runtime, binding: &Binding) -> Option<Result<String, StepFailure>> {
    let Source::Run { execution, step } = &binding.from else { return None };
    let (_, bytes) = runtime.deps.store.output(*execution, step).await.ok()??;
    Some(runtime.deps.executors.select(&bytes, binding).await)
}

/// Faults of the expression or of the sandbox's limits do not concern the file.
fn of_file(failure: &StepFailure) -> Result<(), Vec<NotDrawn>> {
    let is_of_file = !failure.code.starts_with("JQ_");
    if is_of_file && failure.category == FailureCategory::ContractViolation {
        return Err(of_target(&failure.code));
    }
    Ok(())
}
