//! A project's policy: versioned, never edited in place. Default deny.

use crate::{
    answer::AnswerPolicy,
    approval_policy::ApprovalPolicy,
    confirmation::Confirmation,
    guardrail::Guardrail,
    http_method::HttpMethod,
    key::KeySource,
    money::{ModelPrice, PriceTable},
    profile::ProfileName,
    provider_name::ProviderName,
    scheme::Scheme,
    step_type::StepType,
    task::TaskType,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

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
    /// Methods of this service that are idempotent as it promises, beside GET and HEAD.
    #[serde(default)]
    pub idempotent_methods: BTreeSet<HttpMethod>,
    /// Single idempotent operations, such as `POST /carts/{}/items`, of a service that promises no
    /// more.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub idempotent_operations: BTreeSet<String>,
    /// Operations that an administrator declares READ although their method is not, such as `POST
    /// /products/search`; `{}` stands for any one segment.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub read_operations: BTreeSet<String>,
}

impl HostRule {
    /// Whether this rule covers that address.
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

    /// Whether this rule declares the operation READ. `None` is a segment whose value is bound:
    /// only `{}` covers it. A DELETE is never READ.
    #[must_use]
    pub fn labels_read(&self, method: HttpMethod, segments: &[Option<&str>]) -> bool {
        method != HttpMethod::Delete && names(&self.read_operations, method, segments)
    }
    /// Whether the rule declares the operation idempotent.
    #[must_use]
    pub fn promises(&self, method: HttpMethod, segments: &[Option<&str>]) -> bool {
        self.idempotent_methods.contains(&method)
            || names(&self.idempotent_operations, method, segments)
    }
}

fn names(lines: &BTreeSet<String>, method: HttpMethod, segments: &[Option<&str>]) -> bool {
    // A slash at the end of a path adds no segment.
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

/// Splits `POST /products/{}/search`; `None` for any other form.
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

/// How far the review binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DacsStage {
    /// Recorded on every EXECUTE; blocks risky specs only.
    Observe,
    /// Binds every EXECUTE.
    Enforce,
}

/// Which specs model personas review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelPersonas {
    /// No spec; the rule personas vote alone.
    Never,
    /// Each risky spec that the rule personas do not refuse.
    Risky,
}

/// Caps in tokens; `None` means no cap. Days and months are UTC.
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

/// Caps in micro-units of the project's currency; `None` means no cap.
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

/// A further model, called if the one before it cannot be reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModelFallback {
    /// Provider of the model.
    pub provider: ProviderName,
    /// Name of the model, as the provider calls it.
    pub model: String,
    /// Required for CUSTOM; replaces the default address of others.
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
    /// `server/tool`; this build runs none.
    #[serde(default)]
    pub allowed_plugins: BTreeSet<String>,
    /// Hosts that steps may call.
    pub allowed_hosts: Vec<HostRule>,
    /// Workspace-relative directories or files; `` (empty) is the whole workspace.
    pub allowed_paths: Vec<String>,
    /// Names of databases; no step of this build uses one.
    #[serde(default)]
    pub allowed_databases: BTreeSet<String>,
    /// Replaces the table of task types for these types.
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
    /// `model`, or `PROVIDER:model` of another provider; `None` means the governor's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generator_model: Option<String>,
    /// Likewise; `none` means no embeddings, as for a provider without any. If left out, the
    /// provider's default is written into the version that is put in force. Texts of the project's
    /// documents, and questions about them, are sent to a provider that it names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedding_model: Option<String>,
    /// In order; each is called if the one before it could not be reached.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub model_fallbacks: Vec<ModelFallback>,
    /// Sources that a provider's key may come from. The server's key and the environment's are used
    /// only if named here.
    #[serde(default = "own_keys", skip_serializing_if = "is_own_keys")]
    pub key_sources: BTreeSet<KeySource>,
    /// Task types that are executed only if GHOST has verified every model that took part in the
    /// conversation.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub require_verified_model: BTreeSet<TaskType>,
    /// Percent of GHOST's scenarios that have to pass in each repeat for a model to be verified here: from
    /// [`ProjectPolicy::MINIMUM_GREEN`] to 100.
    // A policy from before this field keeps its bytes and its digest.
    #[serde(default = "minimum_green", skip_serializing_if = "is_minimum_green")]
    pub minimum_green: u8,
    /// Prices by `PROVIDER:model`; they replace the server's.
    #[serde(default)]
    pub model_prices: BTreeMap<String, ModelPrice>,
    /// Cedar rules that forbid a part of what the lists allow; empty for none.
    // A policy from before this field keeps its bytes and its digest.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fine_rules: String,
    /// The schema of the profiles that people have here; `None`: nobody has one.
    // A policy from before this field keeps its bytes and its digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile_schema: Option<ProfileName>,
    /// Blocks of rules that stand above every prompt here, beside those that the schema of profiles brings.
    // A policy from before this field keeps its bytes and its digest.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub guardrails: BTreeSet<Guardrail>,
    /// What becomes of answers in words before they are given.
    // A policy from before this field keeps its bytes and its digest.
    #[serde(default, skip_serializing_if = "AnswerPolicy::is_off")]
    pub answers: AnswerPolicy,
    /// Whether documents are looked through for a question that is answered in words.
    // A policy from before this field keeps its bytes and its digest.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rag_for_information: bool,
}

