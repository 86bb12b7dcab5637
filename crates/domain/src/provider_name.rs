//! Providers of models.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A provider of models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ProviderName {
    /// The built-in, deterministic model.
    Offline,
    /// `api.openai.com`, unless a base URL is set.
    OpenAi,
    /// `api.anthropic.com`, unless a base URL is set.
    Anthropic,
    /// Google's Gemini API, unless a base URL is set.
    Google,
    /// Ollama on this machine, unless a base URL is set.
    Ollama,
    /// OpenAI-compatible at a base URL.
    Custom,
}

impl ProviderName {
    /// All six, the built-in one first.
    pub const ALL: [Self; 6] =
        [Self::Offline, Self::OpenAi, Self::Anthropic, Self::Google, Self::Ollama, Self::Custom];

    /// The name in policies and price tables, e.g. `OPENAI`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Offline => "OFFLINE",
            Self::OpenAi => "OPENAI",
            Self::Anthropic => "ANTHROPIC",
            Self::Google => "GOOGLE",
            Self::Ollama => "OLLAMA",
            Self::Custom => "CUSTOM",
        }
    }

    /// Whether it runs in this process. It costs nothing, and no budget counts or stops it.
    #[must_use]
    pub const fn is_built_in(self) -> bool {
        matches!(self, Self::Offline)
    }
}

impl fmt::Display for ProviderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
