//! `when`: steps that run only if a condition holds.

use super::{input::Input, reason};
use wiiiv_domain::{Node, NotDrawn, SlotName, Spec};

/// Nothing would happen but reading: a condition would say nothing.
pub(super) fn none(spec: &Spec) -> Result<(), NotDrawn> {
    match spec.slots.get(SlotName::WHEN) {
        Some(_) => Err(reason::slot(SlotName::WHEN, "CONDITION_WITHOUT_ACTION")),
        None => Ok(()),
    }
}

/// The node happens only where the expression holds of the output, if there is such a condition.
pub(super) fn guard(mut node: Node, condition: Option<(&Input, &str)>) -> Node {
    let Some((of, expr)) = condition else { return node };
    if let Some(step) = of.step().filter(|step| !node.depends_on.contains(step)) {
        node.depends_on.push(step.clone());
    }
    node.when = Some(of.condition(expr));
    node
}
