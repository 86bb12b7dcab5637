//! Wire formats of providers: the request, the place of the key, the meaning of an answer's events
//! and of errors.

mod anthropic;
mod embedding;
mod form;
mod google;
pub(crate) mod meaning;
mod openai;
pub(crate) mod piece;
pub(crate) mod request;
mod responses;
mod values;

use crate::{
    key::ProviderKey,
    wire::request::{ModelRequest, under},
};
pub(crate) use embedding::{DIMENSIONS_MAX, Embedded};
pub use form::Form;
use meaning::Meaning;
use piece::{NoPiece, Piece};
use serde_json::Value;
use std::time::Duration;
use wiiiv_net::{Credential, Url};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wire {
    /// Chat Completions of OpenAI itself.
    OpenAi,
    /// Responses, of the same.
    Responses,
    /// Chat Completions as other servers understand them.
    Compatible,
    /// The same, as Ollama publishes it.
    Ollama,
    /// Messages.
    Anthropic,
    /// `generateContent`.
    Google,
}

impl Wire {
    /// `None`: no path can be put behind this base.
    pub(crate) fn endpoint(self, base: &Url, model: &str) -> Option<Url> {
        match self {
            Self::OpenAi | Self::Compatible | Self::Ollama => openai::endpoint(base),
            Self::Responses => responses::endpoint(base),
            Self::Anthropic => anthropic::endpoint(base),
            Self::Google => google::endpoint(base, model),
        }
    }

    /// Of the models that it serves.
    pub(crate) fn list(self, base: &Url) -> Option<Url> {
        let page = |url: Option<Url>, name: &str| {
            let mut url = url?;
            url.query_pairs_mut().append_pair(name, "1000");
            Some(url)
        };
        match self {
            Self::OpenAi | Self::Responses | Self::Compatible | Self::Ollama => {
                under(base, "models")
            }
            Self::Anthropic => page(under(base, "v1/models"), "limit"),
            Self::Google => page(under(base, "models"), "pageSize"),
        }
    }

    /// It does not know the key, or not for this.
    pub(crate) fn refuses_key(self, status: u16, body: &[u8]) -> bool {
        matches!(self.meaning(status, body), Meaning::WrongKey | Meaning::Forbidden)
    }

    pub(crate) fn body(self, asked: &ModelRequest<'_>) -> Result<Vec<u8>, serde_json::Error> {
        let fields = match self {
            Self::OpenAi => openai::own(asked),
            Self::Responses => responses::fields(asked),
            Self::Compatible | Self::Ollama => openai::compatible(asked),
            Self::Anthropic => anthropic::fields(asked),
            Self::Google => google::fields(asked),
        };
        serde_json::to_vec(&fields?)
    }

    pub(crate) fn credential(self, key: &ProviderKey) -> Credential {
        let (origin, secret) = (key.origin.clone(), key.secret.clone());
        match self {
            Self::OpenAi | Self::Responses | Self::Compatible | Self::Ollama => {
                Credential::bearer(origin, secret)
            }
            Self::Anthropic => Credential::header("x-api-key", origin, secret),
            Self::Google => Credential::header("x-goog-api-key", origin, secret),
        }
    }

    pub(crate) fn headers(self) -> Vec<(String, String)> {
        let named = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        match self {
            Self::OpenAi | Self::Responses | Self::Compatible | Self::Ollama | Self::Google => {
                Vec::new()
            }
            Self::Anthropic => anthropic::HEADERS.into_iter().map(named).collect(),
        }
    }

    /// One event of a stream.
    pub(crate) fn piece(self, data: &[u8]) -> Result<Piece, NoPiece> {
        match self {
            Self::OpenAi | Self::Compatible | Self::Ollama => openai::piece(data),
            Self::Responses => responses::piece(data),
            Self::Anthropic => anthropic::piece(data),
            Self::Google => google::piece(data),
        }
    }

    /// The whole answer of a server that does not stream.
    pub(crate) fn document(self, data: &[u8]) -> Result<Piece, NoPiece> {
        match self {
            Self::OpenAi | Self::Compatible | Self::Ollama => openai::piece(data),
            Self::Responses => responses::document(data),
            Self::Anthropic => anthropic::document(data),
            Self::Google => google::piece(data),
        }
    }

    /// Whether a stream that does not say how it ended has broken off. Of servers that only mean
    /// to be compatible not all say so.
    pub(crate) const fn says_its_end(self) -> bool {
        match self {
            Self::OpenAi | Self::Responses | Self::Ollama | Self::Anthropic | Self::Google => true,
            Self::Compatible => false,
        }
    }

    /// Whether an error in place of an answer may be paid for. What was declined was read, and may
    /// have been written; behind a gateway that is out of patience somebody may still be at work.
    pub(crate) const fn may_charge_for(self, meaning: Meaning) -> bool {
        match (self, meaning) {
            (_, Meaning::Refused) | (Self::Compatible, Meaning::Late) => true,
            (
                Self::OpenAi | Self::Responses | Self::Ollama | Self::Anthropic | Self::Google,
                Meaning::Late,
            )
            | (
                _,
                Meaning::WrongKey
                | Meaning::Forbidden
                | Meaning::Unpaid
                | Meaning::RateLimited
                | Meaning::TooLong
                | Meaning::UnknownField
                | Meaning::Unserved
                | Meaning::Elsewhere
                | Meaning::Broken,
            ) => false,
        }
    }

    /// A status as what it means: providers tell of a long prompt, a wrong key, an empty account and
    /// a refusal under statuses that say something else.
    pub(crate) fn meaning(self, status: u16, body: &[u8]) -> Meaning {
        let body = told(body);
        match self {
            Self::OpenAi | Self::Responses | Self::Compatible | Self::Ollama => {
                openai::meaning(status, &body)
            }
            Self::Anthropic => anthropic::meaning(status, &body),
            Self::Google => google::meaning(status, &body),
        }
    }

    /// How long to wait, where the body says so and no header does.
    pub(crate) fn patience(self, body: &[u8]) -> Option<Duration> {
        match self {
            Self::OpenAi | Self::Responses | Self::Compatible | Self::Ollama | Self::Anthropic => {
                None
            }
            Self::Google => google::patience(&told(body)),
        }
    }
}

/// An error's body; what is no JSON is read as words.
fn told(body: &[u8]) -> Value {
    let words = || Value::String(String::from_utf8_lossy(body).into_owned());
    serde_json::from_slice(body).unwrap_or_else(|_| words())
}
