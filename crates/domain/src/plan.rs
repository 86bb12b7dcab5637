//! One plan format: a Blueprint's nodes, frozen and digested.

use crate::{
    budget::Amount,
    clock::Timestamp,
    dacs::DacsResult,
    digest::{BlueprintDigest, ContentDigest, DeliberationDigest, DigestError, SpecDigest},
    effect::Effect,
    executor::ExecutorId,
    http_method::HttpMethod,
    id::{BlueprintId, PolicyVersionId, ProjectId, SessionId, TaskId, UserId},
    provenance::ArgSources,
    scheme::Scheme,
    spec::Spec,
    step_id::StepId,
    step_type::StepType,
    system_name::SystemName,
    value::{Arg, Binding},
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Scheme, host and port are always literal; segments and query values may be bound, and are
/// percent-encoded when they are joined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UrlTemplate {
    /// The registered system at this address; code adds its credential.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<SystemName>,
    /// `http` or `https`.
    pub scheme: Scheme,
    /// Host name or address, lower case.
    pub host: String,
    /// `None` means the scheme's default port.
    pub port: Option<u16>,
    /// Path segments, decoded.
    pub segments: Vec<Arg>,
    /// Query pairs, decoded, in order.
    pub query: Vec<(String, Arg)>,
}

impl UrlTemplate {
    fn args(&self) -> Vec<(String, &Arg)> {
        let segments = self.segments.iter().enumerate();
        let query = self.query.iter().enumerate();
        segments
            .map(|(i, arg)| (format!("segment.{i}"), arg))
            .chain(query.map(|(i, (_, arg))| (format!("query.{i}"), arg)))
            .collect()
    }
    /// The path's literal segments; `None` for a bound one.
    #[must_use]
    pub fn written_segments(&self) -> Vec<Option<&str>> {
        let segments = self.segments.iter();
        let written = segments.map(|segment| match segment {
            Arg::Literal(text) => Some(text.as_str()),
            Arg::Bound(_) => None,
        });
        written.collect()
    }
}

/// Parameters of a step. The directory of a path is literal; the file name may be bound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "camelCase", tag = "step")]
#[serde(deny_unknown_fields)]
pub enum StepParams {
    /// Reads one file.
    FileRead {
        /// Directory below the workspace; empty for its root.
        directory: String,
        /// File name.
        name: Arg,
    },
    /// Writes one file, in place of what was there.
    FileWrite {
        /// Directory below the workspace; empty for its root.
        directory: String,
        /// File name.
        name: Arg,
        /// The new content, whole.
        content: Arg,
    },
    /// Removes one file.
    FileDelete {
        /// Directory below the workspace; empty for its root.
        directory: String,
        /// File name.
        name: Arg,
    },
    /// Sends one HTTP request.
    ApiCall {
        /// Its method.
        method: HttpMethod,
        /// Its address.
        url: UrlTemplate,
        /// Content type of the body; `None` where there is none.
        content_type: Option<String>,
        /// Its body; `None` for none.
        body: Option<Arg>,
    },
    /// Reads a page as JSON with its title and text. Always a GET.
    WebFetch {
        /// Address of the page.
        url: UrlTemplate,
    },
    /// Computes a value by jq; no I/O.
    Transform {
        /// The value of `.`.
        input: Arg,
        /// Further inputs: `.` is then the array of `input` and these, in their order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        beside: Vec<Arg>,
        /// The jq expression.
        expr: String,
    },
}

impl StepParams {
    /// The step type of these parameters.
    #[must_use]
    pub const fn step_type(&self) -> StepType {
        match self {
            Self::FileRead { .. } => StepType::FileRead,
            Self::FileWrite { .. } => StepType::FileWrite,
            Self::FileDelete { .. } => StepType::FileDelete,
            Self::ApiCall { .. } => StepType::ApiCall,
            Self::WebFetch { .. } => StepType::WebFetch,
            Self::Transform { .. } => StepType::Transform,
        }
    }
    /// Every argument, with the name under which its value is resolved.
    #[must_use]
    pub fn args(&self) -> Vec<(String, &Arg)> {
        match self {
            Self::FileRead { name, .. } | Self::FileDelete { name, .. } => {
                vec![("name".to_owned(), name)]
            }
            Self::FileWrite { name, content, .. } => {
                vec![("name".to_owned(), name), ("content".to_owned(), content)]
            }
            Self::ApiCall { url, body, .. } => {
                let mut args = url.args();
                args.extend(body.iter().map(|a| ("body".to_owned(), a)));
                args
            }
            Self::WebFetch { url } => url.args(),
            Self::Transform { input, beside, .. } => {
                let beside = beside.iter().enumerate();
                let beside = beside.map(|(i, a)| (format!("beside.{i}"), a));
                std::iter::once(("input".to_owned(), input)).chain(beside).collect()
            }
        }
    }
}

/// Kinds of HLX nodes that the engine runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// Reads the world.
    Observe,
    /// Computes without I/O.
    Transform,
    /// Changes the world.
    Act,
}

/// Bounds of retries; used only for an idempotent node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Retry {
    /// All attempts, the first included; 1 to 10.
    pub attempts_max: u32,
    /// Before the second attempt; doubled for each further one.
    pub backoff_ms: u64,
}

impl Default for Retry {
    fn default() -> Self {
        Self { attempts_max: 3, backoff_ms: 200 }
    }
}

