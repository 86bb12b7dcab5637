//! Counts one model's tokens: how many fit, and how many to hold for a call.

use crate::{
    catalogue::{ModelFacts, Tokenizer},
    models::Models,
    tokens::{Counter, Counts, TokenizerFile, token_bound},
};
use std::sync::Arc;
use tokio::task::spawn_blocking;
use wiiiv_context::{
    PROMPT_TOKENS_MAX, PROPOSAL_SCHEMA, Prompt, PromptError, PromptParts, REPAIR_TOKENS_RESERVED,
    Rendered, RuleBook,
};
use wiiiv_domain::ProviderName;

/// What OPENAI adds: three tokens to each of two messages, and three before the answer
/// (<https://github.com/openai/openai-cookbook>, "How to count tokens with tiktoken").
const FRAMING_TOKENS: u64 = 9;
/// Providers do not document how they write the schema into the prompt: it is counted as bytes, with
/// these for what they write around it.
const WRAPPING_TOKENS: u64 = 64;
/// One in so many on top, for what no provider documents.
const MARGIN: u64 = 64;
/// Tokens reserved for a repair that an estimate leaves out. The reserve is in bytes: the 1,100 characters of
/// a repair are fewer than 1,600 tokens unless most of them are rare signs. Then the provider refuses.
const REPAIR_TOKENS_SPARE: u64 = REPAIR_TOKENS_RESERVED - 1_600;
/// A conversation that a worker of the runtime lays out by itself, in bytes: less than a millisecond.
const INLINE_BYTES_MAX: usize = 32_768;

/// How a model's tokens are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Counting {
    /// With its own vocabulary, by this name.
    Exact(String),
    /// 95 of 100 texts are within so many percent of the tokenizers that could be measured.
    Estimated { family: String, within_percent: u16 },
}

/// Of one model.
#[derive(Debug, Clone)]
pub struct TokenLimits {
    counter: Counter,
    counts: Counts,
    facts: ModelFacts,
}

impl Models {
    #[must_use]
    pub fn token_limits(&self, provider: ProviderName, model: &str) -> TokenLimits {
        let facts = self.facts(provider, model).unwrap_or_default();
        let counter = match self.catalogue.tokenizer(provider, model) {
            Tokenizer::Exact(vocabulary) => Counter::Exact(vocabulary),
            Tokenizer::Estimated(_, estimate) => Counter::Estimated(*estimate),
        };
        let counter =
            self.tokenizer(provider, model).map_or(counter, |(_, file)| Counter::File(file));
        TokenLimits { counter, counts: self.counts.clone(), facts }
    }

    /// `None` means unknown, not zero.
    #[must_use]
    pub fn facts(&self, provider: ProviderName, model: &str) -> Option<ModelFacts> {
        let known = self.catalogue.facts(provider, model).copied();
        match self.windows.get(&format!("{provider}:{model}")) {
            Some(window) => Some(ModelFacts { window: Some(*window), ..known.unwrap_or_default() }),
            None => known,
        }
    }

    /// The file that the operator gave for it, by the longest beginning of its name.
    fn tokenizer(&self, provider: ProviderName, model: &str) -> Option<(&str, Arc<TokenizerFile>)> {
        let model = format!("{provider}:{model}");
        let begins = self.tokenizers.iter().filter(|(begin, _)| model.starts_with(begin.as_str()));
        let (begin, file) = begins.max_by_key(|(begin, _)| begin.len())?;
        Some((begin, file.clone()))
    }

    #[must_use]
    pub fn counting(&self, provider: ProviderName, model: &str) -> Counting {
        if let Some((begin, _)) = self.tokenizer(provider, model) {
            return Counting::Exact(begin.to_owned());
        }
        match self.catalogue.tokenizer(provider, model) {
            Tokenizer::Exact(vocabulary) => Counting::Exact(vocabulary.as_str().to_owned()),
            Tokenizer::Estimated(family, estimate) => {
                Counting::Estimated { family: family.to_owned(), within_percent: estimate.within }
            }
        }
    }
}

impl TokenLimits {
    /// Of so many that may be written, what the model can write.
    #[must_use]
    pub fn max_output(&self, asked: u64) -> u64 {
        self.facts.max_output.map_or(asked, |max| max.min(asked))
    }

    /// What fits the model's window beside its answer, older words left out; an error is told before
    /// anything is sent.
    pub async fn fitted(
        &self,
        rules: &RuleBook,
        parts: PromptParts,
        max_output_tokens: u64,
    ) -> Result<Prompt, PromptError> {
        let (token_limits, rules) = (self.clone(), rules.clone());
        let inline = matches!(self.counter, Counter::Estimated(_)) && is_short(&parts);
        let fit = move || token_limits.fit(&rules, parts, max_output_tokens);
        if inline {
            return fit();
        }
        spawn_blocking(fit).await.unwrap_or(Err(PromptError::Uncounted))
    }

