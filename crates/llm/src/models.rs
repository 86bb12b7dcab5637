//! The only access to models.

use crate::{
    call::Limits,
    catalogue::{Catalogue, Recommended},
    endpoint::Endpoint,
    local_models::LocalModels,
    models_error::ModelsError,
    offline::{self, proposal::Offline},
    origins::Origins,
    proposal::Schema,
    telemetry::ModelNames,
    tokens::{Counts, TokenizerFile},
    wire::Form,
};
use std::{collections::BTreeMap, path::PathBuf, sync::Arc};
use wiiiv_context::{Prompt, TOTAL_TOKENS_DEFAULT};
use wiiiv_domain::{Proposal, ProviderName};
use wiiiv_gate::Verifier;
use wiiiv_language::Lexicon;
use wiiiv_messages::{Messages, Topics};
use wiiiv_net::ProviderClient;

pub struct Models {
    pub(crate) verifier: Verifier,
    lexicon: Arc<Lexicon>,
    topics: Topics,
    messages: Arc<Messages>,
    pub(crate) provider: ProviderClient,
    pub(crate) schema: Schema,
    pub(crate) catalogue: Catalogue,
    pub(crate) counts: Counts,
    pub(crate) windows: BTreeMap<String, u64>,
    pub(crate) total_tokens: u64,
    pub(crate) forms: BTreeMap<String, Form>,
    pub(crate) tokenizers: BTreeMap<String, Arc<TokenizerFile>>,
    pub(crate) origins: Origins,
    pub(crate) names: ModelNames,
    pub(crate) limits: Limits,
    pub(crate) local: LocalModels,
}

impl Models {
    pub fn new(
        verifier: Verifier,
        lexicon: Arc<Lexicon>,
        messages: Arc<Messages>,
        provider: ProviderClient,
    ) -> Result<Self, ModelsError> {
        Ok(Self {
            verifier,
            lexicon,
            topics: Topics::embedded(wiiiv_language::sound)?,
            messages,
            provider,
            schema: Schema::compile()?,
            catalogue: Catalogue::embedded()?,
            counts: Counts::default(),
            windows: BTreeMap::new(),
            total_tokens: TOTAL_TOKENS_DEFAULT,
            forms: BTreeMap::new(),
            tokenizers: BTreeMap::new(),
            origins: Origins::default(),
            names: ModelNames::default(),
            limits: Limits::default(),
            local: LocalModels::default(),
        })
    }

    /// Where the models of this process are installed; without it there are none.
    #[must_use]
    pub fn with_local_models(self, folder: PathBuf) -> Self {
        Self { local: LocalModels::new(folder), ..self }
    }

    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Tokens that a model reads at once, by `PROVIDER:model`, in place of what is known of it.
    #[must_use]
    pub fn with_windows(self, windows: BTreeMap<String, u64>) -> Self {
        Self { windows, ..self }
    }

    /// What the parts of a prompt may take together, whatever the model reads.
    #[must_use]
    pub fn with_total_tokens(self, total_tokens: u64) -> Self {
        Self { total_tokens, ..self }
    }

    /// How models are made to answer with a proposal, by `PROVIDER:model`, in place of what is known
    /// of them.
    #[must_use]
    pub fn with_forms(self, forms: BTreeMap<String, Form>) -> Self {
        Self { forms, ..self }
    }

    /// Tokenizers that models ship with, by the beginning of `PROVIDER:model`.
    #[must_use]
    pub fn with_tokenizers(self, tokenizers: BTreeMap<String, Arc<TokenizerFile>>) -> Self {
        Self { tokenizers, ..self }
    }

    /// Whether this provider could be asked: said when a policy is saved, not at the first call. Of
    /// keys nothing is said: each person may have one.
    pub fn check(
        &self,
        (provider, model): (ProviderName, Option<&str>),
        base_url: Option<&str>,
    ) -> Result<(), ModelsError> {
        let Some(endpoint) = Endpoint::of(provider, base_url)? else { return Ok(()) };
        if let (None, Some(named)) = (model, self.recommended(provider)) {
            return Err(ModelsError::NoModel { provider, such_as: named.value.clone() });
        }
        let approved = self.provider.approves(&endpoint.origin);
        if approved { Ok(()) } else { Err(ModelsError::NotApproved(endpoint.origin)) }
    }

    /// `None` where nothing can be recommended: a CUSTOM provider serves what its owner gave it.
    #[must_use]
    pub fn recommended(&self, provider: ProviderName) -> Option<&Recommended> {
        self.catalogue.recommended(provider)
    }

    /// The names that something is known of; of LOCAL those that are installed.
    pub fn known(&self, provider: ProviderName) -> impl Iterator<Item = &str> {
        let local = (provider == ProviderName::Local).then(|| self.local.installed());
        let local = local.into_iter().flatten().map(|model| model.name());
        self.catalogue.names(provider).chain(local)
    }

    /// What a policy names for embeddings where its provider has none: the first that is installed.
    #[must_use]
    pub fn local_embedding(&self) -> Option<&'static str> {
        self.local.installed().first().map(|model| model.as_str())
    }

    /// For embeddings; `None` where the provider has no model of its own for them.
    #[must_use]
    pub fn embedding(&self, provider: ProviderName) -> Option<&str> {
        self.catalogue.embedding(provider)
    }

    /// Origins that are not asked for the time being, because they did not answer.
    #[must_use]
    pub fn left_alone(&self) -> usize {
        self.origins.left_alone(None)
    }

    /// Of those, the ones that were asked as this provider.
    #[must_use]
    pub fn left_alone_of(&self, provider: ProviderName) -> usize {
        self.origins.left_alone(Some(provider))
    }

    /// The built-in reading of the same prompt, where the model that was meant cannot be reached.
    /// No model is asked: nothing leaves and nothing is spent.
    #[must_use]
    pub fn degraded(&self, prompt: &Prompt) -> Proposal {
        let Self { lexicon, topics, messages, .. } = self;
        offline::propose(&Offline { lexicon, topics, messages }, prompt.parts())
    }
}
