//! `when`: steps that run only if a condition holds.

use super::{input::Input, reason};
use crate::jq::check_expr;
use wiiiv_domain::{Node, NotDrawn, SlotName, Spec};

/// The expression of the `when` slot, checked.
pub(super) fn wanted(spec: &Spec) -> Result<Option<String>, NotDrawn> {
    let Some(expr) = spec.slots.get(SlotName::WHEN) else { return Ok(None) };
    check_expr(expr).map_err(|error| reason::slot(SlotName::WHEN, error.code()))?;
    Ok(Some(expr.to_owned()))
}

/// Nothing would happen but reading: a condition would say nothing.
pub(super) fn none(spec: &Spec) -> Result<(), NotDrawn> {
    match spec.slots.get(SlotName::WHEN) {
        Some(_) => Err(reason::slot(SlotName::WHEN, "CONDITION_WITHOUT_ACTION")),
        None => Ok(()),
    }
}

/// The node happens only where `expr` holds of `of`.
pub(super) fn guard(mut node: Node, of: &Input, expr: Option<&str>) -> Node {
    let Some(expr) = expr else { return node };
    if let Some(step) = of.step().filter(|step| !node.depends_on.contains(step)) {
        node.depends_on.push(step.clone());
    }
    node.when = Some(of.condition(expr));
    node
}
