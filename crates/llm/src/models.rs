//! The one door to a model.

use crate::{
    breaker::OPEN_FOR,
    catalogue::{Catalogue, CatalogueError, Recommended},
    exchange::Exchange,
    key::ProviderKey,
    offline::{self, Offline},
    origins::Origins,
    picture::Picture,
    place::Place,
    proposal::{Schema, SchemaError},
    telemetry::{ModelNames, Watch},
    tokens::{Counts, TokenizerFile},
    wire::Form,
};
use std::{collections::BTreeMap, fmt, sync::Arc, time::Duration};
use tokio::sync::mpsc;
use tracing::Instrument as _;
use wiiiv_context::Prompt;
use wiiiv_domain::{ModelSlot, Proposal, ProposalFailure, ProviderName, Spent, Usage, telemetry};
use wiiiv_gate::{Authorized, ModelCall, Verifier};
use wiiiv_language::{Lexicon, Messages, Topics, TopicsError};
use wiiiv_net::{Origin, ProviderClient};

#[derive(Clone)]
pub struct CallOptions {
    /// Of a CUSTOM provider, such as `http://localhost:1234/v1`; of any other, in place of its own.
    pub base_url: Option<String>,
    /// Sent to the origin that it was stored for, and to no other.
    pub key: Option<ProviderKey>,
    /// Shown behind the words, where the model can see. `Picture::TOKENS_MAX` is held for it.
    pub picture: Option<Picture>,
    /// For the call in whole: retries and the repair included.
    pub deadline: Duration,
}

impl fmt::Debug for CallOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallOptions")
            .field("has_base_url", &self.base_url.is_some())
            .field("key", &self.key)
            .field("picture", &self.picture)
            .field("deadline", &self.deadline)
            .finish()
    }
}

/// Waits between attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// After a 429, a 5xx, or where nobody was there, within the attempts of the permit.
    pub retries: u32,
    /// Before the first retry; doubled for the next, with as much again by chance.
    pub backoff: Duration,
    /// A provider that asks for more patience is not waited for.
    pub retry_after_max: Duration,
    /// How long an origin is left alone after failures in a row; then one call tries it again.
    pub pause: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            retries: 2,
            backoff: Duration::from_millis(250),
            retry_after_max: Duration::from_secs(10),
            pause: OPEN_FOR,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Completion {
    pub proposal: Proposal,
    /// Of all attempts.
    pub spent: Spent,
    /// Calls that went out; 0 for the built-in model.
    pub attempts: u32,
    /// Who answered, where it is another model than was asked: its price may be another one too.
    pub another: Option<String>,
    /// What the provider told of one attempt, where it is more than was held for it.
    pub beyond: Option<Usage>,
}

/// A vector for each text, all of one length.
#[derive(Debug, Clone, PartialEq)]
pub struct Embeddings {
    pub vectors: Vec<Vec<f32>>,
    pub spent: Spent,
    pub attempts: u32,
    /// What the provider told of, where it is more than was held.
    pub beyond: Option<Usage>,
}

/// Nothing came of it, but it may have cost something all the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the model gave no answer: {reason}")]
pub struct ModelError {
    pub failure: ProposalFailure,
    pub spent: Spent,
    /// In our own words: it quotes neither the prompt nor the answer.
    pub reason: String,
    pub attempts: u32,
    /// Nobody answers there: no connection, a failure of the server's own, or left alone for that.
    /// One that connects and is late is no such case: something may still come of it.
    pub unreachable: bool,
    /// What the provider told of one attempt, where it is more than was held for it.
    pub beyond: Option<Usage>,
}

