//! A provider's list of models: what it serves, and whether it accepts a key. The request holds no
//! data of ours and costs nothing.

use crate::{
    catalogue::is_same,
    endpoint::{self, Endpoint},
    key::ProviderKey,
    key_redaction::KeyRedaction,
    models::Models,
    models_error::ModelsError,
    wire::Wire,
};
use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, SeqAccess, Visitor},
};
use std::fmt;
use wiiiv_domain::{KeyVerdict, ProviderName};
use wiiiv_net::{Bytes, Origin, ProviderError, ProviderRequest};

/// Models of one list; what comes after them is left out.
const MODELS_MAX: usize = 1_000;
const NAME_CHARS_MAX: usize = 200;
const LIST_BYTES_MAX: usize = 4 * 1_048_576;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    pub verdict: KeyVerdict,
    /// In the provider's own order; empty unless it accepted.
    pub models: Vec<String>,
    /// There is no further page, and nothing was left out.
    pub whole: bool,
}

impl Listing {
    /// The provider has said what it serves, and this model is not among it.
    #[must_use]
    pub fn lacks(&self, model: &str) -> bool {
        let told = self.verdict == KeyVerdict::Accepted && self.whole;
        told && !self.models.iter().any(|listed| is_same(model, listed))
    }

    /// A server that says the key back does not get it shown.
    fn without_key(mut self, key: Option<&ProviderKey>) -> Self {
        let echo = KeyRedaction::of(key);
        let told = self.models.len();
        self.models.retain(|name| !echo.is_in(name));
        self.whole &= self.models.len() == told;
        self
    }

    const fn without(verdict: KeyVerdict) -> Self {
        Self { verdict, models: Vec::new(), whole: false }
    }
}

impl Models {
    /// Where that provider is asked; `None` for the built-in one.
    pub fn origin(
        &self,
        provider: ProviderName,
        base_url: Option<&str>,
    ) -> Result<Option<Origin>, ModelsError> {
        Ok(Endpoint::of(provider, base_url)?.map(|endpoint| endpoint.origin))
    }

    /// Whether an administrator approved that origin.
    #[must_use]
    pub fn approves(&self, origin: &Origin) -> bool {
        self.provider.approves(origin)
    }

    /// Whether that provider answers nobody without a key.
    #[must_use]
    pub const fn needs_key(provider: ProviderName) -> bool {
        endpoint::asks_for_key(provider)
    }

    /// A server that asks nobody for a key accepts any.
    pub async fn list(
        &self,
        provider: ProviderName,
        base_url: Option<&str>,
        key: Option<&ProviderKey>,
    ) -> Result<Listing, ModelsError> {
        let Some(endpoint) = Endpoint::of(provider, base_url)? else {
            return Ok(Listing::without(KeyVerdict::Accepted));
        };
        let endpoint = endpoint.with_key(key)?;
        let url = endpoint.wire.list(&endpoint.base).ok_or(ModelsError::NoBaseUrl)?;
        let credential = key.map(|key| endpoint.wire.credential(key));
        let mut request = ProviderRequest::new(url, credential, Bytes::new());
        request.headers = endpoint.wire.headers();
        request.max_bytes = LIST_BYTES_MAX;
        Ok(match self.provider.get(request).await {
            Ok(answer) => read(endpoint.wire, &answer.body).without_key(key),
            Err(error) => Listing::without(verdict(endpoint.wire, &error)),
        })
    }
}

fn verdict(wire: Wire, error: &ProviderError) -> KeyVerdict {
    match error {
        ProviderError::OriginNotApproved { .. } | ProviderError::KeyElsewhere { .. } => {
            KeyVerdict::NotApproved
        }
        ProviderError::Header(_) => KeyVerdict::Refused,
        ProviderError::Status { code, body, .. } if wire.refuses_key(*code, body.bytes()) => {
            KeyVerdict::Refused
        }
        ProviderError::Status { .. }
        | ProviderError::Unreachable { .. }
        | ProviderError::Timeout { .. }
        | ProviderError::TooLarge { .. }
        | ProviderError::Interrupted { .. } => KeyVerdict::Unreachable,
    }
}

#[derive(Deserialize)]
struct Listed {
    /// OPENAI and ANTHROPIC.
    #[serde(default)]
    data: Option<Page>,
    /// GOOGLE.
    #[serde(default)]
    models: Option<Page>,
    /// There is more: of ANTHROPIC and of GOOGLE.
    #[serde(default)]
    has_more: bool,
    #[serde(default, rename = "nextPageToken")]
    next: Option<String>,
}

#[derive(Deserialize)]
struct Named {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    name: Option<String>,
}

/// The first of a list. What comes after them is read and not kept: `{},{},` and so on is a few
/// megabytes to read, and would be twenty times as much to keep.
struct Page(Vec<Named>);

impl<'de> Deserialize<'de> for Page {
    fn deserialize<D: Deserializer<'de>>(document: D) -> Result<Self, D::Error> {
        document.deserialize_seq(First)
    }
}

