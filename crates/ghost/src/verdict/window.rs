//! Everything that was observed in one turn or in the whole run, and that a fact can be about.

use crate::scenario::ServiceName;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use wiiiv_domain::StateName;
use wiiiv_fakes::TokenState;

#[derive(Debug, Clone, Default)]
pub struct Window {
    /// Journal events as clients see them, in order.
    pub events: Vec<Value>,
    /// Calls that reached each service of the scenario, log-ins included.
    pub calls: BTreeMap<ServiceName, Vec<Call>>,
    /// The tables of the facts, at the window's end.
    pub rows: BTreeMap<(ServiceName, String), Vec<Value>>,
    /// The workspace at the window's end.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The project's audit chain, oldest first.
    pub audit: Vec<Record>,
    /// States of the runs that began in the window, in that order.
    pub runs: Vec<String>,
    pub model: ModelUse,
    /// The requests that the model got, as JSON; none where no fact is about them.
    pub prompts: Vec<String>,
    /// At the window's end; empty where no fact is about it.
    pub memory: KeptMemory,
    /// Codes with which buttons were refused.
    pub refused: Vec<String>,
    /// The conversation's states between the turns, in order.
    pub settled: Vec<SettledState>,
}

/// The session's state after an event, when nothing was running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettledState {
    pub after: u64,
    pub state: StateName,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub method: String,
    pub path: String,
    pub query: BTreeMap<String, String>,
    pub body: Value,
    /// The state of the token that the call carried.
    pub token: TokenState,
    /// The idempotency key of the call.
    pub key: Option<String>,
    pub status: Option<u16>,
    /// It changes nothing, by its method or by the label of its registration.
    pub reads: bool,
    /// An exchange of the credential for a token.
    pub logs_in: bool,
}

impl Call {
    /// It was refused for an expired token: it had no effect, and is repeated with a new token.
    #[must_use]
    pub fn is_turned_away(&self) -> bool {
        const UNAUTHORIZED: u16 = 401;
        self.status == Some(UNAUTHORIZED) && self.token == TokenState::Expired
    }

    #[must_use]
    pub fn to_json(&self) -> Value {
        call_json(&self.method, &self.path, &self.query, &self.body)
    }
}

pub(super) fn call_json(
    method: &str,
    path: &str,
    query: &BTreeMap<String, String>,
    body: &Value,
) -> Value {
    let query = Some(query).filter(|query| !query.is_empty());
    present(json!({ "method": method, "path": path, "query": query, "body": body }))
}

/// Only the members that have a value.
pub(super) fn present(mut document: Value) -> Value {
    if let Some(members) = document.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    document
}

#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    pub kind: String,
    pub body: Value,
}

/// What is kept in mind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeptMemory {
    /// By the person.
    pub user: String,
    pub project: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ModelUse {
    /// Requests that reached the model server.
    pub calls: usize,
    pub tokens: u64,
}

/// A text member of an event; empty if it has none.
pub(crate) fn text_of<'a>(event: &'a Value, name: &str) -> &'a str {
    event.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Every text in a document.
pub(super) fn leaves(document: &Value) -> Vec<&str> {
    match document {
        Value::String(text) => vec![text.as_str()],
        Value::Array(items) => items.iter().flat_map(leaves).collect(),
        Value::Object(members) => members.values().flat_map(leaves).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => Vec::new(),
    }
}

/// The texts of a list member.
pub(crate) fn texts_of(event: &Value, name: &str) -> Vec<String> {
    let items = event.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

impl Window {
    pub(crate) fn named<'a>(&'a self, name: &'a str) -> impl DoubleEndedIterator<Item = &'a Value> {
        self.events.iter().filter(move |event| text_of(event, "event") == name)
    }

    /// Texts of the system: replies, questions and previews.
    pub(crate) fn replies(&self) -> impl Iterator<Item = &str> {
        let is_reply =
            |event: &&Value| matches!(text_of(event, "event"), "reply" | "ask" | "preview");
        self.events.iter().filter(is_reply).map(|event| text_of(event, "text"))
    }

    /// The hash of the rules in the model's prompt; empty if no model was called.
    pub(crate) fn prompt_hash(&self) -> String {
        let called = self.audit.iter().find(|record| record.kind == "model.called");
        called.map(|record| text_of(&record.body, "rulesHash").to_owned()).unwrap_or_default()
    }

    /// Codes of everything that was refused: by the gates, when the plan was drawn, and by DACS.
    pub(crate) fn denials(&self) -> std::collections::BTreeSet<String> {
        let mut codes = std::collections::BTreeSet::new();
        for event in self.named("flow") {
            if text_of(event, "input") == "ruling" && text_of(event, "outcome") == "deny" {
                codes.extend(texts_of(event, "codes"));
            }
        }
        for event in self.named("reply") {
            let params = event.get("params").unwrap_or(&Value::Null);
            codes.extend(texts_of(params, "codes"));
            if text_of(event, "reply") == "dacs_no" {
                codes.insert("DACS_NO".to_owned());
            }
            let reasons = params.get("reasons").and_then(Value::as_array);
            codes.extend(reasons.into_iter().flatten().map(reason_code));
        }
        codes
    }
}

/// A reason's code, else its kind: `NO_EXECUTOR`, `OUTSIDE_ENVELOPE`.
fn reason_code(reason: &Value) -> String {
    match reason.get("code").and_then(Value::as_str) {
        Some(code) => code.to_owned(),
        None => text_of(reason, "kind").to_uppercase(),
    }
}
