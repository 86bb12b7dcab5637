//! A project's policy: versioned, never edited in place. Default deny.

use crate::{
    clock::Timestamp,
    confirmation::Confirmation,
    http_method::HttpMethod,
    id::{PolicyVersionId, ProjectId, UserId},
    key::KeySource,
    money::{ModelPrice, PriceTable},
    scheme::Scheme,
    step_type::StepType,
    task::TaskType,
};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// Any one segment of a labelled operation's path.
const ANY_SEGMENT: &str = "{}";

/// One line of the egress list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HostRule {
    /// Exact name or address, or `*.name` for its subdomains; lower case.
    pub host: String,
    /// `None`: both.
    #[serde(default)]
    pub scheme: Option<Scheme>,
    /// `None`: the scheme's own.
    #[serde(default)]
    pub port: Option<u16>,
    /// Allows private, loopback and link-local addresses for this host.
    #[serde(default)]
    pub private: bool,
    /// Methods that this service promises to be idempotent, beside GET and HEAD.
    #[serde(default)]
    pub idempotent_methods: BTreeSet<HttpMethod>,
    /// Single operations of the same promise, such as `POST /carts/{}/items`, where the service as
    /// a whole makes none.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub idempotent_operations: BTreeSet<String>,
    /// Operations that an administrator labels READ although their method is not, such as
    /// `POST /products/search`; `{}` stands for any one segment.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub read_operations: BTreeSet<String>,
}

impl HostRule {
    /// Whether this rule speaks of that place.
    #[must_use]
    pub fn covers(&self, scheme: Scheme, host: &str, port: Option<u16>) -> bool {
        let host = host.trim_end_matches('.').to_lowercase();
        let named = match self.host.strip_prefix("*.") {
            Some(parent) => {
                host.strip_suffix(parent).is_some_and(|sub| sub.len() > 1 && sub.ends_with('.'))
            }
            None => self.host == host,
        };
        let port = port.unwrap_or(scheme.default_port());
        named
            && self.scheme.is_none_or(|s| s == scheme)
            && self.port.unwrap_or(scheme.default_port()) == port
    }

    /// Whether this rule labels the operation READ. `None` is a segment whose value is not written
    /// out: only `{}` speaks of it. A DELETE is never read, whatever a label says.
    #[must_use]
    pub fn labels_read(&self, method: HttpMethod, segments: &[Option<&str>]) -> bool {
        method != HttpMethod::Delete && names(&self.read_operations, method, segments)
    }
    /// Whether the service promises that doing this twice is doing it once.
    #[must_use]
    pub fn promises(&self, method: HttpMethod, segments: &[Option<&str>]) -> bool {
        self.idempotent_methods.contains(&method)
            || names(&self.idempotent_operations, method, segments)
    }
}

fn names(lines: &BTreeSet<String>, method: HttpMethod, segments: &[Option<&str>]) -> bool {
    // The slash at the end of a path is no segment of its own.
    let segments = match segments {
        [named @ .., Some("")] => named,
        all => all,
    };
    let is_this = |(labelled, pattern): (HttpMethod, Vec<&str>)| {
        let fits = |(pattern, segment): (&&str, &Option<&str>)| match (*pattern, segment) {
            (ANY_SEGMENT, None) => true,
            (ANY_SEGMENT, Some(text)) => !text.is_empty(),
            (literal, segment) => *segment == Some(literal),
        };
        labelled == method
            && pattern.len() == segments.len()
            && pattern.iter().zip(segments).all(fits)
    };
    lines.iter().filter_map(|line| operation_line(line)).any(is_this)
}

/// `POST /products/{}/search` taken apart; `None` where it is not written so.
#[must_use]
pub fn operation_line(line: &str) -> Option<(HttpMethod, Vec<&str>)> {
    let (method, path) = line.split_once(' ')?;
    let method = HttpMethod::parse(method).filter(|known| known.as_str() == method)?;
    let path = path.strip_prefix('/')?;
    let plain = |segment: &&str| {
        let odd = |c: char| c.is_whitespace() || matches!(c, '{' | '}');
        *segment == ANY_SEGMENT || (!segment.is_empty() && !segment.contains(odd))
    };
    let segments: Vec<&str> = if path.is_empty() { Vec::new() } else { path.split('/').collect() };
    segments.iter().all(plain).then_some((method, segments))
}

/// Who must approve a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalBy {
    /// The requester's own yes is the approval.
    Requester,
    /// Somebody else with the right to approve: dual control.
    AnotherPerson,
}

