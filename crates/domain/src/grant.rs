//! A yes that is said beforehand: to one exact target of one step type, or to plans of exactly the same
//! steps. It is for one person, counts so often, may begin at a time, and ends at one.

use crate::{
    clock::Timestamp,
    digest::{DigestError, GrantDigest, WorkflowDigest},
    executor::ExecutorId,
    http_method::HttpMethod,
    id::{ApprovalId, GrantId, ProjectId, UserId},
    plan::{Blueprint, Node, StepParams, UrlTemplate},
    recipient::exact_members,
    scheme::Scheme,
    spec::Salt,
    step_type::StepType,
    system_name::SystemName,
    value::Arg,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How often one counts at most.
pub const GRANT_USES_MAX: u32 = 100;
/// How long one counts at most, in seconds: 30 days.
pub const GRANT_SECONDS_MAX: i64 = 30 * 24 * 60 * 60;

/// A registered system as it was when a plan was drawn by it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SystemRevision {
    /// The system, whose credential goes along.
    pub name: SystemName,
    /// Its revision: another registration is another target.
    pub revision: u64,
}

/// One address with everything that decides where a request goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequestPlace {
    /// The request method.
    pub method: HttpMethod,
    /// `http` or `https`.
    pub scheme: Scheme,
    /// Host name or address, lower case.
    pub host: String,
    /// The port, also where it is the scheme's own.
    pub port: u16,
    /// Path segments, decoded.
    pub segments: Vec<String>,
    /// Query pairs, decoded, in order.
    pub query: Vec<(String, String)>,
    /// The registered system at this address; `None` for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<SystemRevision>,
    /// All that the body says, by the place in it, but what its texts are: see [`exact_members`].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub recipients: BTreeMap<String, String>,
}

/// Exactly where the effect of a step goes. What it carries there is not part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "kind")]
pub enum ExactTarget {
    /// One file.
    File {
        /// Below the workspace, without `/` at either end.
        path: String,
    },
    /// One address.
    Request(Box<RequestPlace>),
}

impl ExactTarget {
    /// As people read it: the path of a file, or method and address. Recipients stand beside it.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::File { path } => path.clone(),
            Self::Request(place) => place.text(),
        }
    }
}

impl RequestPlace {
    fn text(&self) -> String {
        let Self { method, scheme, host, port, .. } = self;
        let mut text = format!("{} {}://{host}", method.as_str(), scheme.as_str());
        if *port != scheme.default_port() {
            text.push_str(&format!(":{port}"));
        }
        text.push('/');
        let segments: Vec<String> = self.segments.iter().map(|segment| readable(segment)).collect();
        text.push_str(&segments.join("/"));
        for (nth, (name, value)) in self.query.iter().enumerate() {
            text.push(if nth == 0 { '?' } else { '&' });
            text.push_str(&format!("{}={}", readable(name), readable(value)));
        }
        text
    }
}

/// What would be syntax in an address, and what cannot be seen, is percent-encoded.
fn readable(value: &str) -> String {
    let mut text = String::new();
    for c in value.chars() {
        if c.is_alphanumeric() || matches!(c, '-' | '.' | '_' | '~') {
            text.push(c);
        } else {
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes)
                .bytes()
                .for_each(|byte| text.push_str(&format!("%{byte:02X}")));
        }
    }
    text
}

/// One step of a plan that a grant is for, as people are shown it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GrantedStep {
    /// Its type.
    pub step_type: StepType,
    /// Where it goes; `None` for a step that only computes, or whose target an output decides.
    pub target: Option<ExactTarget>,
}

/// What the yes is to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "kind")]
pub enum GrantScope {
    /// Steps of one type at one target, in any plan.
    Target {
        /// The type.
        step_type: StepType,
        /// The target.
        target: ExactTarget,
    },
    /// Plans of exactly these steps: what a stored workflow's version draws.
    Workflow {
        /// Of the steps as written.
        content: WorkflowDigest,
        /// The same for people.
        steps: Vec<GrantedStep>,
    },
}

/// All that a grant says. A person says yes to its digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GrantTerms {
    /// Its id.
    pub id: GrantId,
    /// The project whose plans it is for.
    pub project: ProjectId,
    /// The one person whose plans it is for.
    pub holder: UserId,
    /// What it says yes to.
    pub scope: GrantScope,
    /// How often it counts: for each step at a target, for each run of a plan.
    pub uses: u32,
    /// Before this it covers nothing; `None`: it counts from when it is given.
    // Terms from before this field keep their digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_before: Option<Timestamp>,
    /// From here on it no longer counts.
    pub expires_at: Timestamp,
    /// The question whose plan it was made from.
    pub made_from: ApprovalId,
    /// Drawn for it, so that nobody guesses a target from a digest.
    pub salt: Salt,
}

impl GrantTerms {
    /// SHA-256 of the terms, salt included, as canonical JSON.
    pub fn digest(&self) -> Result<GrantDigest, DigestError> {
        GrantDigest::of(self)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Written<'a> {
    format: u32,
    nodes: &'a [Node],
    contracts: &'a BTreeMap<ExecutorId, u32>,
    systems: &'a BTreeMap<SystemName, u64>,
}

impl Blueprint {
    /// SHA-256 over RFC 8785 JSON of the steps with their bindings as written, contract versions and the
    /// revisions of systems. Two plans with one such digest do the same, whoever asked for them and in
    /// whatever words.
    pub fn workflow_digest(&self) -> Result<WorkflowDigest, DigestError> {
        WorkflowDigest::of(&Written {
            format: 1,
            nodes: &self.nodes,
            contracts: &self.contracts,
            systems: &self.systems,
        })
    }

