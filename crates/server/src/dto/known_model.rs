//! Facts about models that the server has without calling one.

use crate::dto::qualification::QualificationView;
use serde::Serialize;
use utoipa::ToSchema;
use wiiiv_domain::{Currency, PriceTier};
use wiiiv_governor::{KnownModel, KnownProvider, Qualification};
use wiiiv_llm::{Counting, ModelFacts, Recommended};

/// One provider as this server knows it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ProviderModelsView {
    pub provider: &'static str,
    /// Its own; a CUSTOM one has none.
    pub origin: Option<String>,
    pub approved: bool,
    pub needs_key: bool,
    pub recommended: Option<RecommendedView>,
    /// Its model for embeddings; `null`: it has none of its own.
    pub embedding: Option<String>,
    pub models: Vec<KnownModelView>,
}

/// Prices: micro-units of `currency` for a million tokens, of the lowest tier; `null`: unpriced.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KnownModelView {
    pub name: String,
    #[schema(value_type = Option<String>)]
    pub currency: Option<Currency>,
    pub input_micros_per_million: Option<u64>,
    pub output_micros_per_million: Option<u64>,
    /// The tiers above the lowest, in the order of their beginnings.
    pub higher_tiers: Vec<PriceTierView>,
    /// `null` means unknown, not zero.
    pub facts: Option<ModelFactsView>,
    pub counting: CountingView,
    /// Under the rules that a new project begins with; `null`: the built-in model.
    pub ghost: Option<QualificationView>,
}

/// What a call with at least so many tokens of input costs, in whole.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PriceTierView {
    pub from_input_tokens: u64,
    pub input_micros_per_million: u64,
    pub output_micros_per_million: u64,
}

/// As `config/models.toml` and `llm.windows` have it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModelFactsView {
    /// Tokens that it reads at once; `null`: not known.
    pub window: Option<u64>,
    /// Tokens that it can write to one call; `null`: not known.
    pub max_output: Option<u64>,
    pub json_schema: bool,
    pub tools: bool,
    pub vision: bool,
    pub streaming: bool,
}

/// How its tokens are counted before it is asked.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CountingView {
    /// Its vocabulary, or the family that it is estimated as.
    pub tokenizer: String,
    pub exact: bool,
    /// Of an estimate: 95 of 100 texts are that near to the tokenizers that could be measured.
    pub within_percent: Option<u16>,
}

impl From<ModelFacts> for ModelFactsView {
    fn from(facts: ModelFacts) -> Self {
        Self {
            window: facts.window,
            max_output: facts.max_output,
            json_schema: facts.json_schema,
            tools: facts.tools,
            vision: facts.vision,
            streaming: facts.streaming,
        }
    }
}

impl From<Counting> for CountingView {
    fn from(counting: Counting) -> Self {
        match counting {
            Counting::Exact(vocabulary) => {
                Self { tokenizer: vocabulary, exact: true, within_percent: None }
            }
            Counting::Estimated { family, within_percent } => {
                Self { tokenizer: family, exact: false, within_percent: Some(within_percent) }
            }
        }
    }
}

impl From<&PriceTier> for PriceTierView {
    fn from(tier: &PriceTier) -> Self {
        Self {
            from_input_tokens: tier.from_input_tokens,
            input_micros_per_million: tier.input_micros_per_million,
            output_micros_per_million: tier.output_micros_per_million,
        }
    }
}

impl KnownModelView {
    pub(crate) fn of(known: KnownModel, ghost: Option<Qualification>) -> Self {
        let tiers = known.price.as_ref().map(|price| price.tiers.as_slice()).unwrap_or_default();
        let tier = tiers.first();
        Self {
            name: known.name,
            currency: known.price.as_ref().map(|price| price.currency),
            input_micros_per_million: tier.map(|tier| tier.input_micros_per_million),
            output_micros_per_million: tier.map(|tier| tier.output_micros_per_million),
            higher_tiers: tiers.iter().skip(1).map(Into::into).collect(),
            facts: known.facts.map(Into::into),
            counting: known.counting.into(),
            ghost: ghost.map(Into::into),
        }
    }
}

impl ProviderModelsView {
    /// `models`: of the same provider.
    pub(crate) fn of(known: KnownProvider, models: Vec<KnownModelView>) -> Self {
        Self {
            provider: known.provider.as_str(),
            origin: known.origin.as_ref().map(ToString::to_string),
            approved: known.approved,
            needs_key: known.needs_key,
            recommended: known.recommended.map(Into::into),
            embedding: known.embedding,
            models,
        }
    }
}

/// The least that does, good value, and the best.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RecommendedView {
    pub minimum: String,
    pub value: String,
    pub best: String,
}

impl From<Recommended> for RecommendedView {
    fn from(named: Recommended) -> Self {
        Self { minimum: named.minimum, value: named.value, best: named.best }
    }
}
