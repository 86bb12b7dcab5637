//! Which models there are to choose from: the built-in one, what an administrator approved, and
//! what seems to be at hand.

use crate::dto::{
    localized::LocalizedText,
    setup::{ProviderItem, ProviderState},
};
use serde::Deserialize;
use std::{collections::BTreeSet, net::SocketAddr};
use wiiiv_domain::{HttpMethod, Lang, ProviderName, Scheme};
use wiiiv_language::{Messages, ProviderHint};
use wiiiv_net::{EgressRule, Origin, Resolver, ToolClient, ToolRequest, Url};

/// The whole probe, in milliseconds: nobody waits for what is not there.
const PROBE_MS_MAX: u64 = 1_000;
const PROBE_BYTES_MAX: usize = 1024 * 1024;
/// Of one place.
const MODELS_MAX: usize = 100;
const MODEL_CHARS_MAX: usize = 200;

/// A key that is known by the name of its variable. Its value is never read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProviderKey {
    pub variable: &'static str,
    /// What a policy's `llmProvider` says, in lower case.
    pub id: &'static str,
    pub provider: &'static str,
    pub origin: &'static str,
}

pub const PROVIDER_KEYS: [ProviderKey; 4] = [
    ProviderKey {
        variable: "OPENAI_API_KEY",
        id: "openai",
        provider: "OpenAI",
        origin: "https://api.openai.com",
    },
    ProviderKey {
        variable: "ANTHROPIC_API_KEY",
        id: "anthropic",
        provider: "Anthropic",
        origin: "https://api.anthropic.com",
    },
    ProviderKey {
        variable: "GEMINI_API_KEY",
        id: "google",
        provider: "Google Gemini",
        origin: "https://generativelanguage.googleapis.com",
    },
    ProviderKey {
        variable: "OPENROUTER_API_KEY",
        id: "custom",
        provider: "OpenRouter",
        origin: "https://openrouter.ai",
    },
];

/// Handed in by `main`, which alone reads settings and environment.
#[derive(Debug, Clone)]
pub struct ModelPlaces {
    /// `llm.approved_origins`.
    pub approved: Vec<Origin>,
    /// Variables of [`PROVIDER_KEYS`] that are set.
    pub keys: BTreeSet<&'static str>,
    /// Where Ollama is looked for: a loopback address.
    pub ollama: SocketAddr,
}

impl ModelPlaces {
    /// As Ollama has it unless it is told otherwise.
    pub const OLLAMA: SocketAddr =
        SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 11_434);

    fn approves(&self, origin: &str) -> bool {
        Origin::parse(origin).is_ok_and(|origin| self.approved.contains(&origin))
    }
}

/// In the order of the least trouble.
pub(crate) async fn providers(places: &ModelPlaces, messages: &Messages) -> Vec<ProviderItem> {
    let hint = |hint: &ProviderHint<'_>| {
        let [ko, en] = Lang::ALL.map(|lang| messages.provider_hint(lang, hint));
        Some(LocalizedText { ko, en })
    };
    let offline = ProviderItem {
        id: "offline",
        name: ProviderName::Offline.as_str().to_owned(),
        state: ProviderState::Ready,
        origin: None,
        models: Vec::new(),
        env: None,
        hint: hint(&ProviderHint::Offline),
    };
    let local = ollama(places, &hint).await;
    let known: Vec<&str> = PROVIDER_KEYS.iter().map(|key| key.origin).collect();
    let named = |origin: &String| {
        Some(origin) != local.origin.as_ref() && !known.contains(&origin.as_str())
    };
    let approved = places.approved.iter().map(ToString::to_string).filter(named);
    let approved: Vec<ProviderItem> = approved.map(ready).collect();
    let keys = PROVIDER_KEYS.iter().map(|key| keyed(places, key, &hint));
    [offline, local].into_iter().chain(approved).chain(keys).collect()
}

type Hint<'a> = dyn Fn(&ProviderHint<'_>) -> Option<LocalizedText> + Sync + 'a;

fn ready(origin: String) -> ProviderItem {
    let name = origin.clone();
    custom(name, ProviderState::Ready, origin)
}

fn custom(name: String, state: ProviderState, origin: String) -> ProviderItem {
    let origin = Some(origin);
    ProviderItem { id: "custom", name, state, origin, models: Vec::new(), env: None, hint: None }
}

async fn ollama(places: &ModelPlaces, hint: &Hint<'_>) -> ProviderItem {
    let origin = format!("http://{}", places.ollama);
    let found = models_of(places.ollama).await;
    let (state, told) = match (&found, places.approves(&origin)) {
        (Some(_), true) => (ProviderState::Found, None),
        (Some(_), false) => {
            (ProviderState::NotApproved, hint(&ProviderHint::NotApproved { origin: &origin }))
        }
        (None, _) => (ProviderState::NotFound, hint(&ProviderHint::NoAnswer { origin: &origin })),
    };
    let item = custom("Ollama".to_owned(), state, origin);
    ProviderItem { id: "ollama", models: found.unwrap_or_default(), hint: told, ..item }
}

/// A key in the environment is not read for this.
fn keyed(places: &ModelPlaces, key: &ProviderKey, hint: &Hint<'_>) -> ProviderItem {
    let variable = key.variable;
    // Of a gateway no key of the environment is used: it can be stored.
    let known = key.id != "custom";
    let set = known && places.keys.contains(variable);
    let (state, told) = match (set, places.approves(key.origin)) {
        // A key can be stored for it.
        (false, true) => (ProviderState::Ready, ProviderHint::NoKey { variable }),
        (false, false) => (ProviderState::NotFound, ProviderHint::NoKey { variable }),
        (true, true) => (ProviderState::Found, ProviderHint::KeyFound { variable }),
        (true, false) => (ProviderState::NotApproved, ProviderHint::KeyFound { variable }),
    };
    let item = custom(key.provider.to_owned(), state, key.origin.to_owned());
    ProviderItem {
        id: key.id,
        env: set.then_some(variable),
        hint: hint(&told).filter(|_| known),
        ..item
    }
}

#[derive(Deserialize)]
struct Tags {
    models: Vec<Tag>,
}

#[derive(Deserialize)]
struct Tag {
    name: String,
}

/// `None` where nothing answers as Ollama does.
async fn models_of(place: SocketAddr) -> Option<Vec<String>> {
    let rule =
        EgressRule::new(Some(Scheme::Http), &place.ip().to_string(), Some(place.port()), true);
    let request = ToolRequest {
        method: HttpMethod::Get,
        url: Url::parse(&format!("http://{place}/api/tags")).ok()?,
        headers: Vec::new(),
        body: None,
        timeout_ms: PROBE_MS_MAX,
        max_bytes: PROBE_BYTES_MAX,
        idempotency_key: None,
    };
    let answer = ToolClient::new(Resolver::System).send(request, &[rule.ok()?]).await.ok()?;
    let tags: Tags = serde_json::from_slice(&answer.body).ok().filter(|_| answer.status == 200)?;
    let names = tags.models.into_iter().map(|tag| tag.name);
    Some(names.filter(|name| is_model(name)).take(MODELS_MAX).collect())
}

/// What a policy may name, and a page may show.
fn is_model(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/@+".contains(c);
    (1..=MODEL_CHARS_MAX).contains(&name.chars().count()) && name.chars().all(plain)
}
