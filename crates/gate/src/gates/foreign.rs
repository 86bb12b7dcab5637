//! What of a plan a value decides that did not come from the user's words.

use crate::{
    base::policy::Policy,
    facts::{NodeFacts, PlanFacts, Target},
    subject::CONDITION,
};
use wiiiv_domain::{ArgPlace, ForeignTargets};

/// A name, a segment or a query value decides the target, and a body is an output that leaves. A
/// content stays where the plan says; a condition decides only whether. Of written values, those
/// count that did not come from the user's words.
pub(crate) fn goes_where_a_value_says(node: &NodeFacts, tainted: bool) -> bool {
    let outside = match node.target {
        Target::Inside => false,
        Target::Path { .. } | Target::Place { .. } => true,
    };
    outside
        && (tainted
            || node.bound.iter().any(|b| !matches!(b.arg.as_str(), "content" | CONDITION))
            || node.foreign.iter().any(|place| *place != ArgPlace::Content))
}

/// Where its effect goes did not come from the user's words, and policy denies that. What it carries
/// may come from anywhere.
pub(crate) fn is_barred(plan: &PlanFacts, policy: &Policy) -> bool {
    let bound = |node: &NodeFacts| {
        let mut places = node.bound.iter().filter_map(|b| ArgPlace::of_arg(&b.arg));
        places.any(ArgPlace::is_target)
    };
    let foreign = |node: &NodeFacts| node.foreign.iter().any(|place| place.is_target());
    match policy.project_policy().approval.foreign_targets {
        ForeignTargets::Ask => false,
        ForeignTargets::Deny => plan.nodes.iter().any(|node| bound(node) || foreign(node)),
    }
}