impl ModelError {
    pub(crate) fn before(failure: ProposalFailure, reason: &str) -> Self {
        let (spent, reason) = (Spent::default(), reason.to_owned());
        Self { failure, spent, reason, attempts: 0, unreachable: false, beyond: None }
    }
    /// The permit was given for something else.
    pub(crate) fn of_slot(slot: ModelSlot) -> Self {
        let reason = format!("the permit is for the slot `{slot}`, and not for this");
        Self::before(ProposalFailure::Budget, &reason)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum ModelsError {
    #[error(transparent)]
    Schema(#[from] SchemaError),
    #[error(transparent)]
    Topics(#[from] TopicsError),
    #[error("a CUSTOM provider needs `llmBaseUrl`, such as `http://localhost:11434/v1`")]
    NoBaseUrl,
    #[error("`llmBaseUrl` cannot be used: {0}")]
    BaseUrl(String),
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    #[error("the origin `{0}` is not approved: an administrator can approve it")]
    NotApproved(Origin),
    #[error(
        "no key of `{0}` can be used for this turn, and it answers nobody without one: store one, \
         or let the project's policy name the source of one"
    )]
    NoKey(ProviderName),
    #[error(
        "`{provider}` has no model of its own: name one as `governorModel`, such as `{such_as}`"
    )]
    NoModel { provider: ProviderName, such_as: String },
    #[error(
        "`{0}` has no embeddings: name a model of another provider, such as `openai:text-embedding-3-small`"
    )]
    NoEmbeddings(ProviderName),
    #[error("the key that is stored is for another origin than `{0}`: store one for this origin")]
    KeyElsewhere(Origin),
}

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
    pub(crate) forms: BTreeMap<String, Form>,
    pub(crate) tokenizers: BTreeMap<String, Arc<TokenizerFile>>,
    pub(crate) origins: Origins,
    pub(crate) names: ModelNames,
    pub(crate) limits: Limits,
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
            topics: Topics::embedded()?,
            messages,
            provider,
            schema: Schema::compile()?,
            catalogue: Catalogue::embedded()?,
            counts: Counts::default(),
            windows: BTreeMap::new(),
            forms: BTreeMap::new(),
            tokenizers: BTreeMap::new(),
            origins: Origins::default(),
            names: ModelNames::default(),
            limits: Limits::default(),
        })
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
        let Some(place) = Place::of(provider, base_url)? else { return Ok(()) };
        if let (None, Some(named)) = (model, self.recommended(provider)) {
            return Err(ModelsError::NoModel { provider, such_as: named.value.clone() });
        }
        let approved = self.provider.approves(&place.origin);
        if approved { Ok(()) } else { Err(ModelsError::NotApproved(place.origin)) }
    }

    /// `None` where nothing can be recommended: a CUSTOM provider serves what its owner gave it.
    #[must_use]
    pub fn recommended(&self, provider: ProviderName) -> Option<&Recommended> {
        self.catalogue.recommended(provider)
    }

    /// The names that something is known of.
    pub fn known(&self, provider: ProviderName) -> impl Iterator<Item = &str> {
        self.catalogue.names(provider)
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
        let counted = self.gauge(call.provider, &call.model).held(prompt).await;
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
        let place = Place::of(call.provider, options.base_url.as_deref()).and_then(|place| {
            let checked =
                place.as_ref().map_or(Ok(()), |place| place.check_kept(options.key.as_ref()));
            checked.map(|()| place)
        });
        match place {
            Err(error) => Err(ModelError::before(ProposalFailure::Auth, &error.to_string())),
            Ok(None) => {
                let (proposal, spent) = (self.degraded(prompt), Spent::default());
                Ok(Completion { proposal, spent, attempts: 0, another: None, beyond: None })
            }
            Ok(Some(place)) => self.ask(prompt, (call, place), options, deltas).await,
        }
    }

    async fn ask(
        &self,
        prompt: &Prompt,
        (call, place): (&ModelCall, Place),
        options: &CallOptions,
        deltas: Option<mpsc::Sender<String>>,
    ) -> Result<Completion, ModelError> {
        // Beside facts, prose is shown only after its numbers were checked (llm.md 2).
        let deltas = deltas.filter(|_| prompt.parts().facts.is_none());
        let exchange = Exchange { models: self, call, options, place, deltas };
        exchange.run(prompt).await
    }
}
