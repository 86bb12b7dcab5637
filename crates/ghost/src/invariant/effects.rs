//! Invariant: every call and every changed file belongs to an execution that was approved, or that
//! needs no approval by its policy.

use super::evidence::{Evidence, Run};
use crate::{
    merge::same,
    scenario::ServiceName,
    verdict::{Call, Violated, text_of},
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use wiiiv_domain::{
    ApprovalBy, ApprovalRule, Arg, Confirmation, Effect, HttpMethod, Node, StepParams,
};

pub(super) const UNAPPROVED_EFFECT: &str = "unapproved_effect";
pub(super) const CONFIRMATION_MISSING: &str = "confirmation_missing";
/// A second name of the host of all parties.
const LOCALHOST: &str = "localhost";

/// An effect that no execution accounts for.
pub(super) fn unapproved(evidence: &Evidence) -> Option<Violated> {
    let violated =
        |seen: Value| Violated::new(UNAPPROVED_EFFECT, "an execution that accounts for it", seen);
    // A call may be made once for every attempt of its step.
    let mut allowance: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for (at, run) in evidence.runs.iter().enumerate() {
        for node in &run.blueprint.nodes {
            let step = node.id.as_str();
            let tried =
                |attempt: &&Value| attempt.get("step").and_then(Value::as_str) == Some(step);
            allowance.insert((at, step), run.attempts.iter().filter(tried).count());
        }
    }
    for (service, calls) in &evidence.calls {
        let counted = calls.iter().filter(|call| !call.logs_in && !call.is_turned_away());
        for call in counted {
            let source = sources(evidence, *service, call)
                .find(|source| allowance.get(source).is_some_and(|left| *left > 0));
            let Some(left) = source.and_then(|source| allowance.get_mut(&source)) else {
                return Some(violated(json!({ "service": service, "call": call.to_json() })));
            };
            *left -= 1;
        }
    }
    let by_none = |(path, content): &(&String, &Option<Vec<u8>>)| {
        !evidence.runs.iter().any(|run| run.leaves(path, content.as_deref()))
    };
    let stray = evidence.changed.iter().find(by_none);
    stray.map(|(path, _)| violated(json!({ "changed_file": path })))
}

fn sources<'a>(
    evidence: &'a Evidence,
    service: ServiceName,
    call: &'a Call,
) -> impl Iterator<Item = (usize, &'a str)> {
    let host = evidence.hosts.get(&service);
    let runs = evidence.runs.iter().enumerate();
    runs.flat_map(move |(at, run)| {
        let made = run.blueprint.nodes.iter().filter(move |node| makes(node, host, call));
        made.map(move |node| (at, node.id.as_str()))
    })
}

fn makes(node: &Node, host: Option<&(String, u16)>, call: &Call) -> bool {
    let (method, url) = match &node.params {
        StepParams::ApiCall { method, url, .. } => (*method, url),
        StepParams::WebFetch { url } => (HttpMethod::Get, url),
        StepParams::FileRead { .. }
        | StepParams::FileWrite { .. }
        | StepParams::FileDelete { .. }
        | StepParams::Transform { .. } => return false,
    };
    let segments: Vec<&str> = call.path.split('/').filter(|part| !part.is_empty()).collect();
    let own: Vec<Option<&str>> =
        url.written_segments().into_iter().filter(|part| *part != Some("")).collect();
    let port = url.port.unwrap_or(url.scheme.default_port());
    host.is_some_and(|(host, at)| (*host == url.host || url.host == LOCALHOST) && *at == port)
        && method.as_str() == call.method
        && own.len() == segments.len()
        && own.iter().zip(&segments).all(|(own, seen)| own.is_none_or(|own| own == *seen))
        && has_query(&url.query, &call.query)
        && has_body(node, &call.body)
}

/// A service logs only the last value of a repeated name.
fn has_query(own: &[(String, Arg)], seen: &BTreeMap<String, String>) -> bool {
    let own: BTreeMap<&str, &Arg> = own.iter().map(|(name, arg)| (name.as_str(), arg)).collect();
    own.len() == seen.len()
        && own
            .iter()
            .all(|(name, arg)| seen.get(*name).is_some_and(|seen| can_be(arg, |own| own == seen)))
}