/// Who approves, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApprovalRule {
    /// Who must say yes.
    pub by: ApprovalBy,
    /// How long a question stays open, and its yes stays valid, in seconds.
    pub ttl_seconds: u32,
}

/// Which risk needs whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApprovalPolicy {
    /// For plans without a risk.
    pub normal: ApprovalRule,
    /// For risky plans.
    pub risky: ApprovalRule,
}

/// How far the review binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DacsStage {
    /// Shadow: recorded on every EXECUTE; only risky specs are blocked.
    Observe,
    /// Binds every EXECUTE.
    Enforce,
}

/// Which specs model personas are asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelPersonas {
    /// No spec; the rule personas vote alone.
    Never,
}

/// Tokens; `None`: no cap. Days and months are those of UTC.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TokenBudget {
    /// For all rounds of one task.
    pub per_run: Option<u64>,
    /// For the project in one day.
    pub per_day: Option<u64>,
    /// For the project in one month.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_month: Option<u64>,
    /// For one person in one day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_user_day: Option<u64>,
    /// For one person in one month.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_user_month: Option<u64>,
}

/// Micro-units of the project's currency; `None`: no cap.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CostLimit {
    /// For all rounds of one task.
    pub per_run_micros: Option<u64>,
    /// For the project in one day.
    pub per_day_micros: Option<u64>,
    /// For the project in one month.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_month_micros: Option<u64>,
    /// For one person in one day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_user_day_micros: Option<u64>,
    /// For one person in one month.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per_user_month_micros: Option<u64>,
}

/// A provider of models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ProviderName {
    /// Built in, deterministic.
    Offline,
    /// `api.openai.com`, unless a base URL is set.
    OpenAi,
    /// `api.anthropic.com`, unless a base URL is set.
    Anthropic,
    /// Google's Gemini API, unless a base URL is set.
    Google,
    /// On a machine of one's own, unless a base URL says otherwise.
    Ollama,
    /// OpenAI-compatible at a base URL.
    Custom,
}

impl ProviderName {
    /// All six, the built-in one first.
    pub const ALL: [Self; 6] =
        [Self::Offline, Self::OpenAi, Self::Anthropic, Self::Google, Self::Ollama, Self::Custom];

    /// The name in policies and price tables, e.g. `OPENAI`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Offline => "OFFLINE",
            Self::OpenAi => "OPENAI",
            Self::Anthropic => "ANTHROPIC",
            Self::Google => "GOOGLE",
            Self::Ollama => "OLLAMA",
            Self::Custom => "CUSTOM",
        }
    }
    /// It runs in this process and costs nothing: no budget counts it, and none stops it.
    #[must_use]
    pub const fn is_built_in(self) -> bool {
        matches!(self, Self::Offline)
    }
}
impl fmt::Display for ProviderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Another model than the policy's first: asked where the one before it cannot be reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModelFallback {
    /// Provider of the model.
    pub provider: ProviderName,
    /// Name of the model, as the provider calls it.
    pub model: String,
    /// Required for CUSTOM; in place of the provider's own for others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
}

/// A project's rules. Everything that no list names is denied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProjectPolicy {
    /// [`ProjectPolicy::VERSION`] of the build that wrote it.
    pub version: u32,
    /// Step types that plans may use.
    pub allowed_step_types: BTreeSet<StepType>,
    /// `server/tool`; none runs in this build, so the list only narrows.
    #[serde(default)]
    pub allowed_plugins: BTreeSet<String>,
    /// Hosts that steps may call.
    pub allowed_hosts: Vec<HostRule>,
    /// Workspace-relative directories or files; `` (empty) is the whole workspace.
    pub allowed_paths: Vec<String>,
    /// Names of databases; no step of this build uses one.
    #[serde(default)]
    pub allowed_databases: BTreeSet<String>,
    /// Overrides the table of task types.
    #[serde(default)]
    pub confirmation: BTreeMap<TaskType, Confirmation>,
    /// Who approves normal plans, and who risky ones.
    pub approval: ApprovalPolicy,
    /// Whether the review binds every execution.
    pub dacs_stage: DacsStage,
    /// Which specs model personas review.
    pub model_personas: ModelPersonas,
    /// Caps in tokens.
    pub token_budget: TokenBudget,
    /// Caps in money.
    #[serde(default)]
    pub cost_limit: CostLimit,
    /// Provider of the governor's model.
    pub llm_provider: ProviderName,
    /// Required for CUSTOM; its origin must be one that an administrator approved.
    #[serde(default)]
    pub llm_base_url: Option<String>,
    /// Model that makes proposals; for `None` see [`ProjectPolicy::model`].
    #[serde(default)]
    pub governor_model: Option<String>,
    /// `model`, or `PROVIDER:model` of another provider; `None`: the governor's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generator_model: Option<String>,
    /// Alike; `none`, as where a provider has none of its own: there are no embeddings. Left out, its
    /// provider's own is written into the version that is put in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedding_model: Option<String>,
    /// In the order in which they are asked, each once the one before it could not be reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub model_fallbacks: Vec<ModelFallback>,
    /// Where a key for the provider may be taken from. The server's own and its environment's are
    /// spent only where this names them.
    #[serde(default = "own_keys", skip_serializing_if = "is_own_keys")]
    pub key_sources: BTreeSet<KeySource>,
    /// Kinds of tasks that nothing is executed of where a model had a part in the conversation that
    /// GHOST has not verified.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub require_verified_model: BTreeSet<TaskType>,
    /// `PROVIDER:model` to price, over the server's own table.
    #[serde(default)]
    pub model_prices: BTreeMap<String, ModelPrice>,
}

