//! Whether a result that is there already fits where a plan puts it, into a file of a format or into
//! a request of a schema: looked at before there is a plan.

use crate::{deps::Shared, session::draw::unusable};
use wiiiv_domain::{
    Arg, Binding, Blueprint, FailureCategory, NotDrawn, SlotName, Source, StepFailure, StepParams,
    System, ValueKind,
};

/// A result of the same plan is not known yet: where its format cannot hold it, the step that writes
/// it fails and writes nothing.
pub async fn check(
    room: &Shared,
    plan: &Blueprint,
    systems: &[System],
) -> Result<(), Vec<NotDrawn>> {
    for node in &plan.nodes {
        match &node.params {
            StepParams::FileWrite { content: Arg::Bound(binding), .. }
                if binding.kind == ValueKind::Csv =>
            {
                if let Some(Err(failure)) = value(room, binding).await {
                    of_file(&failure)?;
                }
            }
            StepParams::ApiCall { body: Some(Arg::Bound(binding)), .. } => {
                let slots = &plan.spec_snapshot.spec.slots;
                let Some(taken) = wiiiv_hlx::body_of(slots, systems) else { continue };
                let Some(Ok(body)) = value(room, binding).await else { continue };
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

/// `None`: of the same plan, or not to be read; that fails where it is needed.
async fn value(room: &Shared, binding: &Binding) -> Option<Result<String, StepFailure>> {
    let Source::Run { execution, step } = &binding.from else { return None };
    let (_, bytes) = room.deps.store.output(*execution, step).await.ok()??;
    Some(room.deps.executors.select(&bytes, binding).await)
}

/// An expression that does not fit is no matter of the file, nor is a machine at its limits.
fn of_file(failure: &StepFailure) -> Result<(), Vec<NotDrawn>> {
    let is_of_file = !failure.code.starts_with("JQ_");
    if is_of_file && failure.category == FailureCategory::ContractViolation {
        return Err(unusable(&failure.code));
    }
    Ok(())
}

fn of_slot(name: &str, code: &str) -> Vec<NotDrawn> {
    let slot = |name| NotDrawn::Slot { name, code: code.to_owned() };
    SlotName::parse(name).map(slot).into_iter().collect()
}
