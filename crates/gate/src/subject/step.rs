//! One attempt of one node on resolved inputs; executors receive it.

use super::{
    node::node_facts,
    sealed::{Given, Key, Sealed},
};
use crate::{
    base::{base_book::BaseBook, policy::Policy},
    context::Mismatch,
    facts::{StepFacts, SubjectFacts},
    findings::Findings,
    gates::permission::join,
    permit::{
        cleared::{Cleared, StepTrail},
        start::Start,
    },
    subject::resolved::Resolved,
    url_text::encode,
};
use serde::Serialize;
use std::{collections::BTreeMap, fmt};
use wiiiv_domain::{
    Blueprint, BlueprintId, ContentDigest, DigestError, ExecutionId, HostRule, Node, PreImage,
    ProjectId, Salt, SessionId, StepId, StepParams, SystemName, TaskType, UrlTemplate,
};

/// The parameters have no value of that kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StepShape {
    /// No file path.
    #[error("this step has no path")]
    NoPath,
    /// No address.
    #[error("this step has no URL")]
    NoUrl,
}

pub(crate) struct StepParts {
    pub execution: ExecutionId,
    pub blueprint: BlueprintId,
    pub project: ProjectId,
    pub session: SessionId,
    pub node: Node,
    pub attempt: u32,
    pub resolved: Resolved,
    pub egress: Vec<HostRule>,
    pub system: Option<(SystemName, u64)>,
    pub pre_image: Option<PreImage>,
}

/// INVARIANT: made by [`crate::RunPermit::rule_step`] alone, with every argument resolved.
pub struct Step(StepParts);

impl Step {
    pub(crate) const fn new(parts: StepParts) -> Self {
        Self(parts)
    }
    /// The run.
    #[must_use]
    pub const fn execution(&self) -> ExecutionId {
        self.0.execution
    }
    /// The plan that runs.
    #[must_use]
    pub const fn blueprint(&self) -> BlueprintId {
        self.0.blueprint
    }
    /// The plan's project.
    #[must_use]
    pub const fn project(&self) -> ProjectId {
        self.0.project
    }
    /// The plan's session.
    #[must_use]
    pub const fn session(&self) -> SessionId {
        self.0.session
    }
    /// The node of the plan.
    #[must_use]
    pub const fn node(&self) -> &Node {
        &self.0.node
    }
    /// The step's name in its plan.
    #[must_use]
    pub const fn id(&self) -> &StepId {
        &self.0.node.id
    }
    /// Number of the attempt, from 1.
    #[must_use]
    pub const fn attempt(&self) -> u32 {
        self.0.attempt
    }
    /// The argument's text, literal or bound.
    #[must_use]
    pub fn value(&self, arg: &str) -> Option<&str> {
        self.0.resolved.get(arg)
    }
    /// All arguments with their texts.
    #[must_use]
    pub const fn resolved(&self) -> &Resolved {
        &self.0.resolved
    }
    /// The egress list that it was judged by; empty for a step without network.
    #[must_use]
    pub fn egress(&self) -> &[HostRule] {
        &self.0.egress
    }
    /// The registered system that it calls, with the revision that the plan was drawn by; `None`
    /// for no system.
    #[must_use]
    pub fn system_revision(&self) -> Option<u64> {
        self.0.system.as_ref().map(|(_, revision)| *revision)
    }
    /// The path's content when the plan was drawn; `None` if the plan does not say.
    #[must_use]
    pub const fn pre_image(&self) -> Option<PreImage> {
        self.0.pre_image
    }
    /// The same for every attempt.
    #[must_use]
    pub fn idempotency_key(&self) -> String {
        format!("{}:{}", self.0.execution, self.0.node.id)
    }
    /// The workspace-relative path.
    pub fn path(&self) -> Result<String, StepShape> {
        let directory = match &self.0.node.params {
            StepParams::FileRead { directory, .. }
            | StepParams::FileWrite { directory, .. }
            | StepParams::FileDelete { directory, .. } => directory,
            StepParams::ApiCall { .. }
            | StepParams::WebFetch { .. }
            | StepParams::Transform { .. } => {
                return Err(StepShape::NoPath);
            }
        };
        self.value("name").map(|name| join(directory, name)).ok_or(StepShape::NoPath)
    }
    /// Segments and query values as one value each, percent-encoded.
    pub fn url(&self) -> Result<String, StepShape> {
        match &self.0.node.params {
            StepParams::ApiCall { url, .. } | StepParams::WebFetch { url } => self.joined(url),
            StepParams::FileRead { .. }
            | StepParams::FileWrite { .. }
            | StepParams::FileDelete { .. }
            | StepParams::Transform { .. } => Err(StepShape::NoUrl),
        }
    }
    fn joined(&self, url: &UrlTemplate) -> Result<String, StepShape> {
        let mut text = format!("{}://{}", url.scheme.as_str(), bracketed(&url.host));
        if let Some(port) = url.port {
            text.push_str(&format!(":{port}"));
        }
        text.push('/');
        for index in 0..url.segments.len() {
            let value = self.value(&format!("segment.{index}")).ok_or(StepShape::NoUrl)?;
            let separator = if index == 0 { "" } else { "/" };
            text.push_str(separator);
            encode(value, &mut text);
        }
        for (index, (key, _)) in url.query.iter().enumerate() {
            let value = self.value(&format!("query.{index}")).ok_or(StepShape::NoUrl)?;
            text.push(if index == 0 { '?' } else { '&' });
            encode(key, &mut text);
            text.push('=');
            encode(value, &mut text);
        }
        Ok(text)
    }
}

