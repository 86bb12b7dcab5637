//! Providers of models.

use serde::{Deserialize, Serialize};

named! {
    /// A provider of models.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "UPPERCASE")]
    pub enum ProviderName {
        /// The built-in, deterministic model.
        Offline = "OFFLINE",
        /// `api.openai.com`, unless a base URL is set.
        OpenAi = "OPENAI",
        /// `api.anthropic.com`, unless a base URL is set.
        Anthropic = "ANTHROPIC",
        /// Google's Gemini API, unless a base URL is set.
        Google = "GOOGLE",
        /// Ollama on this machine, unless a base URL is set.
        Ollama = "OLLAMA",
        /// OpenAI-compatible at a base URL.
        Custom = "CUSTOM",
        /// Installed models of this process, for embeddings alone.
        Local = "LOCAL",
    }
}

impl ProviderName {
    /// Whether it runs in this process. It costs nothing, and no budget counts or stops it.
    #[must_use]
    pub const fn is_built_in(self) -> bool {
        matches!(self, Self::Offline | Self::Local)
    }
}
