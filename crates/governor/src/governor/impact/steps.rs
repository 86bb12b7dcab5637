//! Rulings on the steps of a run, judged again up to the first one that would have ended otherwise.

use super::versions::{Versions, ruling, unavailable};
use crate::{
    governor::policies::{Policies, PolicyChangeError},
    run,
};
use wiiiv_domain::{Blueprint, ExecutionId, FailureCategory, StepId};
use wiiiv_gate::{PastRuling, Policy, Replayed, RuledOn};
use wiiiv_store::{AUDIT_ROWS_MAX, AuditFilter, Chain};

/// What was found in one run.
#[derive(Debug, Default)]
pub struct Steps {
    pub judged: usize,
    /// Whose values are no longer kept, or which this build judges otherwise than they were judged.
    pub not_judged: usize,
    pub first: Option<ChangedStep>,
    /// The run has older rulings, which were not looked at.
    pub more: bool,
}

#[derive(Debug)]
pub struct ChangedStep {
    pub step: StepId,
    pub was: Replayed,
    pub would_be: Replayed,
    /// Under the policy in force the run would come as far, and this step would end so.
    pub is_in_force: bool,
}

/// `rules`: the proposed ones, and those in force. What comes after that first one would not have come, or not so.
pub async fn look(
    (policies, versions): (Policies<'_>, &mut Versions<'_>),
    rules: &(Policy, Policy),
    (plan, execution): (&Blueprint, ExecutionId),
) -> Result<Steps, PolicyChangeError> {
    let deps = &policies.runtime.deps;
    let filter = AuditFilter {
        kind: Some("decision".to_owned()),
        about: Some(execution.uuid()),
        ..AuditFilter::default()
    };
    let mut rows = deps.store.audit_search(Chain::Project(plan.project), &filter).await?;
    rows.sort_by_key(|row| row.seq);
    let more = u64::try_from(rows.len()).is_ok_and(|rows| rows == AUDIT_ROWS_MAX);
    let mut found = Steps { more, ..Steps::default() };
    let (proposed, in_force) = rules;
    // Also under the policy in force.
    let mut came_as_far = true;
    for row in rows {
        let record = ruling(row)?;
        let RuledOn::Step { step, .. } = &record.subject else { continue };
        let place = (plan.session, execution);
        let inputs = match plan.node(step) {
            Some(node) => match run::recorded(policies.runtime, place, node).await {
                Ok(inputs) => Some(inputs),
                // It may be had the next time.
                Err(failure) if failure.category == FailureCategory::IoError => {
                    return Err(unavailable(failure.message));
                }
                Err(_) => None,
            },
            None => None,
        };
        let inputs = inputs.as_ref();
        let past = PastRuling { record: &record, plan, approvals: &[], grants: &[], inputs };
        let was = deps.keeper.replay(&past, versions.of(&record).await?);
        let Some(was) = was.ok().filter(|was| was.is_as(&record)) else {
            found.not_judged += 1;
            continue;
        };
        found.judged += 1;
        let would_be = deps.keeper.replay(&past, proposed).map_err(unavailable)?;
        let already = deps.keeper.replay(&past, in_force).map_err(unavailable)?.findings.denials();
        if was.findings.denials() != would_be.findings.denials() {
            let is_in_force = came_as_far && already == would_be.findings.denials();
            found.first = Some(ChangedStep { step: step.clone(), was, would_be, is_in_force });
            break;
        }
        came_as_far &= already == was.findings.denials();
    }
    Ok(found)
}
