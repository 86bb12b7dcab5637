//! What of a plan a grant names: the same target, or the same steps, byte for byte.

use crate::{
    context::Mismatch,
    evidence::GrantGiven,
    facts::{GrantCover, GrantFacts},
    log::recorded::Recorded,
};
use std::collections::BTreeSet;
use wiiiv_domain::{Blueprint, ExactTarget, GrantScope, StepId, StepType};

/// Of those that name something of it, each with how often it still counts; the first to end first. Refuses
/// one of another person or project. A plan that was risky when it was reviewed has none.
pub(crate) fn grant_facts<'a>(
    plan: &Blueprint,
    grants: impl Iterator<Item = (&'a Recorded<GrantGiven>, u32)>,
) -> Result<Vec<GrantFacts>, Mismatch> {
    let requester = plan.spec_snapshot.requester;
    let mut targets = None;
    let mut found = Vec::new();
    for (recorded, left) in grants {
        let given = recorded.body();
        if (given.project(), given.holder()) != (plan.project, requester) {
            return Err(Mismatch::OtherSubject);
        }
        let covers = match given.scope() {
            GrantScope::Target { step_type, target } => {
                let targets = targets.get_or_insert_with(|| Targets::of(plan));
                targets.going_to((*step_type, target))
            }
            GrantScope::Workflow { content, .. } => {
                let own = plan.workflow_digest().map_err(|_| Mismatch::Undigestible)?;
                (own == *content).then_some(GrantCover::Whole)
            }
        };
        let Some(covers) = covers.filter(|_| !plan.spec_snapshot.deliberation.risky) else {
            continue;
        };
        found.push(GrantFacts {
            id: given.id(),
            granter: given.granter(),
            rights: given.rights(),
            covers,
            left,
            not_before: given.not_before(),
            expires_at: given.expires_at(),
            recorded_at: recorded.at(),
        });
    }
    found.sort_by_key(|grant| (grant.expires_at, grant.id));
    Ok(found)
}

/// Of each step that has an exact one.
struct Targets(Vec<(StepId, StepType, ExactTarget)>);

impl Targets {
    fn of(plan: &Blueprint) -> Self {
        let nodes = plan.nodes.iter();
        let of = nodes.filter_map(|node| {
            Some((node.id.clone(), node.params.step_type(), plan.exact_target(node)?))
        });
        Self(of.collect())
    }

    fn going_to(&self, (step_type, target): (StepType, &ExactTarget)) -> Option<GrantCover> {
        let there = self.0.iter().filter(|(_, kind, own)| *kind == step_type && own == target);
        let steps: BTreeSet<StepId> = there.map(|(step, ..)| step.clone()).collect();
        (!steps.is_empty()).then_some(GrantCover::Steps(steps))
    }
}
