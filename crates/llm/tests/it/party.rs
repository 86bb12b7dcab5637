//! Those whose interfaces are held against what they publish.

use crate::test_models::TestModels;
use std::fmt;
use wiiiv_domain::ProviderName;
use wiiiv_fakes::Dialect;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Party {
    OpenAi,
    /// OPENAI's other interface, for models that it serves there alone.
    Responses,
    Anthropic,
    Google,
    Ollama,
    Custom,
}

impl Party {
    pub const ALL: [Self; 6] =
        [Self::OpenAi, Self::Responses, Self::Anthropic, Self::Google, Self::Ollama, Self::Custom];

    pub const fn provider(self) -> ProviderName {
        match self {
            Self::OpenAi | Self::Responses => ProviderName::OpenAi,
            Self::Anthropic => ProviderName::Anthropic,
            Self::Google => ProviderName::Google,
            Self::Ollama => ProviderName::Ollama,
            Self::Custom => ProviderName::Custom,
        }
    }
    pub const fn dialect(self) -> Dialect {
        match self {
            Self::OpenAi | Self::Responses => Dialect::OpenAi,
            Self::Anthropic => Dialect::Anthropic,
            Self::Google => Dialect::Google,
            Self::Ollama | Self::Custom => Dialect::Local,
        }
    }

    pub fn test(self, url: String, origin: &str, key: &str) -> TestModels {
        let provider = self.provider();
        let mut test = match self {
            Self::OpenAi | Self::Responses | Self::Anthropic | Self::Google => {
                TestModels::keyed(provider, url, origin, key)
            }
            Self::Ollama | Self::Custom => TestModels::keyless(provider, url, origin),
        };
        if self == Self::Responses {
            test.turn_to("gpt-5.3-codex");
        }
        test
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Responses => f.write_str("RESPONSES"),
            other => other.provider().fmt(f),
        }
    }
}
