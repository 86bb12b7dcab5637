//! A second look: a persona's at a spec, a check's at an answer, a measurement's at one. One prompt of rules and what is looked at, one permit,
//! one answer.

use crate::{
    call::{CallOptions, Check, Judgement, ModelError, Review},
    endpoint::Endpoint,
    exchange::{Answered, Exchange, Question},
    models::Models,
    models_error::ModelsError,
    telemetry::Watch,
};
use tracing::Instrument as _;
use wiiiv_context::{CheckPrompt, JudgementPrompt, PersonaPrompt};
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
        tracing::debug!(persona = %prompt.persona(), "persona asked");
        let Answered { answer: opinion, spent, attempts, another, beyond } =
            self.look(prompt, spend, options).await?;
        Ok(Review { opinion, spent, attempts, another, beyond })
    }

    /// What is wrong with an answer that is not given yet; the same holds as for a review.
    pub async fn check_answer(
        &self,
        prompt: &CheckPrompt,
        spend: Authorized<ModelCall>,
        options: &CallOptions,
    ) -> Result<Check, ModelError> {
        let Answered { answer: findings, spent, attempts, another, beyond } =
            self.look(prompt, spend, options).await?;
        Ok(Check { findings, spent, attempts, another, beyond })
    }

    /// What an answer is worth, for a command that measures; the same holds as for a review.
    pub async fn judge_answer(
        &self,
        prompt: &JudgementPrompt,
        spend: Authorized<ModelCall>,
        options: &CallOptions,
    ) -> Result<Judgement, ModelError> {
        let Answered { answer: [relevance, faithfulness], spent, attempts, .. } =
            self.look(prompt, spend, options).await?;
        Ok(Judgement { relevance, faithfulness, spent, attempts })
    }

    async fn look<Q: Question>(
        &self,
        prompt: &Q,
        spend: Authorized<ModelCall>,
        options: &CallOptions,
    ) -> Result<Answered<Q::Answer>, ModelError> {
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
        let answered = self.looked_at(prompt, &call, options).instrument(watch.span()).await;
        let told = answered.as_ref();
        watch.answered(told.map(|done| (&done.spent, done.attempts, done.another.as_deref())));
        answered
    }

    async fn looked_at<Q: Question>(
        &self,
        prompt: &Q,
        call: &ModelCall,
        options: &CallOptions,
    ) -> Result<Answered<Q::Answer>, ModelError> {
        tracing::debug!(call = %call.call, provider = %call.provider, "asked for a second look");
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
        exchange.run(prompt).await
    }
}