    /// Whether a prompt that cannot be shortened fits the model's window beside its answer.
    pub async fn admits(&self, prompt: &impl Rendered, max_output_tokens: u64) -> bool {
        let window = self.facts.window.unwrap_or(PROMPT_TOKENS_MAX);
        let room = window.saturating_sub(self.max_output(max_output_tokens));
        let (token_limits, schema) = (self.clone(), prompt.answer().schema());
        let texts = [prompt.system().to_owned(), prompt.user().to_owned()];
        let needed = spawn_blocking(move || {
            let at_most = |text: &String| match &token_limits.counter {
                Counter::Estimated(estimate) => estimate.at_most(token_limits.count(text)),
                Counter::File(_) | Counter::Exact(_) => token_limits.count(text),
            };
            let said = texts.iter().map(at_most).fold(0, u64::saturating_add);
            said.saturating_add(FRAMING_TOKENS + WRAPPING_TOKENS + token_limits.count(schema))
        });
        let repair = REPAIR_TOKENS_RESERVED - REPAIR_TOKENS_SPARE;
        let fits = needed.await.is_ok_and(|needed| needed.saturating_add(repair) <= room);
        fits && prompt.tokens(token_bound) <= PROMPT_TOKENS_MAX
    }

    /// INVARIANT: what one attempt sends is never billed higher, its repair included. By a vocabulary it
    /// is the count and what is added to it; else a token for each byte: an estimate may err.
    pub async fn held(&self, prompt: &impl Rendered) -> u64 {
        let bound = prompt.tokens(token_bound);
        let Counter::Exact(_) = self.counter else { return bound };
        let (token_limits, system, user) =
            (self.clone(), prompt.system().to_owned(), prompt.user().to_owned());
        let counted = spawn_blocking(move || {
            token_limits.count(&system).saturating_add(token_limits.count(&user))
        });
        let reserved = REPAIR_TOKENS_RESERVED;
        counted.await.map_or(bound, |counted| billed(counted.saturating_add(reserved)))
    }

    fn fit(
        &self,
        rules: &RuleBook,
        parts: PromptParts,
        max_output_tokens: u64,
    ) -> Result<Prompt, PromptError> {
        let window = self.facts.window.unwrap_or(PROMPT_TOKENS_MAX);
        let room = window.saturating_sub(self.max_output(max_output_tokens));
        match &self.counter {
            Counter::Exact(_) => {
                let room = unbilled(room.min(PROMPT_TOKENS_MAX));
                Prompt::new(rules, parts, room, |text| self.count(text))
            }
            Counter::Estimated(_) | Counter::File(_) => {
                let room = room.saturating_sub(FRAMING_TOKENS + self.count(PROPOSAL_SCHEMA));
                let room = room.saturating_add(REPAIR_TOKENS_SPARE);
                let at_most = |text: &str| match &self.counter {
                    Counter::Estimated(estimate) => estimate.at_most(self.count(text)),
                    Counter::File(_) | Counter::Exact(_) => self.count(text),
                };
                let prompt = Prompt::new(rules, parts.clone(), room, at_most)?;
                if prompt.tokens(token_bound) <= PROMPT_TOKENS_MAX {
                    return Ok(prompt);
                }
                // What is held for it has a bound of its own.
                Prompt::new(rules, parts, PROMPT_TOKENS_MAX, token_bound)
            }
        }
    }

    fn count(&self, text: &str) -> u64 {
        self.counts.count(&self.counter, text)
    }
}

fn is_short(parts: &PromptParts) -> bool {
    let history = parts.history.iter().map(|(_, said)| said.len());
    let facts = parts.facts.iter().flat_map(|facts| &facts.steps).map(|step| step.text.len());
    let bytes = history.chain(facts).fold(parts.message.len(), usize::saturating_add);
    bytes <= INLINE_BYTES_MAX
}

const fn added() -> u64 {
    FRAMING_TOKENS + WRAPPING_TOKENS + PROPOSAL_SCHEMA.len() as u64
}

/// At most, of so many that were counted.
const fn billed(counted: u64) -> u64 {
    counted.saturating_add(counted.div_ceil(MARGIN)).saturating_add(added())
}

/// The most that may be counted for so many.
const fn unbilled(billed: u64) -> u64 {
    billed.saturating_sub(added() + 1).saturating_mul(MARGIN) / (MARGIN + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_fits_is_billed_no_higher_than_the_window(room in 4_000..2_000_000_u64) {
            prop_assert!(billed(unbilled(room)) <= room);
        }
    }
}
