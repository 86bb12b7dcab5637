//! A provider's endpoint: base URL, wire format, whether a key is required.

use crate::{key::ProviderKey, models_error::ModelsError, wire::Wire};
use std::fmt;
use wiiiv_domain::ProviderName;
use wiiiv_net::{Origin, Url};

/// One provider that is asked over the net.
#[derive(Clone)]
pub(crate) struct Endpoint {
    pub(crate) wire: Wire,
    pub(crate) base: Url,
    pub(crate) origin: Origin,
    provider: ProviderName,
}

/// A base URL may hold a secret in its path or query.
impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { wire, base: _, origin, provider } = self;
        f.debug_struct("Endpoint")
            .field("provider", provider)
            .field("wire", wire)
            .field("origin", origin)
            .finish_non_exhaustive()
    }
}

impl Endpoint {
    /// `None`: built in, it is nowhere.
    pub(crate) fn of(
        provider: ProviderName,
        base_url: Option<&str>,
    ) -> Result<Option<Self>, ModelsError> {
        let Some((wire, own)) = known(provider) else { return Ok(None) };
        let given = base_url.map(str::trim).filter(|url| !url.is_empty());
        let base = given.or(own).ok_or(ModelsError::NoBaseUrl)?;
        let unusable = |why: &str| ModelsError::BaseUrl(why.to_owned());
        let mut base = Url::parse(base).map_err(|e| unusable(&e.to_string()))?;
        // Its pages name `http://localhost:11434` alone; what is spoken here lies below.
        if provider == ProviderName::Ollama && base.path() == "/" {
            base.set_path(interface_path(provider, ""));
        }
        let origin = Origin::of(&base).map_err(|e| unusable(&e.to_string()))?;
        if base.fragment().is_some() {
            return Err(unusable("leave out the `#` and what follows it"));
        }
        Ok(Some(Self { wire, base, origin, provider }))
    }

    /// The same, where this key fits it.
    pub(crate) fn with_key(self, key: Option<&ProviderKey>) -> Result<Self, ModelsError> {
        match key {
            Some(key) if key.origin == self.origin => Ok(self),
            Some(_) => Err(ModelsError::KeyElsewhere(self.origin)),
            None if asks_for_key(self.provider) => Err(ModelsError::NoKey(self.provider)),
            None => Ok(self),
        }
    }
}

/// How it is spoken to, and where it is unless a base URL says otherwise.
const fn known(provider: ProviderName) -> Option<(Wire, Option<&'static str>)> {
    match provider {
        ProviderName::Offline | ProviderName::Local => None,
        ProviderName::OpenAi => Some((Wire::OpenAi, Some("https://api.openai.com/v1"))),
        ProviderName::Anthropic => Some((Wire::Anthropic, Some("https://api.anthropic.com"))),
        ProviderName::Google => {
            Some((Wire::Google, Some("https://generativelanguage.googleapis.com/v1beta")))
        }
        ProviderName::Ollama => Some((Wire::Ollama, Some("http://localhost:11434/v1"))),
        ProviderName::Custom => Some((Wire::Compatible, None)),
    }
}

/// Where its interface is unless a base URL says otherwise; `None`: only its user knows, or it is
/// built in.
#[must_use]
pub fn own_base_url(provider: ProviderName) -> Option<&'static str> {
    known(provider).and_then(|(_, own)| own)
}

/// Where a server at that origin usually has its interface.
#[must_use]
pub fn interface_path(provider: ProviderName, origin: &str) -> &'static str {
    match provider {
        ProviderName::Anthropic => "",
        ProviderName::Google => "/v1beta",
        _ if origin == "https://openrouter.ai" => "/api/v1",
        ProviderName::Offline
        | ProviderName::OpenAi
        | ProviderName::Ollama
        | ProviderName::Custom
        | ProviderName::Local => "/v1",
    }
}

