//! A project's policy, checked once and compiled.

use crate::{
    fine::{FineRules, RuleFault},
    path,
};
use std::{collections::BTreeSet, net::Ipv6Addr, sync::Arc};
use wiiiv_domain::{
    ApprovalBy, Currency, DenyCode, HostRule, HttpMethod, ModelFallback, ModelSlot, PriceTable,
    ProjectPolicy, ProviderName, Scheme, UrlTemplate, WorkspacePath, operation_line,
};

/// The greatest integer that canonical JSON holds exactly.
pub(crate) const EXACT_INTEGER_MAX: u64 = (1 << 53) - 1;
/// The longest time to live of an approval, in seconds.
const APPROVAL_TTL_SECONDS_MAX: u32 = 30 * 24 * 3600;
/// The most people whose yes one rule asks for.
const APPROVERS_MAX: u8 = 8;
/// The longest host name, in bytes.
const HOST_BYTES_MAX: usize = 253;
/// The most lines of one list.
const LIST_LINES_MAX: usize = 1_000;
const FALLBACKS_MAX: usize = 4;
const EMBEDDINGS_ALONE: &str =
    "LOCAL has models for embeddings alone: name one as `embeddingModel`";
/// The longest model name, in Unicode scalar values.
pub(crate) const MODEL_CHARS_MAX: usize = 200;

