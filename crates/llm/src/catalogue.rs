//! What `config/models.toml` knows of models.

use serde::Deserialize;
use std::collections::BTreeMap;
use wiiiv_domain::ProviderName;

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

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    temperature: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Catalogue {
    recommended: BTreeMap<ProviderName, Recommended>,
    /// By `PROVIDER:model`.
    models: BTreeMap<String, Known>,
}

impl Catalogue {
    pub(crate) fn embedded() -> Result<Self, CatalogueError> {
        toml::from_str(EMBEDDED).map_err(|e| CatalogueError { reason: e.to_string() })
    }
    pub(crate) fn recommended(&self, provider: ProviderName) -> Option<&Recommended> {
        self.recommended.get(&provider)
    }
    /// Servers that are compatible take one, whatever they serve.
    pub(crate) fn takes_temperature(&self, provider: ProviderName, model: &str) -> bool {
        match provider {
            ProviderName::Offline | ProviderName::Ollama | ProviderName::Custom => true,
            ProviderName::OpenAi | ProviderName::Anthropic | ProviderName::Google => {
                let known = self.models.get(&format!("{provider}:{model}"));
                known.copied().unwrap_or_default().temperature
            }
        }
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
                assert!(catalogue.takes_temperature(provider, model), "{provider}:{model}");
            }
        }
    }

    #[test]
    fn a_model_that_is_not_known_is_sent_no_temperature() {
        let catalogue = Catalogue::embedded().unwrap();
        assert!(!catalogue.takes_temperature(ProviderName::Anthropic, "claude-next"));
        assert!(catalogue.takes_temperature(ProviderName::Custom, "anything"));
    }
}