    /// Where exactly this node's effect goes. `None`: nowhere, or a value that is not written in the plan
    /// decides it, or the body is no JSON object whose members can be told apart.
    #[must_use]
    pub fn exact_target(&self, node: &Node) -> Option<ExactTarget> {
        let mut target = self.address(node)?;
        if let (ExactTarget::Request(place), StepParams::ApiCall { body: Some(body), .. }) =
            (&mut target, &node.params)
        {
            place.recipients = exact_members(&written(body)?)?;
        }
        Some(target)
    }

    /// The same without what a body says.
    #[must_use]
    pub fn address(&self, node: &Node) -> Option<ExactTarget> {
        match &node.params {
            StepParams::FileRead { directory, name }
            | StepParams::FileWrite { directory, name, .. }
            | StepParams::FileDelete { directory, name } => {
                let path = format!("{}/{}", directory.trim_matches('/'), written(name)?);
                Some(ExactTarget::File { path: path.trim_matches('/').to_owned() })
            }
            StepParams::ApiCall { method, url, .. } => self.request(*method, url),
            StepParams::WebFetch { url } => self.request(HttpMethod::Get, url),
            StepParams::Transform { .. } => None,
        }
    }

    fn request(&self, method: HttpMethod, url: &UrlTemplate) -> Option<ExactTarget> {
        let system = url.system.clone().map(|name| {
            let revision = self.systems.get(&name).copied().unwrap_or_default();
            SystemRevision { name, revision }
        });
        let pair = |(name, value): &(String, Arg)| Some((name.clone(), written(value)?));
        Some(ExactTarget::Request(Box::new(RequestPlace {
            method,
            scheme: url.scheme,
            host: url.host.to_lowercase(),
            port: url.port.unwrap_or(url.scheme.default_port()),
            segments: url.segments.iter().map(written).collect::<Option<_>>()?,
            query: url.query.iter().map(pair).collect::<Option<_>>()?,
            system,
            recipients: BTreeMap::new(),
        })))
    }
}

fn written(value: &Arg) -> Option<String> {
    match value {
        Arg::Literal(text) => Some(text.clone()),
        Arg::Bound(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> RequestPlace {
        RequestPlace {
            method: HttpMethod::Post,
            scheme: Scheme::Https,
            host: "shop.test".into(),
            port: 443,
            segments: vec!["orders".into()],
            query: vec![("lang".into(), "ko".into())],
            system: None,
            recipients: BTreeMap::from([("/to".into(), "kim@shop.test".into())]),
        }
    }

    #[test]
    fn an_address_is_told_so_that_no_two_read_alike() {
        let text = |place| ExactTarget::Request(Box::new(place)).text();
        assert_eq!(text(place()), "POST https://shop.test/orders?lang=ko");
        let odd = RequestPlace { segments: vec!["주문/1".into()], port: 8443, ..place() };
        assert_eq!(text(odd), "POST https://shop.test:8443/주문%2F1?lang=ko");
    }

    /// What was granted before a grant could begin later verifies as it did.
    #[test]
    fn terms_without_a_beginning_are_written_as_before() {
        let terms = |not_before| GrantTerms {
            id: GrantId::from_uuid(uuid::Uuid::nil()),
            project: ProjectId::from_uuid(uuid::Uuid::nil()),
            holder: UserId::from_uuid(uuid::Uuid::nil()),
            scope: GrantScope::Target {
                step_type: StepType::FileWrite,
                target: ExactTarget::File { path: "notes/a.md".into() },
            },
            uses: 1,
            not_before,
            expires_at: Timestamp::from_unix_ms(9_000),
            made_from: ApprovalId::from_uuid(uuid::Uuid::nil()),
            salt: Salt::from_bytes([7; 16]),
        };
        let text = serde_json::to_string(&terms(None)).unwrap();
        assert!(!text.contains("notBefore"), "{text}");
        assert_eq!(serde_json::from_str::<GrantTerms>(&text).unwrap(), terms(None));
        let later = terms(Some(Timestamp::from_unix_ms(1_000)));
        let text = serde_json::to_string(&later).unwrap();
        assert!(text.contains(r#""notBefore":"1970-01-01T00:00:01.000Z""#), "{text}");
        assert_eq!(serde_json::from_str::<GrantTerms>(&text).unwrap(), later);
        assert_ne!(later.digest().unwrap(), terms(None).digest().unwrap());
    }

    #[test]
    fn a_scope_is_read_as_it_was_written() {
        let place = place();
        let target = ExactTarget::Request(Box::new(place));
        let step = GrantedStep { step_type: StepType::Transform, target: None };
        let content = WorkflowDigest::of_bytes(b"steps");
        for scope in [
            GrantScope::Target { step_type: StepType::ApiCall, target: target.clone() },
            GrantScope::Target {
                step_type: StepType::FileWrite,
                target: ExactTarget::File { path: "notes/a.md".into() },
            },
            GrantScope::Workflow { content, steps: vec![step] },
        ] {
            let text = serde_json::to_string(&scope).unwrap();
            assert_eq!(serde_json::from_str::<GrantScope>(&text).unwrap(), scope, "{text}");
        }
    }
}
