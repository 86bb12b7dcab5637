//! Counts one model's tokens: how many fit, and how many to hold for a call.

use crate::{
    catalogue::{Catalogue, ModelFacts, Tokenizer},
    models::Models,
    models_error::ModelsError,
    tokens::{Counter, Counts, TokenizerFile, token_bound},
};
use std::sync::Arc;
use tokio::task::spawn_blocking;
use wiiiv_context::{
    AnswerShape, PROMPT_TOKENS_MAX, PlanBounds, Prompt, PromptError, PromptParts,
    REPAIR_TOKENS_RESERVED, Rendered, RuleBook, RuleSheet, TOTAL_TOKENS_DEFAULT, TokenCounter,
};
use wiiiv_domain::{ContentDigest, ProviderName};

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
    /// What the parts of a prompt may take together, whatever the model reads.
    total: u64,
}

impl Models {
    #[must_use]
    pub fn token_limits(&self, provider: ProviderName, model: &str) -> TokenLimits {
        let facts = self.facts(provider, model).unwrap_or_default();
        let known = || counter(&self.catalogue, provider, model);
        let file = self.tokenizer(provider, model);
        let counter = file.map_or_else(known, |(_, file)| Counter::File(file));
        TokenLimits { counter, counts: self.counts.clone(), facts, total: self.total_tokens }
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

fn counter(catalogue: &Catalogue, provider: ProviderName, model: &str) -> Counter {
    match catalogue.tokenizer(provider, model) {
        Tokenizer::Exact(vocabulary) => Counter::Exact(vocabulary),
        Tokenizer::Estimated(_, estimate) => Counter::Estimated(*estimate),
    }
}

impl TokenLimits {
    /// By what this build knows of the model, where nothing is configured and no model is asked.
    pub fn known(provider: ProviderName, model: &str) -> Result<Self, ModelsError> {
        let catalogue = Catalogue::embedded()?;
        let facts = catalogue.facts(provider, model).copied().unwrap_or_default();
        let counter = counter(&catalogue, provider, model);
        Ok(Self { counter, counts: Counts::default(), facts, total: TOTAL_TOKENS_DEFAULT })
    }

    /// Of one text. With a vocabulary that was not used before it takes a tenth of a second.
    #[must_use]
    pub fn tokens(&self, text: &str) -> u64 {
        self.count(text)
    }

    #[must_use]
    pub const fn is_exact(&self) -> bool {
        !matches!(self.counter, Counter::Estimated(_))
    }

    /// Of so many that may be written, what the model can write.
    #[must_use]
    pub fn max_output(&self, asked: u64) -> u64 {
        self.facts.max_output.map_or(asked, |max| max.min(asked))
    }

    /// Planned within the total and within the model's window beside its answer; an error is told before anything
    /// is sent.
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
    /// is the count and what is added to it; else a token for each byte: an estimate may err. What this vocabulary
    /// counted as the prompt was laid out is not counted anew: its blocks take no less than the whole.
    pub async fn held(&self, prompt: &impl Rendered) -> u64 {
        let bound = prompt.tokens(token_bound);
        let Counter::Exact(vocabulary) = &self.counter else { return bound };
        let (reserved, added) = (REPAIR_TOKENS_RESERVED, added(prompt.answer()));
        let all = |counted: u64| billed(counted.saturating_add(reserved), added);
        if let Some(counted) = prompt.counted_by(vocabulary.as_str()) {
            return all(counted);
        }
        let (token_limits, system, user) =
            (self.clone(), prompt.system().to_owned(), prompt.user().to_owned());
        let counted = spawn_blocking(move || {
            token_limits.count(&system).saturating_add(token_limits.count(&user))
        });
        counted.await.map_or(bound, all)
    }

    fn fit(
        &self,
        rules: &RuleBook,
        parts: PromptParts,
        max_output_tokens: u64,
    ) -> Result<Prompt, PromptError> {
        let window = self.facts.window.unwrap_or(PROMPT_TOKENS_MAX);
        let room = window.saturating_sub(self.max_output(max_output_tokens));
        let error_percent = match &self.counter {
            Counter::Estimated(estimate) => estimate.within,
            Counter::Exact(_) | Counter::File(_) => 0,
        };
        let total = self.total.min(self.counted_in(room, parts.answer()));
        let bounds = PlanBounds { total, window, error_percent };
        Prompt::planned(rules, parts, bounds, &Blocks { token_limits: self, total })
    }

    /// What may be counted for rules and blocks, where so much is left of the window beside an answer: what a
    /// provider adds, a repair and the stated error have their place too.
    fn counted_in(&self, room: u64, answer: &AnswerShape) -> u64 {
        if matches!(self.counter, Counter::Exact(_)) {
            let room = unbilled(room.min(PROMPT_TOKENS_MAX), added(answer));
            return room.saturating_sub(REPAIR_TOKENS_RESERVED);
        }
        let room = room.saturating_sub(FRAMING_TOKENS + self.count(answer.text()));
        let room = room.saturating_sub(REPAIR_TOKENS_RESERVED - REPAIR_TOKENS_SPARE);
        match &self.counter {
            Counter::Estimated(estimate) => estimate.within_at_most(room),
            Counter::File(_) | Counter::Exact(_) => room,
        }
    }

    fn count(&self, text: &str) -> u64 {
        self.counts.count(&self.counter, text)
    }
}

/// Counts the blocks of a prompt as it is laid out.
struct Blocks<'a> {
    token_limits: &'a TokenLimits,
    total: u64,
}

impl TokenCounter for Blocks<'_> {
    // INVARIANT: a fence begins every block and a line end is behind it, and no token of OpenAI's vocabularies reaches
    // over such a border (`Counts::count`): what they count of blocks adds up to the whole.
    fn vocabulary(&self) -> Option<&'static str> {
        match &self.token_limits.counter {
            Counter::Exact(vocabulary) => Some(vocabulary.as_str()),
            Counter::File(_) | Counter::Estimated(_) => None,
        }
    }
    fn count(&self, text: &str) -> u64 {
        let TokenLimits { counter, counts, .. } = self.token_limits;
        counts.in_blocks(counter, text)
    }
    /// Their hash is at hand: they are neither counted nor hashed anew.
    fn rules(&self, sheet: &RuleSheet) -> u64 {
        let TokenLimits { counter, counts, .. } = self.token_limits;
        let digest = ContentDigest::from_bytes(*sheet.hash().bytes());
        counts.of_known(counter, digest, sheet.text())
    }
    /// What no vocabulary counts is held for by the byte, which has a bound of its own. A model's own file counts
    /// the text in one piece.
    fn fits(&self, sheet: &RuleSheet, user: &str) -> bool {
        let sum = |count: &dyn Fn(&str) -> u64| count(sheet.text()).saturating_add(count(user));
        let is_held =
            || sum(&token_bound).saturating_add(REPAIR_TOKENS_RESERVED) <= PROMPT_TOKENS_MAX;
        match &self.token_limits.counter {
            Counter::Exact(_) => true,
            Counter::Estimated(_) => is_held(),
            Counter::File(_) => {
                is_held() && sum(&|text: &str| self.token_limits.count(text)) <= self.total
            }
        }
    }
}

