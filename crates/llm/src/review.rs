//! A review by a persona: one prompt of rules and spec, one permit, one opinion.

use crate::{
    call::{CallOptions, ModelError, Review},
    endpoint::Endpoint,
    exchange::{Answered, Exchange},
    models::Models,
    models_error::ModelsError,
    telemetry::Watch,
};
use tracing::Instrument as _;
use wiiiv_context::PersonaPrompt;
use wiiiv_domain::{ModelSlot, ProposalFailure, telemetry};
use wiiiv_gate::{Authorized, ModelCall};

impl Models {
    /// INVARIANT: what is sent counts no more than what the permit was given for. The built-in
    /// understanding reviews nothing. Dropping the future stops the provider's work.
    pub async fn review(
        &self,
        prompt: &PersonaPrompt,
        spend: Authorized<ModelCall>,
        options: &CallOptions,
    ) -> Result<Review, ModelError> {
        let call = self
            .verifier
            .redeem(spend)
            .map_err(|foreign| ModelError::before(ProposalFailure::Budget, &foreign.to_string()))?;
        if call.slot != ModelSlot::Governor {
            return Err(ModelError::of_slot(call.slot));
        }
        let counted = self.token_limits(call.provider, &call.model).held(prompt).await;
        if counted > call.max_input_tokens {
            let reason = "the prompt counts more tokens than were held for it";
            return Err(ModelError::before(ProposalFailure::ContextTooLong, reason));
        }
        let watch = Watch::begin(&self.names, &call, telemetry::CHAT);
        let reviewed = self.reviewed(prompt, &call, options).instrument(watch.span()).await;
        watch.reviewed(&reviewed);
        reviewed
    }

    async fn reviewed(
        &self,
        prompt: &PersonaPrompt,
        call: &ModelCall,
        options: &CallOptions,
    ) -> Result<Review, ModelError> {
        let persona = prompt.persona();
        tracing::debug!(call = %call.call, provider = %call.provider, %persona, "persona asked");
        let endpoint = Endpoint::of(call.provider, options.base_url.as_deref())
            .and_then(|endpoint| endpoint.ok_or(ModelsError::NoReviews(call.provider)))
            .and_then(|endpoint| endpoint.with_key(options.key.as_ref()));
        let refused = |error: ModelsError| {
            let failure = match error {
                ModelsError::NoReviews(_) => ProposalFailure::Unavailable,
                _ => ProposalFailure::Auth,
            };
            ModelError::before(failure, &error.to_string())
        };
        let endpoint = endpoint.map_err(refused)?;
        let exchange = Exchange { models: self, call, options, endpoint, deltas: None };
        let Answered { answer: opinion, spent, attempts, another, beyond } =
            exchange.run(prompt).await?;
        Ok(Review { opinion, spent, attempts, another, beyond })
    }
}