/// Whether it answers nobody without a key.
#[must_use]
pub const fn asks_for_key(provider: ProviderName) -> bool {
    match provider {
        ProviderName::OpenAi | ProviderName::Anthropic | ProviderName::Google => true,
        ProviderName::Offline
        | ProviderName::Ollama
        | ProviderName::Custom
        | ProviderName::Local => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(provider: ProviderName, base_url: Option<&str>) -> String {
        let endpoint = Endpoint::of(provider, base_url).unwrap().unwrap();
        endpoint.wire.endpoint(&endpoint.base, "models/m 1").unwrap().to_string()
    }

    #[test]
    fn a_base_url_is_joined_as_it_is_meant() {
        for (base, expected) in [
            ("http://h:1/v1", "http://h:1/v1/chat/completions"),
            (" http://h:1/v1/ ", "http://h:1/v1/chat/completions"),
            ("http://h:1/v1//", "http://h:1/v1/chat/completions"),
            ("http://h:1", "http://h:1/chat/completions"),
            ("https://h/a%20b/?api-version=7", "https://h/a%20b/chat/completions?api-version=7"),
        ] {
            assert_eq!(endpoint(ProviderName::Custom, Some(base)), expected);
        }
        for base in ["", " ", "h:1/v1", "ftp://h/v1", "http://u:p@h/v1", "http://h/v1#part"] {
            assert!(Endpoint::of(ProviderName::Custom, Some(base)).is_err(), "{base}");
        }
    }

    #[test]
    fn a_bare_address_of_ollama_is_asked_where_it_has_its_interface() {
        for (base, expected) in [
            ("http://127.0.0.1:11434", "http://127.0.0.1:11434/v1"),
            (" http://ollama:11434/ ", "http://ollama:11434/v1"),
            ("http://h:1/v1", "http://h:1/v1"),
            ("http://h:1/ollama/", "http://h:1/ollama"),
        ] {
            let endpoint = Endpoint::of(ProviderName::Ollama, Some(base)).unwrap().unwrap();
            let asked = [
                (endpoint.wire.endpoint(&endpoint.base, "m"), "chat/completions"),
                (endpoint.wire.list(&endpoint.base), "models"),
                (endpoint.wire.embeddings(&endpoint.base, "m"), "embeddings"),
            ];
            for (url, end) in asked {
                assert_eq!(url.unwrap().as_str(), format!("{expected}/{end}"), "{base}");
            }
        }
    }

    #[test]
    fn every_provider_has_its_place() {
        use ProviderName::{Anthropic, Custom, Google, Local, Offline, Ollama, OpenAi};
        for (provider, expected) in [
            (OpenAi, "https://api.openai.com/v1/chat/completions"),
            (Anthropic, "https://api.anthropic.com/v1/messages"),
            (
                Google,
                "https://generativelanguage.googleapis.com/v1beta/models/m%201:streamGenerateContent?alt=sse",
            ),
            (Ollama, "http://localhost:11434/v1/chat/completions"),
        ] {
            assert_eq!(endpoint(provider, None), expected);
        }
        for nowhere in [Offline, Local] {
            assert!(Endpoint::of(nowhere, None).is_ok_and(|endpoint| endpoint.is_none()));
        }
        assert!(matches!(Endpoint::of(Custom, None), Err(ModelsError::NoBaseUrl)));
        let gateway = endpoint(Anthropic, Some("https://gateway.test/claude/"));
        assert_eq!(gateway, "https://gateway.test/claude/v1/messages");
    }

    #[test]
    fn what_a_base_url_holds_is_not_printed() {
        let base = Some("https://h.test/canary-1/v1?key=canary-2");
        let endpoint = Endpoint::of(ProviderName::Custom, base).unwrap().unwrap();
        let printed = format!("{endpoint:?}");
        assert!(printed.contains("h.test") && !printed.contains("canary"), "{printed}");
    }

    #[test]
    fn a_key_is_needed_where_one_is_asked_for_and_fits_one_origin() {
        let key = |origin: &Origin| ProviderKey::new(origin.clone(), "sk-0123456789".into());
        let elsewhere = key(&Origin::parse("https://elsewhere.test").unwrap());
        for provider in ProviderName::ALL {
            let Some(endpoint) = Endpoint::of(provider, Some("https://h.test/v1")).unwrap() else {
                continue;
            };
            let without = endpoint.clone().with_key(None);
            assert_eq!(without.is_err(), asks_for_key(provider), "{provider}");
            let own = key(&endpoint.origin);
            assert!(endpoint.clone().with_key(Some(&own)).is_ok(), "{provider}");
            let wrong = endpoint.with_key(Some(&elsewhere));
            assert!(matches!(wrong, Err(ModelsError::KeyElsewhere(_))), "{provider}");
        }
    }
}
