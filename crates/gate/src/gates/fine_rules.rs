//! Asks a policy's fine rules about one step that its lists allow.

use crate::{
    base::policy::Policy,
    facts::{GateFacts, NodeFacts, Target},
    findings::Refusal,
    fine::{Forbidden, Reach, StepRequest},
    path,
};
use wiiiv_domain::{DenyCode, Timestamp, UserId};

/// What holds for every step of the subject.
pub(crate) struct Situation<'a> {
    pub facts: &'a GateFacts,
    pub requester: UserId,
    /// `None` where a step of the plan is run.
    pub risky: Option<bool>,
    pub now: Timestamp,
}

/// At once where the policy has no fine rule.
pub(crate) fn fine_refusal(
    node: &NodeFacts,
    policy: &Policy,
    situation: &Situation<'_>,
) -> Option<Refusal> {
    let rules = policy.fine_rules()?;
    let ask = |reach: Reach<'_>| {
        let forbidden = rules.forbids(&StepRequest {
            requester: situation.requester,
            step_type: node.step_type,
            effect: node.effect.max(node.acts),
            reach,
            tainted: situation.facts.standing.tainted,
            risk_score: situation.facts.standing.risk_score,
            risky: situation.risky,
            at: situation.now,
        });
        forbidden.map(|by| refusal(node, by))
    };
    match &node.target {
        Target::Inside => ask(Reach::Inside),
        Target::Path { directory, name } => match (path::components(directory), name.as_deref()) {
            (None, _) => Some(refusal(node, Forbidden::Unpermitted)),
            (Some(folder), None) => ask(Reach::File { folder: &folder, name: None }),
            (Some(mut folder), Some(name)) => {
                // A name that is written out may hold folders.
                let Some(mut parts) = path::components(name) else {
                    return Some(refusal(node, Forbidden::Unpermitted));
                };
                let Some(name) = parts.pop() else {
                    return Some(refusal(node, Forbidden::Unpermitted));
                };
                folder.append(&mut parts);
                ask(Reach::File { folder: &folder, name: Some(name) })
            }
        },
        Target::Place { method, scheme, host, port, path } => {
            let host = host.trim_end_matches('.').to_lowercase();
            let path = path.as_deref();
            ask(Reach::Place { method: *method, scheme: *scheme, host: &host, port: *port, path })
        }
    }
}

fn refusal(node: &NodeFacts, by: Forbidden<'_>) -> Refusal {
    let rule = match by {
        Forbidden::By(rule) => Some(rule.name().clone()),
        Forbidden::Unpermitted => None,
    };
    let what = rule.as_ref().map_or_else(|| node.step_type.to_string(), ToString::to_string);
    Refusal { code: DenyCode::PolicyForbids, step: Some(node.step.clone()), what, rule }
}
