//! Models to choose from: the built-in one, those at origins that an administrator approved, and
//! those that seem available.

use crate::{
    dto::{
        localized::LocalizedText,
        setup::{ProviderItem, ProviderState},
    },
    models::local_models::{Found, LocalPlaces},
};
use std::collections::BTreeSet;
use wiiiv_domain::{Lang, ProviderName};
use wiiiv_messages::{Messages, ProviderHint};
use wiiiv_net::Origin;

/// A key that is known by the names of its variables. Its value is never read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProviderKey {
    /// Names that its key goes by; the first one that is set counts. A gateway has none: its key is
    /// stored.
    pub variables: &'static [&'static str],
    /// What a policy's `llmProvider` says, in lower case.
    pub id: &'static str,
    pub provider: &'static str,
    pub origin: &'static str,
}

pub const PROVIDER_KEYS: [ProviderKey; 4] = [
    ProviderKey {
        variables: &["OPENAI_API_KEY"],
        id: "openai",
        provider: "OpenAI",
        origin: "https://api.openai.com",
    },
    ProviderKey {
        variables: &["ANTHROPIC_API_KEY"],
        id: "anthropic",
        provider: "Anthropic",
        origin: "https://api.anthropic.com",
    },
    ProviderKey {
        variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        id: "google",
        provider: "Google Gemini",
        origin: "https://generativelanguage.googleapis.com",
    },
    ProviderKey {
        variables: &[],
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
    /// Where model servers of this machine are looked for.
    pub local: LocalPlaces,
}

impl ModelPlaces {
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
    let offline = ProviderName::Offline.as_str().to_owned();
    let offline = item("offline", offline, ProviderState::Ready, None);
    let offline = ProviderItem { hint: hint(&ProviderHint::Offline), ..offline };
    let found = places.local.found().await;
    let local: Vec<ProviderItem> =
        found.into_iter().map(|found| at_hand(places, found, &hint)).collect();
    let known: Vec<&str> = PROVIDER_KEYS.iter().map(|key| key.origin).collect();
    let named = |origin: &String| {
        !local.iter().any(|item| item.origin.as_ref() == Some(origin))
            && !known.contains(&origin.as_str())
    };
    let approved = places.approved.iter().map(ToString::to_string).filter(named);
    let ready = |origin: String| item("custom", origin.clone(), ProviderState::Ready, Some(origin));
    let approved: Vec<ProviderItem> = approved.map(ready).collect();
    let keys = PROVIDER_KEYS.iter().map(|key| keyed(places, key, &hint));
    [offline].into_iter().chain(local).chain(approved).chain(keys).collect()
}

type Hint<'a> = dyn Fn(&ProviderHint<'_>) -> Option<LocalizedText> + Sync + 'a;

fn item(
    id: &'static str,
    name: String,
    state: ProviderState,
    origin: Option<String>,
) -> ProviderItem {
    ProviderItem { id, name, state, origin, models: Vec::new(), env: None, hint: None }
}

fn at_hand(places: &ModelPlaces, found: Found, hint: &Hint<'_>) -> ProviderItem {
    let Found { id, name, origins, models } = found;
    let approved = origins.iter().find(|origin| places.approves(origin));
    let is_approved = approved.is_some();
    let [first, _] = &origins;
    let origin = approved.unwrap_or(first).clone();
    let (state, told) = match (&models, is_approved) {
        (Some(_), true) => (ProviderState::Found, None),
        (Some(_), false) => {
            (ProviderState::NotApproved, hint(&ProviderHint::NotApproved { origin: &origin }))
        }
        (None, _) => (ProviderState::NotFound, hint(&ProviderHint::NoAnswer { origin: &origin })),
    };
    let item = item(id, name.to_owned(), state, Some(origin));
    ProviderItem { models: models.unwrap_or_default(), hint: told, ..item }
}

/// A key in the environment is not read for this.
fn keyed(places: &ModelPlaces, key: &ProviderKey, hint: &Hint<'_>) -> ProviderItem {
    let set = key.variables.iter().copied().find(|name| places.keys.contains(name));
    let state = match (set.is_some(), places.approves(key.origin)) {
        // A key can be stored for it.
        (false, true) => ProviderState::Ready,
        (false, false) => ProviderState::NotFound,
        (true, true) => ProviderState::Found,
        (true, false) => ProviderState::NotApproved,
    };
    let told = match set {
        Some(variable) => Some(ProviderHint::KeyFound { variable }),
        None => key.variables.first().map(|variable| ProviderHint::NoKey { variable }),
    };
    let item = item(key.id, key.provider.to_owned(), state, Some(key.origin.to_owned()));
    ProviderItem { env: set, hint: told.as_ref().and_then(hint), ..item }
}
