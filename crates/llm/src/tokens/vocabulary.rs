//! OpenAI's vocabularies: embedded, and unpacked on first use (about 0.1 s and 24 MB for the larger
//! one), never on a worker thread of the runtime: see [`crate::TokenLimits`].

use super::token_bound;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Vocabulary {
    O200kBase,
    Cl100kBase,
}

impl Vocabulary {
    pub(crate) fn named(name: &str) -> Option<Self> {
        [Self::O200kBase, Self::Cl100kBase].into_iter().find(|known| known.as_str() == name)
    }
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::O200kBase => "o200k_base",
            Self::Cl100kBase => "cl100k_base",
        }
    }
    /// What looks like a mark of a chat is counted as the letters that it is made of: never fewer.
    pub(crate) fn count(self, text: &str) -> u64 {
        let encoding = tiktoken::get_encoding(self.as_str());
        let counted = encoding.and_then(|encoding| u64::try_from(encoding.count(text)).ok());
        counted.unwrap_or_else(|| token_bound(text))
    }
}
