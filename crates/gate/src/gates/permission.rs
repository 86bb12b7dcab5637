//! Checks executor metadata and the policy's lists. Every list must allow the subject.

use crate::{
    base::policy::Policy,
    facts::{BoundFacts, CallFacts, GateFacts, NodeFacts, PlanFacts, StepFacts, Target},
    findings::{Answer, PermissionFinding, Refusal},
    gates::fine_rules::{Situation, fine_refusal},
};
use wiiiv_domain::{BOUND_BYTES_MAX, Capability, DenyCode, Effect, StepId, Timestamp};

pub(crate) fn of_plan(
    facts: &GateFacts,
    plan: &PlanFacts,
    policy: &Policy,
    now: Timestamp,
) -> PermissionFinding {
    let mut refusals = stopped(facts);
    let asks = &policy.project_policy().require_verified_model;
    // The requirement holds for runs that begin; a resumed run may end.
    let begins = plan.resumes.is_none();
    if begins && facts.standing.unverified && asks.contains(&plan.task_type) {
        let task = plan.task_type.to_string();
        refusals.push(refusal(DenyCode::ModelUnverified, None, task));
    }
    let faults = plan.faults.iter();
    refusals.extend(faults.map(|f| refusal(DenyCode::EvidenceMismatch, None, format!("{f:?}"))));
    let risky = Some(plan.risk.risky);
    let situation = Situation { facts, requester: plan.requester, risky, now };
    for node in &plan.nodes {
        refusals.extend(of_node(node, policy, &situation));
    }
    finding(refusals)
}

pub(crate) fn of_step(
    facts: &GateFacts,
    step: &StepFacts,
    policy: &Policy,
    now: Timestamp,
) -> PermissionFinding {
    let mut refusals = stopped(facts);
    let situation = Situation { facts, requester: step.requester, risky: None, now };
    refusals.extend(of_node(&step.node, policy, &situation));
    finding(refusals)
}

/// Talk goes on in a session at its hard stop, because it executes nothing.
pub(crate) fn of_call(facts: &GateFacts, call: &CallFacts, policy: &Policy) -> PermissionFinding {
    let mut refusals = halted(facts);
    let rules = policy.project_policy();
    if !rules.names_model(call.slot, call.provider, &call.model) {
        let what = format!("{}:{}", call.provider, call.model);
        refusals.push(refusal(DenyCode::PolicyForbids, None, what));
    }
    finding(refusals)
}

fn finding(refusals: Vec<Refusal>) -> PermissionFinding {
    PermissionFinding { answer: Answer::of(refusals.first().map(|r| r.code)), refusals }
}

fn refusal(code: DenyCode, step: Option<&StepId>, what: String) -> Refusal {
    Refusal { code, step: step.cloned(), what, rule: None }
}

fn halted(facts: &GateFacts) -> Vec<Refusal> {
    let halted = facts.standing.halted;
    halted.then(|| refusal(DenyCode::Halted, None, facts.project.to_string())).into_iter().collect()
}

fn stopped(facts: &GateFacts) -> Vec<Refusal> {
    let mut refusals = halted(facts);
    if facts.risk_hold {
        let score = facts.standing.risk_score.to_string();
        refusals.push(refusal(DenyCode::SessionRiskHold, None, score));
    }
    refusals
}

/// In precedence order: type, executor, address or path, bindings. Fine rules are asked about what all of
/// these allow.
fn of_node(node: &NodeFacts, policy: &Policy, situation: &Situation<'_>) -> Vec<Refusal> {
    let mut found = Vec::new();
    if !policy.project_policy().allowed_step_types.contains(&node.step_type) {
        found.push((DenyCode::StepTypeNotAllowed, node.step_type.to_string()));
    }
    found.extend(of_executor(node));
    found.extend(of_target(node, policy));
    found.extend(
        node.bound
            .iter()
            .filter(|b| !is_bounded(b))
            .map(|b| (DenyCode::BindingNotAllowed, b.arg.clone())),
    );
    if found.is_empty() {
        return fine_refusal(node, policy, situation).into_iter().collect();
    }
    found.into_iter().map(|(code, what)| refusal(code, Some(&node.step), what)).collect()
}

fn of_executor(node: &NodeFacts) -> Vec<(DenyCode, String)> {
    let Some(executor) = &node.executor else {
        return vec![(DenyCode::StepTypeNotAllowed, node.step_type.to_string())];
    };
    let mut found = Vec::new();
    if node.contract != Some(executor.contract) {
        let what = format!("{} contract {}", executor.id, executor.contract);
        found.push((DenyCode::EvidenceMismatch, what));
    }
    if node.effect < node.acts {
        found.push((DenyCode::EvidenceMismatch, format!("effect of {}", node.step)));
    }
    let able = |need: Capability| executor.capabilities.contains(&need);
    if !able(node.needs) || !covers_effect(node.effect, able) {
        found.push((DenyCode::PolicyForbids, executor.id.to_string()));
    }
    found
}

/// An API call writes by SEND.
fn covers_effect(effect: Effect, able: impl Fn(Capability) -> bool) -> bool {
    match effect {
        Effect::Read => true,
        Effect::Write => able(Capability::Write) || able(Capability::Send),
        Effect::Delete => able(Capability::Delete),
        Effect::Execute => able(Capability::Execute),
    }
}

fn of_target(node: &NodeFacts, policy: &Policy) -> Option<(DenyCode, String)> {
    match &node.target {
        Target::Inside => None,
        Target::Path { directory, name } => {
            let path = match name {
                None => directory.clone(),
                Some(name) => join(directory, name),
            };
            policy.path_refusal(&path).map(|code| (code, path))
        }
        Target::Place { scheme, host, port, .. } => {
            let what = || match port {
                None => host.clone(),
                Some(port) => format!("{host}:{port}"),
            };
            (!policy.covers(*scheme, host, *port)).then(|| (DenyCode::HostNotAllowed, what()))
        }
    }
}

/// Workspace-relative.
pub(crate) fn join(directory: &str, name: &str) -> String {
    match directory.trim_matches('/') {
        "" => name.to_owned(),
        directory => format!("{directory}/{name}"),
    }
}

fn is_bounded(bound: &BoundFacts) -> bool {
    (1..=BOUND_BYTES_MAX).contains(&bound.max_bytes)
        && bound.bytes.is_none_or(|bytes| bytes <= bound.max_bytes)
        && !bound.is_syntax
}