/// One step of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Node {
    /// Its name, unique in the plan.
    pub id: StepId,
    /// What kind of node the engine treats it as.
    #[serde(rename = "type")]
    pub kind: NodeKind,
    /// What the step does, with its arguments.
    pub params: StepParams,
    /// Steps that come before this one.
    pub depends_on: Vec<StepId>,
    /// A JSON value of an earlier step: where it is `false` or `null`, the node and everything
    /// that depends on it are skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<Binding>,
    /// Bounds of its retries.
    pub retry: Retry,
    /// The greatest effect of the step.
    pub effect: Effect,
    /// Whether a repetition has no further effect.
    pub idempotent: bool,
}

/// What a path held when the plan was drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "digest")]
pub enum PreImage {
    /// No file was there.
    Absent,
    /// SHA-256 of the file's content.
    Present(ContentDigest),
}

/// The whole spec and the whole result of its review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SpecSnapshot {
    /// The spec that the plan was drawn from.
    pub spec: Spec,
    /// The result of its review.
    pub deliberation: DacsResult,
    /// The person who asked for it.
    pub requester: UserId,
    /// When the plan was drawn.
    pub at: Timestamp,
}

impl SpecSnapshot {
    /// Who else than the requester wrote values of it.
    #[must_use]
    pub fn editors(&self) -> BTreeSet<UserId> {
        let mut editors = self.spec.edits.people();
        editors.remove(&self.requester);
        editors
    }
}

/// An immutable plan. A change makes another plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Blueprint {
    /// [`Blueprint::VERSION`] of the build that wrote it; part of the digest.
    pub version: u32,
    /// Id of this plan; not part of the digest.
    pub id: BlueprintId,
    /// The project that it runs in.
    pub project: ProjectId,
    /// The session that it was drawn in.
    pub session: SessionId,
    /// The task that it serves.
    pub task: TaskId,
    /// The policy version that it was drawn under. The commit checks the version then in force.
    pub policy: PolicyVersionId,
    /// The spec and its review, whole.
    pub spec_snapshot: SpecSnapshot,
    /// The steps, in the order in which they are shown.
    pub nodes: Vec<Node>,
    /// Contract version of each executor that the steps need.
    pub contracts: BTreeMap<ExecutorId, u32>,
    /// By workspace-relative path.
    pub pre_images: BTreeMap<String, PreImage>,
    /// Revision of each registered system that a step names. A yes is for these revisions: under
    /// others the plan does not run.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub systems: BTreeMap<SystemName, u64>,
    /// What of each step did not come from the user's words. Bound values are not named here: a
    /// binding names its source itself.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub sources: BTreeMap<StepId, ArgSources>,
    /// Worst-case cost of its model steps; zero if it has none.
    pub estimate: Amount,
}

/// What a plan and its two parts are known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanDigests {
    /// Of the spec that it serves.
    pub spec: SpecDigest,
    /// Of the review of that spec.
    pub deliberation: DeliberationDigest,
    /// Of the plan itself.
    pub blueprint: BlueprintDigest,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Digested<'a> {
    format: u32,
    spec: String,
    deliberation: String,
    nodes: &'a [Node],
    contracts: &'a BTreeMap<ExecutorId, u32>,
    pre_images: &'a BTreeMap<String, PreImage>,
    // A plan from before this field keeps its digest.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    systems: &'a BTreeMap<SystemName, u64>,
    // Likewise.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    sources: &'a BTreeMap<StepId, ArgSources>,
}

impl Blueprint {
    /// Version of the document that this build writes.
    pub const VERSION: u32 = 1;

    /// SHA-256 over RFC 8785 JSON of format, spec digest, deliberation digest, nodes with their
    /// bindings as written, contract versions, pre-images, the revisions of its systems and the
    /// sources of its values. Id, times, author and policy version are not part of it (permits.md 1).
    pub fn digest(&self) -> Result<BlueprintDigest, DigestError> {
        Ok(self.digests()?.blueprint)
    }
    /// The same, with those that it is made of: each document is written out once.
    pub fn digests(&self) -> Result<PlanDigests, DigestError> {
        let spec = self.spec_snapshot.spec.digest()?;
        let deliberation = self.spec_snapshot.deliberation.digest()?;
        let blueprint = BlueprintDigest::of(&Digested {
            format: self.version,
            spec: spec.to_string(),
            deliberation: deliberation.to_string(),
            nodes: &self.nodes,
            contracts: &self.contracts,
            pre_images: &self.pre_images,
            systems: &self.systems,
            sources: &self.sources,
        })?;
        Ok(PlanDigests { spec, deliberation, blueprint })
    }
    /// The registered system of this node, and its revision when the plan was drawn; 0, which no
    /// registration has, if the plan has no revision.
    #[must_use]
    pub fn system_of(&self, node: &Node) -> Option<(SystemName, u64)> {
        let StepParams::ApiCall { url, .. } = &node.params else { return None };
        let name = url.system.clone()?;
        let revision = self.systems.get(&name).copied().unwrap_or_default();
        Some((name, revision))
    }
    /// The step of that name.
    #[must_use]
    pub fn node(&self, step: &StepId) -> Option<&Node> {
        self.nodes.iter().find(|n| &n.id == step)
    }
    /// The greatest effect of its steps.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.nodes.iter().map(|n| n.effect).max().unwrap_or(Effect::Read)
    }
}
