//! The models of `config/models.toml`.

mod facts;

pub use facts::ModelFacts;
pub(crate) use facts::Thinking;

use crate::{
    tokens::{Estimate, Vocabulary},
    wire::Form,
};
use serde::Deserialize;
use std::collections::BTreeMap;
use wiiiv_domain::ProviderName;

const VERSION: u32 = 2;
const EMBEDDED: &str = include_str!("../../../config/models.toml");
/// What is estimated where nothing is known.
const GENERAL: &str = "general";

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

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Catalogue {
    version: u32,
    recommended: BTreeMap<ProviderName, Recommended>,
    embedding: BTreeMap<ProviderName, String>,
    /// By the beginning of `PROVIDER:model`.
    tokenizers: BTreeMap<String, String>,
    estimates: Estimates,
    /// By `PROVIDER:model`.
    models: BTreeMap<String, ModelFacts>,
}

#[derive(Debug, Clone, Deserialize)]
struct Estimates {
    general: Estimate,
    #[serde(flatten)]
    families: BTreeMap<String, Estimate>,
}

/// Whose tokens a model reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tokenizer<'a> {
    Exact(Vocabulary),
    Estimated(&'a str, &'a Estimate),
}

impl Catalogue {
    pub(crate) fn embedded() -> Result<Self, CatalogueError> {
        Self::parse(EMBEDDED)
    }
    fn parse(text: &str) -> Result<Self, CatalogueError> {
        let unread = |reason| CatalogueError { reason };
        let read: Self = toml::from_str(text).map_err(|e| unread(e.to_string()))?;
        if read.version != VERSION {
            let reason = format!("its version is `{}`, and `{VERSION}` is known", read.version);
            return Err(unread(reason));
        }
        let lacking = |name: &&String| {
            Vocabulary::named(name).is_none() && !read.estimates.families.contains_key(*name)
        };
        match read.tokenizers.values().find(lacking) {
            Some(name) => Err(unread(format!("there is no estimate named `{name}`"))),
            None => Ok(read),
        }
    }

    pub(crate) fn recommended(&self, provider: ProviderName) -> Option<&Recommended> {
        self.recommended.get(&provider)
    }
    pub(crate) fn embedding(&self, provider: ProviderName) -> Option<&str> {
        self.embedding.get(&provider).map(String::as_str)
    }
    /// By the names that are written in it.
    pub(crate) fn names(&self, provider: ProviderName) -> impl Iterator<Item = &str> {
        let names = self.models.keys().filter_map(|key| key.split_once(':'));
        names.filter(move |(of, _)| *of == provider.as_str()).map(|(_, name)| name)
    }

    /// Servers that are compatible take one, whatever they serve.
    pub(crate) fn takes_temperature(&self, provider: ProviderName, model: &str) -> bool {
        match provider {
            ProviderName::Offline
            | ProviderName::Ollama
            | ProviderName::Custom
            | ProviderName::Local => true,
            ProviderName::OpenAi | ProviderName::Anthropic | ProviderName::Google => {
                self.named(provider, model).is_some_and(|facts| facts.temperature)
            }
        }
    }
    pub(crate) fn thinking(&self, provider: ProviderName, model: &str) -> Option<Thinking> {
        self.facts(provider, model)?.thinking
    }
    /// By a tool where it is known to have them and no schema of an answer.
    pub(crate) fn form(&self, provider: ProviderName, model: &str) -> Form {
        let by_tool = |facts: &ModelFacts| facts.tools && !facts.json_schema;
        if self.facts(provider, model).is_some_and(by_tool) { Form::Tool } else { Form::Schema }
    }
    /// Of OPENAI: its Responses alone serve it.
    pub(crate) fn is_of_responses(&self, provider: ProviderName, model: &str) -> bool {
        self.facts(provider, model).is_some_and(|facts| facts.responses)
    }
    fn named(&self, provider: ProviderName, model: &str) -> Option<&ModelFacts> {
        self.models.get(&format!("{provider}:{model}"))
    }

    /// A name with a date or a version behind it is the same model.
    pub(crate) fn facts(&self, provider: ProviderName, model: &str) -> Option<&ModelFacts> {
        let version = || {
            let of = self.names(provider).filter(|name| is_same(name, model));
            self.named(provider, of.max_by_key(|name| name.len())?)
        };
        self.named(provider, model).or_else(version)
    }

    pub(crate) fn tokenizer(&self, provider: ProviderName, model: &str) -> Tokenizer<'_> {
        let model = format!("{provider}:{model}");
        let begins = self.tokenizers.iter().filter(|(begin, _)| model.starts_with(begin.as_str()));
        let name = begins.max_by_key(|(begin, _)| begin.len()).map_or(GENERAL, |(_, name)| name);
        let estimate = || self.estimates.families.get(name).unwrap_or(&self.estimates.general);
        match Vocabulary::named(name) {
            Some(vocabulary) => Tokenizer::Exact(vocabulary),
            None => Tokenizer::Estimated(name, estimate()),
        }
    }
}

/// The name that was asked for, or one of its versions: `gpt-4o-2024-08-06` is one of `gpt-4o`, and
/// `gpt-4o-mini` is none.
pub(crate) fn is_same(asked: &str, answering: &str) -> bool {
    let bare = |name| str::strip_prefix(name, "models/").unwrap_or(name);
    let Some(rest) = bare(answering).strip_prefix(bare(asked)) else { return false };
    let version = rest.strip_prefix(['-', '@']).and_then(|version| version.chars().next());
    rest.is_empty() || rest.starts_with(':') || version.is_some_and(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests;
