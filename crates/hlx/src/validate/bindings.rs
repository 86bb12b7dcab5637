//! Checks that a bound value comes from a dependency, by a checked expression, within a bound.
//!
//! The plan's types allow no binding for step type, method, scheme, host, port, directory and
//! expression.

use super::PlanError;
use crate::jq::check_expr;
use wiiiv_domain::{
    Arg, BOUND_BYTES_MAX, Binding, Node, PATH_COMPONENT_BYTES_MAX, Source, ValueKind,
};

/// How a condition is named in an error.
const WHEN: &str = "when";
/// A part of a URL that is bound, in bytes.
const URL_PART_BYTES_MAX: u64 = 2048;

pub(super) fn check(node: &Node, errors: &mut Vec<PlanError>) {
    for (argument, value) in node.params.args() {
        if let Arg::Bound(binding) = value {
            of_argument(node, &argument, binding, errors);
        }
    }
    if let Some(when) = &node.when {
        of_argument(node, WHEN, when, errors);
        if when.kind != ValueKind::Json {
            errors.push(PlanError::ConditionKind { step: node.id.clone() });
        }
    }
}

fn of_argument(node: &Node, argument: &str, binding: &Binding, errors: &mut Vec<PlanError>) {
    let step = || node.id.clone();
    if !(1..=bound_of(argument)).contains(&binding.max_bytes) {
        errors.push(PlanError::Bound {
            step: step(),
            argument: argument.to_owned(),
            bytes: binding.max_bytes,
        });
    }
    if let Source::Step { step: from } = &binding.from
        && !node.depends_on.contains(from)
    {
        errors.push(PlanError::NotADependency { step: step(), from: from.clone() });
    }
    if let Err(error) = check_expr(&binding.select) {
        errors.push(PlanError::Expr { step: step(), error });
    }
}

/// Arguments go by the names of `StepParams::args`.
fn bound_of(argument: &str) -> u64 {
    if argument == "name" {
        return PATH_COMPONENT_BYTES_MAX as u64;
    }
    let url_part = argument.starts_with("segment.") || argument.starts_with("query.");
    if url_part { URL_PART_BYTES_MAX } else { BOUND_BYTES_MAX }
}