/// A value from an earlier step was checked at that step, and can be anything here.
fn can_be(arg: &Arg, fits: impl FnOnce(&str) -> bool) -> bool {
    match arg {
        Arg::Literal(text) => fits(text),
        Arg::Bound(_) => true,
    }
}

fn has_body(node: &Node, seen: &Value) -> bool {
    let StepParams::ApiCall { body: Some(body), .. } = &node.params else { return seen.is_null() };
    can_be(body, |text| {
        let sent = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
        same(&sent, seen)
    })
}

impl Run {
    /// Whether one of its started steps can leave the file with this content; `None`: removed.
    fn leaves(&self, path: &str, content_now: Option<&[u8]>) -> bool {
        let is_started = |node: &&Node| {
            let of_node = |attempt: &Value| text_of(attempt, "step") == node.id.as_str();
            self.attempts.iter().any(of_node)
        };
        self.blueprint.nodes.iter().filter(is_started).any(|node| match &node.params {
            StepParams::FileWrite { directory, name, content } => {
                let is_now = |now| can_be(content, |text| text.as_bytes() == now);
                content_now.is_some_and(is_now) && lies_at(directory, name, path)
            }
            StepParams::FileDelete { directory, name } => {
                content_now.is_none() && lies_at(directory, name, path)
            }
            StepParams::FileRead { .. }
            | StepParams::ApiCall { .. }
            | StepParams::WebFetch { .. }
            | StepParams::Transform { .. } => false,
        })
    }

    /// Whose approval the policy requires. Risky and edited plans always need one.
    fn required_approval(&self) -> Option<ApprovalRule> {
        let reads = self.blueprint.nodes.iter().all(|node| node.effect == Effect::Read);
        let risky = self.blueprint.spec_snapshot.deliberation.risky;
        let is_confirmed =
            match self.policy.confirmation_of(self.blueprint.spec_snapshot.spec.task_type) {
                Confirmation::Always => true,
                Confirmation::UnlessRead => !reads,
                Confirmation::Risky | Confirmation::Never => false,
            };
        // A risky plan needs no less than a plain one.
        (is_confirmed || risky || self.is_edited()).then_some(self.policy.approval.rule(risky))
    }

    fn is_edited(&self) -> bool {
        !self.blueprint.spec_snapshot.editors().is_empty()
    }

    /// It has no approval, only the requester's own although another person's is required, those of
    /// fewer people than are required, or another's although the requester is to confirm what was edited.
    fn is_unconfirmed(&self) -> bool {
        let requester = self.blueprint.spec_snapshot.requester.to_string();
        let Some(rule) = self.required_approval() else { return false };
        match (rule.by, &self.approved) {
            (ApprovalBy::Requester, Some(who)) => self.is_edited() && *who != requester,
            (ApprovalBy::AnotherPerson, Some(who)) => {
                *who == requester || self.others < usize::from(rule.approvers)
            }
            (ApprovalBy::Requester | ApprovalBy::AnotherPerson, None) => true,
        }
    }
}

/// The directory is literal. A name from an earlier step can be any name in it.
fn lies_at(directory: &str, name: &Arg, path: &str) -> bool {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    folder == directory.trim_matches('/') && can_be(name, |name| name == file)
}

/// A run without the confirmation that its policy requires.
pub(super) fn unconfirmed(evidence: &Evidence) -> Option<Violated> {
    let run = evidence.runs.iter().find(|run| run.is_unconfirmed())?;
    let task = run.blueprint.spec_snapshot.spec.task_type.to_string();
    let rule = run.required_approval();
    let (by, people) = (rule.map(|rule| rule.by), rule.map(|rule| rule.approvers));
    let expected = json!({ "task": task, "yes_of": by, "people": people, "for": "its digest" });
    let seen = json!({ "execution": run.id, "yes_of": run.approved, "others": run.others });
    Some(Violated::new(CONFIRMATION_MISSING, expected, seen))
}
