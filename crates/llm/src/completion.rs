//! A completion: one prompt, one permit, one answer.

use crate::{
    call::{CallOptions, Completion, ModelError},
    endpoint::Endpoint,
    exchange::{Answered, Exchange},
    models::Models,
    picture::Picture,
    telemetry::Watch,
};
use tokio::sync::mpsc;
use tracing::Instrument as _;
use wiiiv_context::Prompt;
use wiiiv_domain::{ModelSlot, ProposalFailure, Spent, telemetry};
use wiiiv_gate::{Authorized, ModelCall};

impl Models {
    /// INVARIANT: what is sent counts no more than what the permit was given for. Where that is a count
    /// of the prompt's bytes, the schema beside it is smaller than the sheet of rules, and no
    /// tokenizer needs a token for each byte of those. Dropping the future stops the provider's
    /// work. `deltas` carries talk as it comes; the proposal is whole without it.
    pub async fn complete(
        &self,
        prompt: &Prompt,
        spend: Authorized<ModelCall>,
        options: &CallOptions,
        deltas: Option<mpsc::Sender<String>>,
    ) -> Result<Completion, ModelError> {
        let call = self
            .verifier
            .redeem(spend)
            .map_err(|foreign| ModelError::before(ProposalFailure::Budget, &foreign.to_string()))?;
        if call.slot == ModelSlot::Embedding {
            return Err(ModelError::of_slot(call.slot));
        }
        let seen = options.picture.as_ref().map_or(0, |_| Picture::TOKENS_MAX);
        let counted = self.token_limits(call.provider, &call.model).held(prompt).await;
        let counted = counted.saturating_add(seen);
        if counted > call.max_input_tokens {
            let reason = "the prompt counts more tokens than were held for it";
            return Err(ModelError::before(ProposalFailure::ContextTooLong, reason));
        }
        let watch = Watch::begin(&self.names, &call, telemetry::CHAT);
        let asked = self.asked(prompt, &call, options, deltas).instrument(watch.span());
        let result = asked.await;
        watch.ended(&result);
        result
    }

    async fn asked(
        &self,
        prompt: &Prompt,
        call: &ModelCall,
        options: &CallOptions,
        deltas: Option<mpsc::Sender<String>>,
    ) -> Result<Completion, ModelError> {
        tracing::debug!(call = %call.call, provider = %call.provider, slot = %call.slot, "model asked");
        let with_key = |endpoint: Endpoint| endpoint.with_key(options.key.as_ref());
        let endpoint = Endpoint::of(call.provider, options.base_url.as_deref());
        match endpoint.and_then(|endpoint| endpoint.map(with_key).transpose()) {
            Err(error) => Err(ModelError::before(ProposalFailure::Auth, &error.to_string())),
            Ok(None) => {
                let (proposal, spent) = (self.degraded(prompt), Spent::default());
                let told = Vec::new();
                Ok(Completion { proposal, told, spent, attempts: 0, another: None, beyond: None })
            }
            Ok(Some(endpoint)) => self.ask(prompt, (call, endpoint), options, deltas).await,
        }
    }

    async fn ask(
        &self,
        prompt: &Prompt,
        (call, endpoint): (&ModelCall, Endpoint),
        options: &CallOptions,
        deltas: Option<mpsc::Sender<String>>,
    ) -> Result<Completion, ModelError> {
        // Beside facts, prose is shown only after its numbers were checked (llm.md 2).
        let deltas = deltas.filter(|_| prompt.parts().facts.is_none());
        let exchange = Exchange { models: self, call, options, endpoint, deltas };
        let Answered { answer, spent, attempts, another, beyond } = exchange.run(prompt).await?;
        let (proposal, told) = answer;
        Ok(Completion { proposal, told, spent, attempts, another, beyond })
    }
}