struct First;

impl<'de> Visitor<'de> for First {
    type Value = Page;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of models")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Page, A::Error> {
        let mut page = Vec::new();
        while page.len() < MODELS_MAX {
            let Some(named) = list.next_element()? else { return Ok(Page(page)) };
            page.push(named);
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Page(page))
    }
}

/// What is no list is no answer of such a provider.
fn read(wire: Wire, body: &[u8]) -> Listing {
    let listed: Option<Listed> = serde_json::from_slice(body).ok();
    let more = listed.as_ref().is_some_and(|listed| listed.has_more || listed.next.is_some());
    let named = listed.and_then(|listed| match wire {
        Wire::Google => listed.models,
        Wire::OpenAi | Wire::Responses | Wire::Compatible | Wire::Ollama | Wire::Anthropic => {
            listed.data
        }
    });
    let Some(Page(named)) = named else { return Listing::without(KeyVerdict::Unreachable) };
    let told = named.len();
    let more = more || told >= MODELS_MAX;
    let names = named.into_iter().filter_map(|model| match wire {
        Wire::Google => model.name.map(|name| name.trim_start_matches("models/").to_owned()),
        Wire::OpenAi | Wire::Responses | Wire::Compatible | Wire::Ollama | Wire::Anthropic => {
            model.id
        }
    });
    let models: Vec<String> = names.filter(|name| is_model(name)).collect();
    // Of an entry whose name cannot be read nobody knows which model it is.
    let whole = !more && models.len() == told;
    Listing { verdict: KeyVerdict::Accepted, models, whole }
}

/// What a policy may name, and a page may show.
fn is_model(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/@+".contains(c);
    (1..=NAME_CHARS_MAX).contains(&name.chars().count()) && name.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_list_is_read_in_its_providers_shape() {
        let openai =
            br#"{"object":"list","data":[{"id":"gpt-4o-mini","object":"model"},{"id":"x y"}]}"#;
        let google = br#"{"models":[{"name":"models/gemini-2.5-flash"}],"nextPageToken":"t"}"#;
        for (wire, body, expected) in [
            (Wire::OpenAi, openai.as_slice(), "gpt-4o-mini"),
            (Wire::Compatible, openai, "gpt-4o-mini"),
            (
                Wire::Anthropic,
                br#"{"data":[{"type":"model","id":"claude-haiku-4-5"}]}"#,
                "claude-haiku-4-5",
            ),
            (Wire::Google, google, "gemini-2.5-flash"),
        ] {
            let listing = read(wire, body);
            assert_eq!(listing.models, [expected], "{wire:?}");
            assert_eq!(listing.verdict, KeyVerdict::Accepted, "{wire:?}");
        }
    }

    #[test]
    fn what_a_whole_list_does_not_have_is_lacking() {
        let list = br#"{"data":[{"id":"gpt-4o-mini-2024-07-18"},{"id":"models/other"}]}"#;
        let listing = read(Wire::OpenAi, list);
        for (model, lacks) in [("gpt-4o-mini", false), ("other", false), ("gpt-4o", true)] {
            assert_eq!(listing.lacks(model), lacks, "{model}");
        }
        for paged in [
            r#"{"data":[{"id":"a"}],"has_more":true}"#,
            r#"{"data":[{"id":"a"}],"nextPageToken":"t"}"#,
            r#"{"data":[{"id":"a"},{"id":"no name of a model"},{}]}"#,
            "<html>",
        ] {
            assert!(!read(Wire::OpenAi, paged.as_bytes()).lacks("b"), "{paged}");
        }
    }

    #[test]
    fn a_key_that_is_said_back_is_not_shown() {
        let origin = Origin::parse("https://h.test").unwrap();
        let key = ProviderKey::new(origin, "sk-0123456789".into());
        let listing = read(Wire::OpenAi, br#"{"data":[{"id":"x-sk-0123456789"},{"id":"m"}]}"#);
        assert_eq!(listing.clone().without_key(None).models.len(), 2);
        assert_eq!(listing.without_key(Some(&key)).models, ["m"]);
    }

    #[test]
    fn what_is_no_list_is_no_answer() {
        for body in ["", "<html>", "[]", "{}", r#"{"models":[]}"#, r#"{"data":{}}"#] {
            let expected = Listing::without(KeyVerdict::Unreachable);
            assert_eq!(read(Wire::OpenAi, body.as_bytes()), expected, "{body}");
        }
        let many: Vec<String> = (0..2_000).map(|n| format!("{{\"id\":\"m{n}\"}}")).collect();
        let body = format!("{{\"data\":[{}]}}", many.join(","));
        let listing = read(Wire::OpenAi, body.as_bytes());
        assert_eq!((listing.models.len(), listing.whole), (MODELS_MAX, false));
        let broken = format!("{{\"data\":[{},", many.join(","));
        assert_eq!(read(Wire::OpenAi, broken.as_bytes()).verdict, KeyVerdict::Unreachable);
    }
}