fn is_short(parts: &PromptParts) -> bool {
    let history = parts.history.iter().map(|(_, said)| said.len());
    let older = parts.long_term.iter().map(|long_term| long_term.bytes());
    let facts = parts.facts.iter().flat_map(|facts| &facts.steps).map(|step| step.text.len());
    let documents = parts.documents.iter().flat_map(|found| found.hits());
    let documents = documents.map(|hit| hit.text.len());
    let texts = history.chain(older).chain(facts).chain(documents);
    let bytes = texts.fold(parts.message.len(), usize::saturating_add);
    bytes <= INLINE_BYTES_MAX
}

/// Beside a prompt that is answered so.
const fn added(answer: &AnswerShape) -> u64 {
    FRAMING_TOKENS + WRAPPING_TOKENS + answer.text().len() as u64
}

/// At most, of so many that were counted.
const fn billed(counted: u64, added: u64) -> u64 {
    counted.saturating_add(counted.div_ceil(MARGIN)).saturating_add(added)
}

/// The most that may be counted for so many.
const fn unbilled(billed: u64, added: u64) -> u64 {
    billed.saturating_sub(added + 1).saturating_mul(MARGIN) / (MARGIN + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_fits_is_billed_no_higher_than_the_window(room in 4_000..2_000_000_u64) {
            let added = added(&wiiiv_context::PROFILE_PROPOSAL);
            prop_assert!(billed(unbilled(room, added), added) <= room);
        }
    }
}