const fn minimum_green() -> u8 {
    ProjectPolicy::MINIMUM_GREEN
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
const fn is_minimum_green(percent: &u8) -> bool {
    *percent == ProjectPolicy::MINIMUM_GREEN
}

/// Keys of the person and of the project.
fn own_keys() -> BTreeSet<KeySource> {
    KeySource::ALL.into_iter().filter(|source| !source.is_shared()).collect()
}

// A policy from before this field keeps its bytes and its digest.
fn is_own_keys(sources: &BTreeSet<KeySource>) -> bool {
    *sources == own_keys()
}

impl ProjectPolicy {
    /// Version of the document that this build writes.
    pub const VERSION: u32 = 1;
    /// The least share of scenarios that a verified model has passed, in percent.
    pub const MINIMUM_GREEN: u8 = 90;

    /// When a task of that type needs a yes: the policy's own rule, else the table's.
    #[must_use]
    pub fn confirmation_of(&self, task: TaskType) -> Confirmation {
        self.confirmation.get(&task).copied().unwrap_or(task.default_confirmation())
    }
    /// Whether documents are looked through for a task of that type. The type alone decides: no wish of a model, and not
    /// every turn.
    #[must_use]
    pub const fn consults_documents(&self, task: TaskType) -> bool {
        match task {
            TaskType::Information => self.rag_for_information,
            TaskType::ApiWorkflow
            | TaskType::DbQuery
            | TaskType::ProjectCreate
            | TaskType::WorkflowCreate => true,
            TaskType::Conversation
            | TaskType::FileRead
            | TaskType::FileWrite
            | TaskType::FileDelete
            | TaskType::CodeEdit
            | TaskType::Command
            | TaskType::WorkflowRun
            | TaskType::WorkflowManage
            | TaskType::WebFetch => false,
        }
    }
    /// Whether a model is named and reviews nothing. A new project has none and says `never`, which is not
    /// meant of a model that is named later.
    #[must_use]
    pub const fn reviews_without_its_model(&self) -> bool {
        !matches!(self.llm_provider, ProviderName::Offline)
            && matches!(self.model_personas, ModelPersonas::Never)
    }
    /// The server's prices, replaced by the project's where it has its own.
    #[must_use]
    pub fn prices(&self, server: &PriceTable) -> PriceTable {
        let mut prices = server.clone();
        prices.0.extend(self.model_prices.iter().map(|(k, v)| (k.clone(), v.clone())));
        prices
    }
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
