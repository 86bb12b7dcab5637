//! Embeddings: texts as vectors, under a permit of their own.

use crate::{
    call::{CallOptions, Embeddings, ModelError},
    endpoint::Endpoint,
    exchange::Exchange,
    models::Models,
    models_error::ModelsError,
    telemetry::Watch,
    tokens::token_bound,
};
use tracing::Instrument as _;
use wiiiv_domain::{ModelSlot, ProposalFailure, ProviderName, telemetry};
use wiiiv_embed::Kind;
use wiiiv_gate::{Authorized, ModelCall};
use wiiiv_net::Url;

/// Of one call.
pub const TEXTS_MAX: usize = 64;
/// What a provider may count beside each text: a start and an end.
const FRAMING_TOKENS: u64 = 8;

impl Models {
    /// What a permit for these texts has to be given for.
    #[must_use]
    pub fn held_for(texts: &[String]) -> u64 {
        let one = |text: &String| token_bound(text).saturating_add(FRAMING_TOKENS);
        texts.iter().map(one).fold(0, u64::saturating_add)
    }

    /// Whether that provider has embeddings at all; of LOCAL, whether the model is installed.
    pub fn check_embeddings(&self, provider: ProviderName, model: &str) -> Result<(), ModelsError> {
        if provider == ProviderName::Local {
            return self.local.check(model).map(drop);
        }
        // Any will do: what is asked is whether there is a path.
        let has = |endpoint: Endpoint| {
            let base: &Url = &endpoint.base;
            endpoint.wire.embeddings(base, "m").is_some()
        };
        let endpoint = Endpoint::of(provider, Some("https://h.test"))?;
        if endpoint.is_some_and(has) { Ok(()) } else { Err(ModelsError::NoEmbeddings(provider)) }
    }

    /// 1 to `TEXTS_MAX` texts that are to be found, as many vectors. INVARIANT: what is sent counts no more
    /// than what the permit was given for. Dropping the future stops the provider's work.
    pub async fn embed(
        &self,
        texts: &[String],
        spend: Authorized<ModelCall>,
        options: &CallOptions,
    ) -> Result<Embeddings, ModelError> {
        self.embed_as(Kind::Passage, texts, spend, options).await
    }

    /// A text that is searched for, and its vector: some models want to be told.
    pub async fn embed_query(
        &self,
        text: &str,
        spend: Authorized<ModelCall>,
        options: &CallOptions,
    ) -> Result<Embeddings, ModelError> {
        self.embed_as(Kind::Query, &[text.to_owned()], spend, options).await
    }

    async fn embed_as(
        &self,
        kind: Kind,
        texts: &[String],
        spend: Authorized<ModelCall>,
        options: &CallOptions,
    ) -> Result<Embeddings, ModelError> {
        let call = self
            .verifier
            .redeem(spend)
            .map_err(|foreign| ModelError::before(ProposalFailure::Budget, &foreign.to_string()))?;
        if call.slot != ModelSlot::Embedding {
            return Err(ModelError::of_slot(call.slot));
        }
        let is_held = Self::held_for(texts) <= call.max_input_tokens;
        if !(1..=TEXTS_MAX).contains(&texts.len()) || !is_held {
            let reason = "the texts are none, too many, or count more than was held for them";
            return Err(ModelError::before(ProposalFailure::ContextTooLong, reason));
        }
        let watch = Watch::begin(&self.names, &call, telemetry::EMBEDDINGS);
        let embedded = async {
            if call.provider == ProviderName::Local {
                self.local.embed((&call.model, kind), texts, options).await
            } else {
                self.embedded(texts, &call, options).await
            }
        };
        let embedded = embedded.instrument(watch.span()).await;
        watch.embedded(&embedded);
        embedded
    }

    async fn embedded(
        &self,
        texts: &[String],
        call: &ModelCall,
        options: &CallOptions,
    ) -> Result<Embeddings, ModelError> {
        let endpoint = Endpoint::of(call.provider, options.base_url.as_deref())
            .and_then(|endpoint| endpoint.ok_or(ModelsError::NoEmbeddings(call.provider)))
            .and_then(|endpoint| endpoint.with_key(options.key.as_ref()));
        let refused = |error: ModelsError| {
            let failure = match error {
                ModelsError::NoEmbeddings(_) => ProposalFailure::Unavailable,
                _ => ProposalFailure::Auth,
            };
            ModelError::before(failure, &error.to_string())
        };
        let endpoint = endpoint.map_err(refused)?;
        let exchange = Exchange { models: self, call, options, endpoint, deltas: None };
        exchange.embed(texts).await
    }
}