fn bracketed(host: &str) -> String {
    if host.contains(':') && !host.starts_with('[') { format!("[{host}]") } else { host.to_owned() }
}

/// Hides all parameters: literals are texts of people too.
impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Step")
            .field("execution", &self.0.execution)
            .field("step", &self.0.node.id)
            .field("type", &self.0.node.params.step_type())
            .field("attempt", &self.0.attempt)
            .field("resolved", &self.0.resolved)
            .finish_non_exhaustive()
    }
}

#[derive(Serialize)]
struct SaltedValue<'a> {
    salt: Salt,
    arg: &'a str,
    value: &'a str,
}

/// Facts of one attempt on resolved values; replays use them too.
pub(crate) fn step_facts(
    (book, policy): (&BaseBook, &Policy),
    (plan, node): (&Blueprint, &Node),
    (execution, attempt): (ExecutionId, u32),
    resolved: &Resolved,
) -> Result<StepFacts, DigestError> {
    let contract = |id: &_| plan.contracts.get(id).copied();
    let salt = plan.spec_snapshot.spec.salt;
    let digest = |(arg, value): (&str, &str)| -> Result<(String, ContentDigest), DigestError> {
        Ok((arg.to_owned(), ContentDigest::of(&SaltedValue { salt, arg, value })?))
    };
    Ok(StepFacts {
        execution,
        blueprint: plan.id,
        requester: plan.spec_snapshot.requester,
        attempt,
        node: node_facts(book, policy, node, contract, Some(resolved)),
        values: resolved.iter().map(digest).collect::<Result<_, _>>()?,
    })
}

impl Sealed for Step {
    fn project(&self) -> ProjectId {
        self.0.project
    }
    fn session(&self) -> SessionId {
        self.0.session
    }
    fn task_type(&self) -> Option<TaskType> {
        None
    }
    /// A step is ruled on by its run's permit, and never gathered for.
    fn facts(&self, _: Key, _: &Given<'_>) -> Result<(SubjectFacts, Start), Mismatch> {
        Err(Mismatch::Purpose)
    }
    fn systems(&self, _: Key, _: &Start) -> BTreeMap<SystemName, u64> {
        self.0.system.iter().cloned().collect()
    }
    fn clear(_: Key, findings: &Findings, _: &Start) -> Option<StepTrail> {
        Some(StepTrail { permission: Cleared::by(findings)? })
    }
}
