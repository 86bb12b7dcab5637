//! Wire forms of models and of their keys.

use crate::dto::{
    auth::SecretField,
    known_model::{CountingView, ModelFactsView, RecommendedView},
    mirror::mirror,
    model_slot::{PriceState, SlotModelView, SlotView},
    qualification::QualificationView,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wiiiv_domain::{KeyHolder, PriceTable, ProjectPolicy, ProviderName};
use wiiiv_governor::{Considered, KeyFate, KeyResolution, KnownModel, Qualification};
use wiiiv_llm::{Listing, Recommended};
use wiiiv_store::ModelKeyRow;

/// A key to be kept. It is sealed for its origin and cannot be read again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PutModelKey {
    /// 8 to 1,024 visible ASCII characters.
    #[schema(value_type = String, format = Password, min_length = 8, max_length = 1024)]
    pub secret: SecretField,
    /// The only one that it will be sent to, such as `https://gateway.example`. Needed for CUSTOM;
    /// else the provider's own.
    pub origin: Option<String>,
}

/// A key as it may be shown.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModelKeyView {
    pub provider: &'static str,
    /// `USER`, `PROJECT` or `SERVER`.
    pub holder: &'static str,
    /// `sk-****abcd`; one of fewer than 20 characters is masked whole.
    pub masked: String,
    /// The only one that it is sent to.
    pub origin: String,
    /// An administrator approved that origin: without it nothing is sent there.
    pub approved: bool,
    /// The `ETag` as well.
    pub revision: u64,
    pub updated_at: String,
    /// What the provider said of it when it was last asked.
    pub checked: Option<KeyCheck>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeyCheck {
    pub at: String,
    /// `ACCEPTED`, `REFUSED`, `UNREACHABLE` or `NOT_APPROVED`.
    pub verdict: &'static str,
}

impl ModelKeyView {
    pub(crate) fn of(row: ModelKeyRow, approved: bool) -> Self {
        Self {
            provider: row.provider.as_str(),
            holder: match row.holder {
                KeyHolder::Server => "SERVER",
                KeyHolder::Project(_) => "PROJECT",
                KeyHolder::User(_) => "USER",
            },
            masked: row.masked,
            origin: row.origin,
            approved,
            revision: row.revision,
            updated_at: row.updated_at.to_string(),
            checked: row
                .checked
                .map(|(at, verdict)| KeyCheck { at: at.to_string(), verdict: verdict.as_str() }),
        }
    }
}

/// What came of asking the provider for its list of models.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModelListing {
    /// `ACCEPTED`, `REFUSED`, `UNREACHABLE` or `NOT_APPROVED`.
    pub verdict: &'static str,
    /// As the provider names them.
    pub models: Vec<String>,
}

impl From<Listing> for ModelListing {
    fn from(listing: Listing) -> Self {
        Self { verdict: listing.verdict.as_str(), models: listing.models }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ConsideredKey {
    /// `USER`, `PROJECT`, `SERVER` or `ENVIRONMENT`.
    pub source: &'static str,
    pub state: ConsideredState,
    pub masked: Option<String>,
    pub origin: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ConsideredState {
    Used,
    /// A nearer one is used.
    Behind,
    /// It is for another origin than the one that is asked.
    Elsewhere,
    /// The policy's `keySources` does not name this source.
    NotNamed,
    None,
}

mirror!(KeyFate => ConsideredState: Used, Behind, Elsewhere, NotNamed, None);

impl From<Considered> for ConsideredKey {
    fn from(one: Considered) -> Self {
        Self {
            source: one.source.as_str(),
            state: one.fate.into(),
            masked: one.masked,
            origin: one.origin,
        }
    }
}

/// Which key the caller's next turn here would use, and why.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeyResolutionView {
    pub provider: &'static str,
    /// `null`: the built-in model, which is nowhere.
    pub origin: Option<String>,
    /// The provider answers nobody without one.
    pub needs_key: bool,
    /// `null`: no key is sent.
    pub source: Option<&'static str>,
    /// In the order in which they are looked for.
    pub considered: Vec<ConsideredKey>,
}

impl From<KeyResolution> for KeyResolutionView {
    fn from(resolution: KeyResolution) -> Self {
        Self {
            provider: resolution.provider.as_str(),
            origin: resolution.origin.as_ref().map(ToString::to_string),
            needs_key: resolution.needs_key,
            source: resolution.source().map(wiiiv_domain::KeySource::as_str),
            considered: resolution.considered.into_iter().map(Into::into).collect(),
        }
    }
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ValueFrom {
    Policy,
    /// The provider's own.
    Provider,
    BuiltIn,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EffectiveValue {
    pub value: Option<String>,
    pub from: ValueFrom,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EffectiveOrigin {
    /// `null`: the built-in model, which is nowhere.
    pub value: Option<String>,
    pub from: ValueFrom,
    /// An administrator approved it: without that nothing is sent there.
    pub approved: bool,
}

/// What the project's next turn is proposed by, each part with where it comes from.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EffectiveModelView {
    pub provider: EffectiveValue,
    pub model: EffectiveValue,
    pub origin: EffectiveOrigin,
    /// For the caller's own turns.
    pub key: KeyResolutionView,
    pub price: PriceState,
    /// `null` means unknown, not zero.
    pub facts: Option<ModelFactsView>,
    pub counting: CountingView,
    pub recommended: Option<RecommendedView>,
    /// Asked in this order where the one before cannot be reached.
    pub fallbacks: Vec<SlotModelView>,
    /// The generator's and the embeddings'.
    pub slots: Vec<SlotView>,
    /// `null`: the built-in model, which the build itself is tested with.
    pub ghost: Option<QualificationView>,
}

impl EffectiveModelView {
    pub(crate) fn of(
        policy: &ProjectPolicy,
        prices: &PriceTable,
        resolution: KeyResolution,
        (known, recommended): (KnownModel, Option<Recommended>),
        (ghost, fallbacks, slots): (Option<Qualification>, Vec<SlotModelView>, Vec<SlotView>),
    ) -> Self {
        let (provider, built_in) =
            (policy.llm_provider, policy.llm_provider == ProviderName::Offline);
        let from = |named: bool| match (built_in, named) {
            (true, _) => ValueFrom::BuiltIn,
            (false, true) => ValueFrom::Policy,
            (false, false) => ValueFrom::Provider,
        };
        let model = policy.model().to_owned();
        let origin = resolution.origin.as_ref().map(ToString::to_string);
        Self {
            provider: EffectiveValue {
                value: Some(provider.as_str().to_owned()),
                from: ValueFrom::Policy,
            },
            model: EffectiveValue {
                value: Some(model),
                from: from(policy.governor_model.is_some()),
            },
            origin: EffectiveOrigin {
                value: origin,
                from: from(policy.llm_base_url.is_some()),
                approved: resolution.approved,
            },
            key: resolution.into(),
            price: PriceState::of(policy, prices),
            facts: known.facts.map(Into::into),
            counting: known.counting.into(),
            recommended: recommended.map(Into::into),
            fallbacks,
            slots,
            ghost: ghost.map(Into::into),
        }
    }
}
