//! What `config/models.toml` knows of models.

use serde::Deserialize;
use std::collections::BTreeMap;
use wiiiv_domain::ProviderName;

const VERSION: u32 = 1;
const EMBEDDED: &str = include_str!("../../../config/models.toml");

/// A file of ours is not one that can be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`config/models.toml` cannot be read: {reason}")]
pub struct CatalogueError {
    reason: String,
}

/// Of one provider, for the governor.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recommended {
    pub minimum: String,
    pub value: String,
    pub best: String,
}

/// Of a model that thinks before it answers, within the same tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Thinking {
    /// In tokens.
    Budget(u32),
    Level(Level),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    Minimal,
    Low,
    Medium,
    High,
}

impl Level {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Known {
    temperature: bool,
    thinking: Option<Thinking>,
    /// Of OPENAI: served by its Responses alone.
    responses: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Catalogue {
    version: u32,
    recommended: BTreeMap<ProviderName, Recommended>,
    /// By `PROVIDER:model`.
    models: BTreeMap<String, Known>,
}

impl Catalogue {
    pub(crate) fn embedded() -> Result<Self, CatalogueError> {
        Self::parse(EMBEDDED)
    }
    fn parse(text: &str) -> Result<Self, CatalogueError> {
        let unread = |reason| CatalogueError { reason };
        let read: Self = toml::from_str(text).map_err(|e| unread(e.to_string()))?;
        match read.version {
            VERSION => Ok(read),
            other => Err(unread(format!("its version is `{other}`, and `{VERSION}` is known"))),
        }
    }
    pub(crate) fn recommended(&self, provider: ProviderName) -> Option<&Recommended> {
        self.recommended.get(&provider)
    }
    /// Servers that are compatible take one, whatever they serve.
    pub(crate) fn takes_temperature(&self, provider: ProviderName, model: &str) -> bool {
        match provider {
            ProviderName::Offline | ProviderName::Ollama | ProviderName::Custom => true,
            ProviderName::OpenAi | ProviderName::Anthropic | ProviderName::Google => {
                self.known(provider, model).temperature
            }
        }
    }
    pub(crate) fn thinking(&self, provider: ProviderName, model: &str) -> Option<Thinking> {
        self.known(provider, model).thinking
    }
    pub(crate) fn is_of_responses(&self, provider: ProviderName, model: &str) -> bool {
        self.known(provider, model).responses
    }
    fn known(&self, provider: ProviderName, model: &str) -> Known {
        self.models.get(&format!("{provider}:{model}")).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_recommended_is_known() {
        let catalogue = Catalogue::embedded().unwrap();
        for provider in ProviderName::ALL {
            let Some(named) = catalogue.recommended(provider) else {
                assert!(matches!(provider, ProviderName::Offline | ProviderName::Custom));
                continue;
            };
            for model in [&named.minimum, &named.value, &named.best] {
                let known = catalogue.models.contains_key(&format!("{provider}:{model}"));
                assert!(known || provider == ProviderName::Ollama, "{provider}:{model}");
                // These think unless they are told how far.
                let bounded = catalogue.thinking(provider, model).is_some();
                assert_eq!(bounded, provider == ProviderName::Google, "{provider}:{model}");
            }
        }
    }

    #[test]
    fn a_model_that_is_not_known_is_sent_no_temperature() {
        let catalogue = Catalogue::embedded().unwrap();
        assert!(!catalogue.takes_temperature(ProviderName::Anthropic, "claude-next"));
        assert!(catalogue.takes_temperature(ProviderName::Custom, "anything"));
    }

    #[test]
    fn a_catalogue_of_another_version_is_not_read() {
        let known = format!("version = {VERSION}\n[recommended]\n[models]\n");
        assert!(Catalogue::parse(&known).is_ok());
        let newer = known.replace(&VERSION.to_string(), "2");
        assert!(Catalogue::parse(&newer).unwrap_err().to_string().contains("version is `2`"));
    }
}
