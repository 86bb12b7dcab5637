//! Wire forms of a project's model slots, and of trials of a model.

use crate::dto::qualification::QualificationView;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;
use wiiiv_domain::{Currency, ModelSlot, PriceTable, ProjectPolicy};
use wiiiv_governor::{Gave, KeyResolution, Qualification, Trial};

/// Where a slot's model comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SlotFrom {
    Policy,
    /// None is named: the governor's model does.
    Governor,
    /// There is none: the provider has none of its own, or `none` is named.
    None,
}

/// `generator` or `embedding`; the governor's is told beside them.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SlotView {
    pub slot: &'static str,
    pub from: SlotFrom,
    /// `null`: the slot is empty.
    pub model: Option<SlotModelView>,
    /// What the provider of the policy has for an empty slot.
    pub suggested: Option<String>,
    /// Where the embeddings' slot is empty: the server's own model that documents are compared by; `null`: by words alone.
    pub compared_by: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SlotModelView {
    pub provider: &'static str,
    pub model: String,
    /// `null`: the built-in model, which is nowhere.
    pub origin: Option<String>,
    /// An administrator approved its origin: without that nothing is sent there.
    pub approved: bool,
    /// Whose key the caller's own turns would be sent with; `null`: none.
    pub key: Option<&'static str>,
    /// Its provider answers nobody without one.
    pub needs_key: bool,
    pub price: PriceState,
    pub ghost: Option<QualificationView>,
}

impl SlotModelView {
    /// `policy`: as if it named this model first.
    pub(crate) fn of(
        policy: &ProjectPolicy,
        prices: &PriceTable,
        resolution: &KeyResolution,
        ghost: Option<Qualification>,
    ) -> Self {
        Self {
            provider: policy.llm_provider.as_str(),
            model: policy.model().to_owned(),
            origin: resolution.origin.as_ref().map(ToString::to_string),
            approved: resolution.approved,
            key: resolution.source().map(wiiiv_domain::KeySource::as_str),
            needs_key: resolution.needs_key,
            price: PriceState::of(policy, prices),
            ghost: ghost.map(Into::into),
        }
    }
}

impl SlotView {
    /// `suggested`: for embeddings, where the provider has a model of its own for them. `own`: the server's for them.
    pub(crate) fn of(
        (slot, policy): (ModelSlot, &ProjectPolicy),
        model: Option<SlotModelView>,
        (suggested, own): (Option<String>, Option<String>),
    ) -> Self {
        let named = match slot {
            ModelSlot::Governor => policy.governor_model.is_some(),
            ModelSlot::Generator => policy.generator_model.is_some(),
            ModelSlot::Embedding => policy.embedding_model.is_some(),
        };
        let from = match (named, &model) {
            (true, Some(_)) => SlotFrom::Policy,
            (false, Some(_)) => SlotFrom::Governor,
            (_, None) => SlotFrom::None,
        };
        let suggested = suggested.filter(|_| model.is_none());
        let compared_by = own.filter(|_| model.is_none() && slot == ModelSlot::Embedding);
        Self { slot: slot.as_str(), from, model, suggested, compared_by }
    }
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TryModel {
    /// `governor`, `generator` or `embedding`.
    #[schema(value_type = String)]
    pub slot: ModelSlot,
    /// Shows the model a picture of one colour, and asks which; not for embeddings.
    #[serde(default)]
    pub picture: bool,
}

/// What came of one call. Where one was made, it is on record in `session`.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TrialView {
    pub slot: &'static str,
    pub provider: &'static str,
    pub model: String,
    pub answered: bool,
    /// As the provider names the model that answered, where that is not the one that was asked.
    pub answered_by: Option<String>,
    /// Where it was shown a picture: whether it told its colour.
    pub saw: Option<bool>,
    /// Of embeddings: the length of a vector.
    pub dimensions: Option<usize>,
    /// `rate_limited`, `unavailable`, `timeout`, `invalid_output`, `key_said`, `rejected`, `refused`,
    /// `context_too_long`, `auth`, `budget`, `unpriced`, `unpaid`, `unserved`, `halted` or `not_allowed`; `null`: it answered.
    pub failure: Option<&'static str>,
    /// In words of the server's own.
    pub reason: Option<String>,
    /// Milliseconds, with retries.
    pub took_ms: u64,
    /// Calls that went out.
    pub attempts: u32,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// The provider did not tell its counts: what was held counts as spent where nothing is known.
    pub estimated: bool,
    /// `null`: unpriced.
    pub cost_micros: Option<u64>,
    #[schema(value_type = String)]
    pub currency: Currency,
    /// Whose key was sent; `null`: none.
    pub key: Option<&'static str>,
    pub session: Uuid,
}

impl TrialView {
    pub(crate) fn of(trial: Trial, session: Uuid) -> Self {
        let (saw, dimensions) = match trial.gave {
            Ok(Gave::Saw(saw)) => (Some(saw), None),
            Ok(Gave::Vectors { dimensions }) => (None, Some(dimensions)),
            Ok(Gave::Proposal) | Err(_) => (None, None),
        };
        let (failure, reason) = trial.gave.err().unzip();
        Self {
            slot: trial.slot.as_str(),
            provider: trial.provider.as_str(),
            model: trial.model,
            answered: failure.is_none(),
            answered_by: trial.another,
            saw,
            dimensions,
            failure: failure.map(wiiiv_domain::ProposalFailure::as_str),
            reason,
            took_ms: u64::try_from(trial.took.as_millis()).unwrap_or(u64::MAX),
            attempts: trial.attempts,
            input_tokens: trial.usage.input_tokens,
            output_tokens: trial.usage.output_tokens,
            estimated: trial.usage.estimated,
            cost_micros: trial.amount.micros,
            currency: trial.currency,
            key: trial.key.map(wiiiv_domain::KeySource::as_str),
            session,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PriceState {
    Priced,
    /// Not free: under a money cap it is denied.
    Unpriced,
    /// It runs in the server's own process.
    Free,
}

impl PriceState {
    pub(crate) fn of(policy: &ProjectPolicy, prices: &PriceTable) -> Self {
        let provider = policy.llm_provider;
        let price = policy.prices(prices).get(provider.as_str(), policy.model()).is_some();
        match (provider.is_built_in(), price) {
            (true, _) => Self::Free,
            (false, true) => Self::Priced,
            (false, false) => Self::Unpriced,
        }
    }
}