/// A person's own and the project's.
fn own_keys() -> BTreeSet<KeySource> {
    KeySource::ALL.into_iter().filter(|source| !source.is_shared()).collect()
}

// A policy of before this field keeps its bytes, and so its digest.
fn is_own_keys(sources: &BTreeSet<KeySource>) -> bool {
    *sources == own_keys()
}

impl ProjectPolicy {
    /// Version of the document that this build writes.
    pub const VERSION: u32 = 1;

    /// When a task of that type needs a yes: the policy's own rule, else the table's.
    #[must_use]
    pub fn confirmation_of(&self, task: TaskType) -> Confirmation {
        self.confirmation.get(&task).copied().unwrap_or(task.default_confirmation())
    }
    /// The server's prices with the project's own laid over them.
    #[must_use]
    pub fn prices(&self, server: &PriceTable) -> PriceTable {
        let mut prices = server.clone();
        prices.0.extend(self.model_prices.iter().map(|(k, v)| (k.clone(), v.clone())));
        prices
    }
}

/// One version: the evidence document that a policy snapshot is compiled from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PolicyDocument {
    /// Id of this version.
    pub id: PolicyVersionId,
    /// The project that it is for.
    pub project: ProjectId,
    /// 1 for the first.
    pub number: u32,
    /// `None`: the server made it with the project.
    pub author: Option<UserId>,
    /// Why its author changed it.
    pub reason: String,
    /// When it was put in force.
    pub at: Timestamp,
    /// The rules.
    pub policy: ProjectPolicy,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(lines: &[&str]) -> HostRule {
        HostRule {
            host: "shop.test".to_owned(),
            scheme: None,
            port: None,
            private: false,
            idempotent_methods: BTreeSet::new(),
            idempotent_operations: BTreeSet::new(),
            read_operations: lines.iter().map(|line| (*line).to_owned()).collect(),
        }
    }

    #[test]
    fn a_label_speaks_of_its_method_and_path_alone() {
        let rule = rule(&["POST /products/search", "POST /users/{}/look up", "PUT /", "post /x"]);
        let post = HttpMethod::Post;
        assert!(rule.labels_read(post, &[Some("products"), Some("search")]));
        assert!(rule.labels_read(post, &[Some("products"), Some("search"), Some("")]));
        assert!(rule.labels_read(HttpMethod::Put, &[]));
        for segments in [
            vec![Some("products")],
            vec![Some("products"), Some("")],
            vec![Some("products"), None],
            vec![Some("products"), Some("Search")],
            vec![Some("products"), Some("search"), Some("x")],
            vec![Some(""), Some("products"), Some("search")],
            vec![Some("products/search")],
            vec![Some("x")],
            vec![],
        ] {
            assert!(!rule.labels_read(post, &segments), "{segments:?}");
        }
        assert!(!rule.labels_read(HttpMethod::Put, &[Some("products"), Some("search")]));
    }

    #[test]
    fn any_segment_is_one_and_a_deletion_is_never_read() {
        let rule = rule(&["POST /users/{}/search", "DELETE /users/{}"]);
        let post = HttpMethod::Post;
        assert!(rule.labels_read(post, &[Some("users"), None, Some("search")]));
        assert!(rule.labels_read(post, &[Some("users"), Some("7"), Some("search")]));
        assert!(!rule.labels_read(post, &[Some("users"), Some(""), Some("search")]));
        assert!(!rule.labels_read(HttpMethod::Delete, &[Some("users"), None]));
    }
}
