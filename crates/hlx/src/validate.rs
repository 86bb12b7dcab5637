//! Checks that nodes form a plan: named, ordered, bounded, with allowed bindings only.

mod bindings;
mod error;
mod graph;
pub(crate) mod limits;
mod params;

use crate::{
    jq::check_expr,
    validate::limits::{RETRY_ATTEMPTS_MAX, RETRY_BACKOFF_MS_MAX},
};
pub use error::PlanError;
use wiiiv_domain::{NODES_MAX, Node, StepParams};

/// Every fault at once, in plan order; each names its node and the fix.
pub fn validate(nodes: &[Node]) -> Result<(), Vec<PlanError>> {
    let mut errors = Vec::new();
    if nodes.is_empty() {
        errors.push(PlanError::Empty);
    }
    if nodes.len() > NODES_MAX {
        // The checks below compare nodes with nodes: only a bounded plan gets so far.
        return Err(vec![PlanError::TooManyNodes { found: nodes.len() }]);
    }
    graph::check(nodes, &mut errors);
    for node in nodes {
        of_node(node, &mut errors);
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn of_node(node: &Node, errors: &mut Vec<PlanError>) {
    let step = || node.id.clone();
    let fits = (1..=RETRY_ATTEMPTS_MAX).contains(&node.retry.attempts_max)
        && node.retry.backoff_ms <= RETRY_BACKOFF_MS_MAX;
    if !fits {
        errors.push(PlanError::Retry { step: step() });
    }
    let natures = params::natures(&node.params);
    let of_kind = natures.iter().find(|(kind, _)| node.kind == *kind);
    if of_kind.is_none() {
        errors.push(PlanError::Kind { step: step() });
    }
    if !natures.iter().any(|(_, effect)| node.effect == *effect)
        || of_kind.is_some_and(|(_, effect)| node.effect != *effect)
    {
        errors.push(PlanError::Effect { step: step() });
    }
    params::check(node, errors);
    bindings::check(node, errors);
    if let StepParams::Transform { expr, .. } = &node.params
        && let Err(error) = check_expr(expr)
    {
        errors.push(PlanError::Expr { step: step(), error });
    }
}
