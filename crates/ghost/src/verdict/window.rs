//! What was seen in one turn, or in the whole run: everything that facts speak of.

use crate::{scenario::ServiceName, services::TokenState};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use wiiiv_domain::StateName;

#[derive(Debug, Clone, Default)]
pub struct Window {
    /// Journal events as clients see them, in order.
    pub events: Vec<Value>,
    /// Calls that reached each service of the scenario, log-ins among them.
    pub calls: BTreeMap<ServiceName, Vec<Call>>,
    /// Tables that facts ask for, as they are at the window's end.
    pub rows: BTreeMap<(ServiceName, String), Vec<Value>>,
    /// The workspace at the window's end.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The project's audit chain, oldest first.
    pub audit: Vec<Record>,
    /// States of the runs that began in the window, in that order.
    pub runs: Vec<String>,
    pub model: ModelUse,
    /// Codes with which buttons were refused.
    pub refused: Vec<String>,
    /// Where the conversation rested between the turns, in order.
    pub rests: Vec<Rest>,
}

/// Behind this event the session was in this state, and nothing was under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rest {
    pub after: u64,
    pub state: StateName,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub method: String,
    pub path: String,
    pub query: BTreeMap<String, String>,
    pub body: Value,
    /// What it came with to show whose it is.
    pub token: TokenState,
    /// The idempotency key that it came with.
    pub key: Option<String>,
    pub status: Option<u16>,
    /// By its method, or by the label of its registration, it changes nothing.
    pub reads: bool,
    /// An exchange of the credential for a token.
    pub logs_in: bool,
}

impl Call {
    /// For a token that holds no more: it had no effect, and is made once more with another.
    #[must_use]
    pub fn is_turned_away(&self) -> bool {
        const UNAUTHORIZED: u16 = 401;
        self.status == Some(UNAUTHORIZED) && self.token == TokenState::Expired
    }

    #[must_use]
    pub fn told(&self) -> Value {
        told_of(&self.method, &self.path, &self.query, &self.body)
    }
}

pub(super) fn told_of(
    method: &str,
    path: &str,
    query: &BTreeMap<String, String>,
    body: &Value,
) -> Value {
    let mut told = json!({ "method": method, "path": path });
    if let Some(members) = told.as_object_mut() {
        if !query.is_empty() {
            members.insert("query".to_owned(), json!(query));
        }
        if !body.is_null() {
            members.insert("body".to_owned(), body.clone());
        }
    }
    told
}

#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    pub kind: String,
    pub body: Value,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ModelUse {
    /// Requests that reached the model server.
    pub calls: usize,
    pub tokens: u64,
}

/// A text member of an event.
pub(crate) fn text<'a>(event: &'a Value, name: &str) -> &'a str {
    event.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// A list member's texts.
pub(crate) fn texts(event: &Value, name: &str) -> Vec<String> {
    let items = event.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

impl Window {
    pub(crate) fn named<'a>(&'a self, name: &'a str) -> impl DoubleEndedIterator<Item = &'a Value> {
        self.events.iter().filter(move |event| text(event, "event") == name)
    }

    /// Words of the system: replies, questions and previews.
    pub(crate) fn said(&self) -> impl Iterator<Item = &str> {
        let spoken = |event: &&Value| matches!(text(event, "event"), "reply" | "ask" | "preview");
        self.events.iter().filter(spoken).map(|event| text(event, "text"))
    }

    /// Of the rules that the model was shown; empty where none was asked.
    pub(crate) fn prompt_hash(&self) -> String {
        let called = self.audit.iter().find(|record| record.kind == "model.called");
        called.map(|record| text(&record.body, "rulesHash").to_owned()).unwrap_or_default()
    }

    /// Codes of everything that was refused: by gates, in drawing, and by DACS.
    pub(crate) fn denials(&self) -> std::collections::BTreeSet<String> {
        let mut codes = std::collections::BTreeSet::new();
        for event in self.named("flow") {
            if text(event, "input") == "ruling" && text(event, "outcome") == "deny" {
                codes.extend(texts(event, "codes"));
            }
        }
        for event in self.named("reply") {
            let params = event.get("params").unwrap_or(&Value::Null);
            codes.extend(texts(params, "codes"));
            if text(event, "reply") == "dacs_no" {
                codes.insert("DACS_NO".to_owned());
            }
            let reasons = params.get("reasons").and_then(Value::as_array);
            codes.extend(reasons.into_iter().flatten().map(reason_code));
        }
        codes
    }
}

/// A reason's own code, else its kind: `NO_EXECUTOR`, `OUTSIDE_ENVELOPE`.
fn reason_code(reason: &Value) -> String {
    match reason.get("code").and_then(Value::as_str) {
        Some(code) => code.to_owned(),
        None => text(reason, "kind").to_uppercase(),
    }
}
