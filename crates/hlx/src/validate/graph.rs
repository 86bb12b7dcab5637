//! Checks that ids are unique, dependencies exist, and nothing depends on itself.

use super::PlanError;
use std::collections::BTreeSet;
use wiiiv_domain::{Node, StepId};

pub(super) fn check(nodes: &[Node], errors: &mut Vec<PlanError>) {
    let mut ids: BTreeSet<&StepId> = BTreeSet::new();
    for node in nodes {
        if !ids.insert(&node.id) {
            errors.push(PlanError::DuplicateId { step: node.id.clone() });
        }
    }
    for node in nodes {
        for on in node.depends_on.iter().filter(|on| !ids.contains(on)) {
            errors.push(PlanError::UnknownDependency { step: node.id.clone(), on: on.clone() });
        }
    }
    let circle = circular(nodes, &ids);
    errors.extend(circle.map(|step| PlanError::Cycle { step: step.clone() }));
}

/// The first node that can never become ready.
fn circular<'a>(nodes: &'a [Node], known: &BTreeSet<&StepId>) -> Option<&'a StepId> {
    let mut done: BTreeSet<&StepId> = BTreeSet::new();
    // Each round places at least one node, or none can be placed any more.
    for _ in nodes {
        for node in nodes {
            let ready = |on: &StepId| done.contains(on) || !known.contains(on);
            if node.depends_on.iter().all(ready) {
                done.insert(&node.id);
            }
        }
    }
    nodes.iter().map(|node| &node.id).find(|id| !done.contains(id))
}
