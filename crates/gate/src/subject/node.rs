//! One node of a plan, as facts.

use crate::{
    base::{base_book::BaseBook, policy::Policy},
    facts::{BoundFacts, ExecutorFacts, NodeFacts, Target},
    path,
    subject::Resolved,
    url_text::encode,
};
use std::collections::BTreeSet;
use wiiiv_domain::{
    Arg, Capability, Effect, ExecutorId, ExecutorMeta, HttpMethod, Node, StepParams, UrlTemplate,
};

/// The name of a node's condition among its bound values; it decides whether, never where or what.
pub(crate) const CONDITION: &str = "when";

/// `resolved` is `None` while the plan is judged as written. `contract`: the version of the plan.
pub(crate) fn node_facts(
    book: &BaseBook,
    policy: &Policy,
    node: &Node,
    contract: impl Fn(&ExecutorId) -> Option<u32>,
    resolved: Option<&Resolved>,
) -> NodeFacts {
    let executor = book.executor_for(node.params.step_type());
    let (acts, needs) = acts_as(&node.params, policy);
    NodeFacts {
        step: node.id.clone(),
        step_type: node.params.step_type(),
        effect: node.effect,
        acts,
        needs,
        contract: executor.and_then(|e| contract(&e.id)),
        executor: executor.map(declared),
        target: target(&node.params, resolved),
        bound: bound(node, resolved),
        foreign: BTreeSet::new(),
    }
}

fn declared(meta: &ExecutorMeta) -> ExecutorFacts {
    ExecutorFacts {
        id: meta.id.clone(),
        contract: meta.contract_version,
        capabilities: meta.capabilities.clone(),
    }
}

/// The least effect of such parameters, and the capability that an executor needs for them. Only
/// policy can say that an operation reads although its method writes.
fn acts_as(params: &StepParams, policy: &Policy) -> (Effect, Capability) {
    match params {
        StepParams::FileRead { .. }
        | StepParams::WebFetch { .. }
        | StepParams::Transform { .. } => (Effect::Read, Capability::Read),
        StepParams::FileWrite { .. } => (Effect::Write, Capability::Write),
        StepParams::FileDelete { .. } => (Effect::Delete, Capability::Delete),
        StepParams::ApiCall { method, url, .. } => match method {
            HttpMethod::Get | HttpMethod::Head => (Effect::Read, Capability::Read),
            HttpMethod::Post | HttpMethod::Put | HttpMethod::Patch
                if policy.labels_read(*method, url) =>
            {
                (Effect::Read, Capability::Send)
            }
            HttpMethod::Post | HttpMethod::Put | HttpMethod::Patch => {
                (Effect::Write, Capability::Send)
            }
            HttpMethod::Delete => (Effect::Write, Capability::Delete),
        },
    }
}

fn target(params: &StepParams, resolved: Option<&Resolved>) -> Target {
    match params {
        StepParams::FileRead { directory, name }
        | StepParams::FileWrite { directory, name, .. }
        | StepParams::FileDelete { directory, name } => Target::Path {
            directory: directory.clone(),
            name: match (name, resolved) {
                (Arg::Literal(name), _) => Some(name.clone()),
                (Arg::Bound(_), None) => None,
                (Arg::Bound(_), Some(values)) => values.get("name").map(str::to_owned),
            },
        },
        StepParams::ApiCall { method, url, .. } => Target::Place {
            method: *method,
            scheme: url.scheme,
            host: url.host.clone(),
            port: url.port,
            path: url_path(url, resolved),
        },
        StepParams::WebFetch { url } => Target::Place {
            method: HttpMethod::Get,
            scheme: url.scheme,
            host: url.host.clone(),
            port: url.port,
            path: url_path(url, resolved),
        },
        StepParams::Transform { .. } => Target::Inside,
    }
}

/// As it is sent; `None` while a segment is bound and has no value yet.
fn url_path(url: &UrlTemplate, resolved: Option<&Resolved>) -> Option<String> {
    let mut path = String::from("/");
    for (index, segment) in url.segments.iter().enumerate() {
        let value = match (segment, resolved) {
            (Arg::Literal(text), _) => text.as_str(),
            (Arg::Bound(_), None) => return None,
            (Arg::Bound(_), Some(values)) => values.get(&format!("segment.{index}"))?,
        };
        if index > 0 {
            path.push('/');
        }
        encode(value, &mut path);
    }
    Some(path)
}

fn bound(node: &Node, resolved: Option<&Resolved>) -> Vec<BoundFacts> {
    let args = node.params.args();
    let bound = args.iter().filter_map(|(name, arg)| Some((name.as_str(), arg.binding()?)));
    let condition = node.when.iter().map(|binding| (CONDITION, binding));
    bound
        .chain(condition)
        .map(|(arg, binding)| {
            let value = resolved.and_then(|values| values.get(arg));
            BoundFacts {
                arg: arg.to_owned(),
                max_bytes: binding.max_bytes,
                bytes: value.map(|v| u64::try_from(v.len()).unwrap_or(u64::MAX)),
                is_syntax: value.is_some_and(|v| is_syntax(arg, v)),
            }
        })
        .collect()
}

/// Whether the value is syntax there: a file name must be one component. Segments are
/// percent-encoded, yet URL parsers still treat `.` and `..` as steps.
fn is_syntax(arg: &str, value: &str) -> bool {
    if arg == "name" {
        return !path::is_name(value) || value.contains("..");
    }
    arg.starts_with("segment.") && matches!(value, "." | "..")
}