/// Why a policy is not put in force; each message names the field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// The document has another version; holds it.
    #[error("policy format `{0}` is not `{expected}`", expected = ProjectPolicy::VERSION)]
    Version(u32),
    /// The text is not a policy document; holds the parser's message.
    #[error("not a policy document: {0}")]
    Document(String),
    /// Not a path inside the workspace; holds it.
    #[error("`allowedPaths`: `{0}` is not a path inside the workspace")]
    Path(String),
    /// Not a host pattern; holds it.
    #[error("`allowedHosts`: `{0}` is not a lower case host name, an address or `*.name`")]
    Host(String),
    /// Not an operation line: the field and the line.
    #[error("`{0}`: `{1}` is not written as `POST /path/{{}}/more`, in literal segments")]
    OperationLine(&'static str, String),
    /// The list of this field is too long.
    #[error("`{0}` has more than `{LIST_LINES_MAX}` lines")]
    TooMany(&'static str),
    /// The time to live of this approval rule is 0 or too long.
    #[error("`approval.{0}.ttlSeconds` must be 1 to `{APPROVAL_TTL_SECONDS_MAX}`")]
    TimeToLive(&'static str),
    /// The number of people of this approval rule is 0 or too large.
    #[error("`approval.{0}.approvers` must be 1 to `{APPROVERS_MAX}`")]
    Approvers(&'static str),
    /// The share of scenarios is none that may be asked for.
    #[error("`minimumGreen` must be `{least}` to `100`", least = ProjectPolicy::MINIMUM_GREEN)]
    MinimumGreen,
    /// The part of the time to live is none.
    #[error("`approval.escalation.afterPercent` must be 1 to `99`")]
    Escalation,
    /// This approval rule asks several people where the requester's own yes is enough.
    #[error(
        "`approval.{0}.approvers`: the requester is one person; for more, set `approval.{0}.by` to \
         `another_person`"
    )]
    SeveralRequesters(&'static str),
    /// The number of this field is too large for canonical JSON.
    #[error("`{0}` is greater than `{EXACT_INTEGER_MAX}`")]
    TooLarge(&'static str),
    /// A CUSTOM provider has no base URL.
    #[error("`llmProvider` CUSTOM needs `llmBaseUrl`")]
    BaseUrl,
    /// A model name is wrong.
    #[error("`{field}`: {why}")]
    Slot {
        /// The field, as the JSON names it.
        field: &'static str,
        /// The rule that it breaks.
        why: &'static str,
    },
    /// The fallbacks break this rule.
    #[error("`modelFallbacks`: {0}")]
    Fallback(&'static str),
    /// A price is wrong.
    #[error("`modelPrices`: `{name}`: {why}")]
    Price {
        /// The model, as `PROVIDER:model`.
        name: String,
        /// The rule that it breaks.
        why: &'static str,
    },
    /// Two models are priced in different currencies.
    #[error(
        "a project counts in one currency: `{first}` is priced in {currency:?} and `{name}` in \
         {other:?}; give one of them a price in the other's currency in `modelPrices`"
    )]
    Currencies {
        /// The first model.
        first: String,
        /// Its currency.
        currency: Currency,
        /// The other model.
        name: String,
        /// Its currency.
        other: Currency,
    },
    /// The fine rules are not valid; at least one fault.
    #[error("`fineRules`: {}", faults_text(.0))]
    FineRules(Vec<RuleFault>),
    /// The version was recorded in another opening.
    #[error("this version stands in the log of another opening of the gate")]
    Foreign,
}

/// A compiled policy. Anybody may compile one for a forecast: it makes no permit.
#[derive(Debug, Clone)]
pub struct Policy {
    policy: ProjectPolicy,
    prices: PriceTable,
    roots: Vec<Vec<String>>,
    fine: Option<Arc<FineRules>>,
}

impl Policy {
    /// `prices` are the server's; the project's own replace them.
    pub fn compile(policy: ProjectPolicy, prices: &PriceTable) -> Result<Self, PolicyError> {
        check_form(&policy)?;
        check_approvals(&policy)?;
        check_caps(&policy)?;
        if let Some(rule) = policy.allowed_hosts.iter().find(|rule| !is_host_line(&rule.host)) {
            return Err(PolicyError::Host(rule.host.clone()));
        }
        check_labels(&policy)?;
        let roots = policy.allowed_paths.iter().map(|raw| {
            let parts = path::components(raw).ok_or_else(|| PolicyError::Path(raw.clone()))?;
            Ok(parts.into_iter().map(str::to_owned).collect())
        });
        let roots = roots.collect::<Result<_, PolicyError>>()?;
        let fine = FineRules::compile(&policy.fine_rules).map_err(PolicyError::FineRules)?;
        Ok(Self { prices: policy.prices(prices), roots, fine, policy })
    }
    /// `None` where the policy has no fine rule.
    #[must_use]
    pub fn fine_rules(&self) -> Option<&FineRules> {
        self.fine.as_deref()
    }
    /// The rules as they were saved.
    #[must_use]
    pub const fn project_policy(&self) -> &ProjectPolicy {
        &self.policy
    }
    /// The server's prices, replaced by the project's where it has its own.
    #[must_use]
    pub const fn prices(&self) -> &PriceTable {
        &self.prices
    }

    /// Whether the lists allow this path of the workspace, whatever else is asked of a plan.
    #[must_use]
    pub fn allows_path(&self, raw: &str) -> bool {
        self.path_refusal(raw).is_none()
    }

    /// A system directory is refused unless a line of the list names it, and so is what is no
    /// [`WorkspacePath`]: the executor would not take it. The empty text is the workspace.
    pub(crate) fn path_refusal(&self, raw: &str) -> Option<DenyCode> {
        let refused = Some(DenyCode::PathNotAllowed);
        let Some(parts) = path::components(raw) else { return refused };
        if !parts.is_empty() && WorkspacePath::parse_to_read(raw).is_err() {
            return refused;
        }
        let system = path::is_system(&parts);
        let covers =
            |root: &Vec<String>| path::is_under(root, &parts) && !(system && root.is_empty());
        if self.roots.iter().any(covers) { None } else { refused }
    }

    pub(crate) fn covers(&self, scheme: Scheme, host: &str, port: Option<u16>) -> bool {
        is_host(&host.to_lowercase())
            && self.policy.allowed_hosts.iter().any(|rule| rule.covers(scheme, host, port))
    }
    /// Whether an administrator declares that this request changes nothing, whatever its method.
    pub(crate) fn labels_read(&self, method: HttpMethod, url: &UrlTemplate) -> bool {
        let segments = url.written_segments();
        let of_place = |rule: &&HostRule| rule.covers(url.scheme, &url.host, url.port);
        let mut rules = self.policy.allowed_hosts.iter().filter(of_place);
        is_host(&url.host.to_lowercase()) && rules.any(|rule| rule.labels_read(method, &segments))
    }
    /// A host of an envelope has no scheme: either is accepted; the plan's is judged later.
    pub(crate) fn covers_place(&self, place: &str) -> bool {
        let (host, port) = split_port(place);
        [Scheme::Https, Scheme::Http].into_iter().any(|s| self.covers(s, host, port))
    }
    pub(crate) fn egress(&self) -> &[HostRule] {
        &self.policy.allowed_hosts
    }
}

fn faults_text(faults: &[RuleFault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// `host`, `host:port`, `[v6]` or `[v6]:port`.
pub(crate) fn split_port(place: &str) -> (&str, Option<u16>) {
    let Some((host, port)) = place.rsplit_once(':') else { return (place, None) };
    match port.parse() {
        Ok(port) if !host.contains(':') || host.ends_with(']') => (host, Some(port)),
        Ok(_) | Err(_) => (place, None),
    }
}

fn check_form(policy: &ProjectPolicy) -> Result<(), PolicyError> {
    if policy.version != ProjectPolicy::VERSION {
        return Err(PolicyError::Version(policy.version));
    }
    let lists = [
        ("allowedPlugins", policy.allowed_plugins.len()),
        ("allowedHosts", policy.allowed_hosts.len()),
        ("allowedPaths", policy.allowed_paths.len()),
        ("allowedDatabases", policy.allowed_databases.len()),
        ("modelPrices", policy.model_prices.len()),
    ];
    if let Some((name, _)) = lists.into_iter().find(|(_, lines)| *lines > LIST_LINES_MAX) {
        return Err(PolicyError::TooMany(name));
    }
    if !(ProjectPolicy::MINIMUM_GREEN..=100).contains(&policy.minimum_green) {
        return Err(PolicyError::MinimumGreen);
    }
    check_fallbacks(policy)?;
    check_slots(policy)?;
    match (policy.llm_provider, &policy.llm_base_url) {
        (ProviderName::Local, _) => {
            Err(PolicyError::Slot { field: "llmProvider", why: EMBEDDINGS_ALONE })
        }
        (ProviderName::Custom, None) => Err(PolicyError::BaseUrl),
        (ProviderName::Custom, Some(_))
        | (
            ProviderName::Offline
            | ProviderName::OpenAi
            | ProviderName::Anthropic
            | ProviderName::Google
            | ProviderName::Ollama,
            _,
        ) => Ok(()),
    }
}

/// The built-in model is no fallback: it answers by itself if no other does.
fn check_fallbacks(policy: &ProjectPolicy) -> Result<(), PolicyError> {
    let is_odd = |of: &ModelFallback| of.provider.is_built_in() || of.model.trim().is_empty();
    if policy.llm_provider == ProviderName::Offline && !policy.model_fallbacks.is_empty() {
        return Err(PolicyError::Fallback("the built-in model is always there, and needs none"));
    }
    if policy.model_fallbacks.len() > FALLBACKS_MAX {
        return Err(PolicyError::Fallback("four are enough: each one makes a turn longer"));
    }
    if policy.model_fallbacks.iter().any(is_odd) {
        return Err(PolicyError::Fallback(
            "each names a provider other than OFFLINE and LOCAL, and a model",
        ));
    }
    let bare = |of: &ModelFallback| of.provider == ProviderName::Custom && of.base_url.is_none();
    if policy.model_fallbacks.iter().any(bare) {
        return Err(PolicyError::Fallback("a CUSTOM one needs its `baseUrl`"));
    }
    Ok(())
}

/// A name that no provider accepts is refused.
fn check_slots(policy: &ProjectPolicy) -> Result<(), PolicyError> {
    let own = policy.llm_provider;
    for (field, slot, of) in policy.slots_named() {
        let (provider, model) = (of.llm_provider, of.model());
        if model.is_empty() || model.chars().count() > MODEL_CHARS_MAX {
            return Err(PolicyError::Slot { field, why: "it names no model" });
        }
        if provider == ProviderName::Custom && own != ProviderName::Custom {
            let why = "a CUSTOM one stands beside a CUSTOM `llmProvider`, whose address it has";
            return Err(PolicyError::Slot { field, why });
        }
        if provider == ProviderName::Offline && model != "offline" {
            return Err(PolicyError::Slot { field, why: "OFFLINE has one model, `offline`" });
        }
        if provider == ProviderName::Local && slot != ModelSlot::Embedding {
            return Err(PolicyError::Slot { field, why: EMBEDDINGS_ALONE });
        }
    }
    Ok(())
}

/// A line that is not read as it was meant would be a rule without effect.
fn check_labels(policy: &ProjectPolicy) -> Result<(), PolicyError> {
    let any = |_: HttpMethod| true;
    // A DELETE never only reads.
    let reading = |method: HttpMethod| method != HttpMethod::Delete;
    policy.allowed_hosts.iter().try_for_each(|rule| {
        check_lines("readOperations", &rule.read_operations, reading)?;
        check_lines("idempotentOperations", &rule.idempotent_operations, any)
    })
}

fn check_lines(
    list: &'static str,
    lines: &BTreeSet<String>,
    fits: impl Fn(HttpMethod) -> bool,
) -> Result<(), PolicyError> {
    if lines.len() > LIST_LINES_MAX {
        return Err(PolicyError::TooMany(list));
    }
    let odd = |line: &&String| operation_line(line).is_none_or(|(method, _)| !fits(method));
    match lines.iter().find(odd) {
        Some(line) => {
            Err(PolicyError::OperationLine(list, line.chars().take(HOST_BYTES_MAX).collect()))
        }
        None => Ok(()),
    }
}

fn check_approvals(policy: &ProjectPolicy) -> Result<(), PolicyError> {
    let rules = [("normal", policy.approval.normal), ("risky", policy.approval.risky)];
    for (name, rule) in rules {
        if !(1..=APPROVAL_TTL_SECONDS_MAX).contains(&rule.ttl_seconds) {
            return Err(PolicyError::TimeToLive(name));
        }
        if !(1..=APPROVERS_MAX).contains(&rule.approvers) {
            return Err(PolicyError::Approvers(name));
        }
        if rule.approvers > 1 && rule.by == ApprovalBy::Requester {
            return Err(PolicyError::SeveralRequesters(name));
        }
    }
    let after = policy.approval.escalation.map(|escalation| escalation.after_percent);
    if after.is_some_and(|percent| !(1..100).contains(&percent)) {
        return Err(PolicyError::Escalation);
    }
    Ok(())
}

fn check_caps(policy: &ProjectPolicy) -> Result<(), PolicyError> {
    let (tokens, money) = (policy.token_budget, policy.cost_limit);
    let caps = [
        ("tokenBudget.perRun", tokens.per_run),
        ("tokenBudget.perDay", tokens.per_day),
        ("tokenBudget.perMonth", tokens.per_month),
        ("tokenBudget.perUserDay", tokens.per_user_day),
        ("tokenBudget.perUserMonth", tokens.per_user_month),
        ("costLimit.perRunMicros", money.per_run_micros),
        ("costLimit.perDayMicros", money.per_day_micros),
        ("costLimit.perMonthMicros", money.per_month_micros),
        ("costLimit.perUserDayMicros", money.per_user_day_micros),
        ("costLimit.perUserMonthMicros", money.per_user_month_micros),
    ];
    let too_large = |cap: Option<u64>| cap.is_some_and(|c| c > EXACT_INTEGER_MAX);
    match caps.into_iter().find(|(_, cap)| too_large(*cap)) {
        Some((name, _)) => Err(PolicyError::TooLarge(name)),
        None => Ok(()),
    }
}

/// A line of the list: a host, or `*.` and one.
fn is_host_line(line: &str) -> bool {
    is_host(line.strip_prefix("*.").unwrap_or(line)) && !line.ends_with('.')
}

/// A lower-case name or an address, without characters that a URL treats as syntax.
fn is_host(host: &str) -> bool {
    let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
    if bare.contains(':') {
        return bare.parse::<Ipv6Addr>().is_ok();
    }
    let in_name =
        |c: char| (c.is_alphanumeric() && !c.is_uppercase()) || matches!(c, '-' | '_' | '.');
    (1..=HOST_BYTES_MAX).contains(&host.len()) && host.chars().all(in_name)
}

/// A profile of `policies/profiles/`: the first policy of a new project. Checked like any version.
pub fn profile(toml_text: &str) -> Result<ProjectPolicy, PolicyError> {
    let policy: ProjectPolicy =
        toml::from_str(toml_text).map_err(|e| PolicyError::Document(e.message().to_owned()))?;
    Policy::compile(policy.clone(), &PriceTable::default())?;
    Ok(policy)
}
