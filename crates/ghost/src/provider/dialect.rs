//! What providers have in common, and where each goes its own way.

use super::{PROVIDER_KEY, anthropic, embeddings, google, models, openai, responses, voice::Voice};
use axum::{
    Json,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse as _, Response},
};
use serde_json::Value;
use std::str::FromStr;

/// Which interface is spoken, where that is a header.
const VERSION: &str = "anthropic-version";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    OpenAi,
    /// Its other interface, at the same address.
    Responses,
    /// A compatible server that asks for no key.
    Local,
    Anthropic,
    Google,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    Ended,
    Cut,
}

/// Why a request is not answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It breaks a rule of the interface.
    Invalid(String),
    TooLong,
    /// For what was asked.
    Declined,
    WrongKey,
    Unpaid,
    Forbidden,
    NoSuchModel,
    /// The model is served by the other interface alone.
    Elsewhere,
    /// With Retry-After, in seconds.
    RateLimited(Option<u64>),
    Broken,
    Overloaded,
}

impl Dialect {
    pub const ALL: [(&'static str, Self); 4] = [
        ("openai", Self::OpenAi),
        ("local", Self::Local),
        ("anthropic", Self::Anthropic),
        ("google", Self::Google),
    ];
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAi | Self::Responses => "openai",
            Self::Local => "local",
            Self::Anthropic => "anthropic",
            Self::Google => "google",
        }
    }

    /// Two interfaces, one address.
    pub(super) fn at(self, path: &str) -> Self {
        if self == Self::OpenAi && path == "v1/responses" { Self::Responses } else { self }
    }

    /// Against the interface's own rules: the path, the key's place, the fields and their types.
    pub(super) fn check(
        self,
        target: &str,
        headers: &HeaderMap,
        body: &Value,
    ) -> Result<(), Refusal> {
        self.check_key(headers)?;
        if embeddings::is_asked(target.trim_end_matches('?')) {
            return embeddings::check(self, target, body);
        }
        match self {
            Self::OpenAi => openai::check(target, body, &openai::OWN),
            Self::Responses => responses::check(target, body),
            Self::Local => openai::check(target, body, &openai::COMPATIBLE),
            Self::Anthropic => anthropic::check(target, sent(headers, VERSION), body),
            Self::Google => google::check(target, body),
        }
    }

    /// The same of a list of models.
    pub(super) fn check_list(
        self,
        asked: (&str, &str),
        headers: &HeaderMap,
    ) -> Result<(), Refusal> {
        self.check_key(headers)?;
        models::check(self, asked, sent(headers, VERSION))
    }

    /// In the header that is this provider's own, and in no other.
    fn check_key(self, headers: &HeaderMap) -> Result<(), Refusal> {
        let key = match self {
            Self::Local => Some(PROVIDER_KEY),
            Self::OpenAi | Self::Responses => {
                sent(headers, "authorization").and_then(|value| value.strip_prefix("Bearer "))
            }
            Self::Anthropic => sent(headers, "x-api-key"),
            Self::Google => sent(headers, "x-goog-api-key"),
        };
        if key == Some(PROVIDER_KEY) { Ok(()) } else { Err(Refusal::WrongKey) }
    }

    /// What is asked for by one tool is answered by calling it.
    pub(super) fn voice(self, asked: &Value) -> Voice {
        let forced = ["tool_choice", "toolConfig"].iter().any(|name| asked.get(name).is_some());
        Voice { dialect: self, calls: forced }
    }

    pub(super) fn refuse(self, refusal: &Refusal) -> Response {
        let (status, body) = match self {
            Self::OpenAi | Self::Responses | Self::Local => openai::refused(refusal),
            Self::Anthropic => anthropic::refused(refusal),
            Self::Google => google::refused(refusal),
        };
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::IM_A_TEAPOT);
        match (self, refusal) {
            // It says so in the body.
            (Self::Google, _) => (status, Json(body)).into_response(),
            (_, Refusal::RateLimited(Some(seconds))) => {
                (status, [("retry-after", seconds.to_string())], Json(body)).into_response()
            }
            _ => (status, Json(body)).into_response(),
        }
    }
}

impl FromStr for Dialect {
    type Err = ();
    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.iter().find(|(own, _)| *own == name).map(|(_, one)| *one).ok_or(())
    }
}

fn sent<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Objects of an interface that takes no field that it does not know.
pub(super) fn only(object: &Value, known: &[&str]) -> Result<(), Refusal> {
    let Some(fields) = object.as_object() else {
        return Err(Refusal::Invalid("an object is expected".to_owned()));
    };
    match fields.keys().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(Refusal::Invalid(format!("{name}: extra inputs are not permitted"))),
        None => Ok(()),
    }
}

pub(super) fn expect(holds: bool, what: &str) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(Refusal::Invalid(what.to_owned())) }
}

pub(super) fn at<'v>(body: &'v Value, pointer: &str) -> &'v Value {
    body.pointer(pointer).unwrap_or(&Value::Null)
}
