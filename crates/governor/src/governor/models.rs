//! What there is to know of models, and the keys that they are asked with.

use super::Governor;
use crate::{
    keys::{self, KeyError, KeyResolution, Payer},
    qualification::Qualification,
    session::{Trial, TrialError, TrialOf, Try},
};
use secrecy::SecretString;
use std::collections::BTreeSet;
use tokio::sync::oneshot;
use wiiiv_domain::{KeyHolder, ModelPrice, PriceTable, ProjectPolicy, ProviderName, SessionId};
use wiiiv_gate::Principal;
use wiiiv_llm::{Counting, Listing, ModelFacts, Models, Recommended};
use wiiiv_net::Origin;
use wiiiv_store::{ModelKeyRow, StoreError};

/// One provider as this server knows it.
#[derive(Debug, Clone)]
pub struct KnownProvider {
    pub provider: ProviderName,
    /// Its own; a CUSTOM one has none.
    pub origin: Option<Origin>,
    pub approved: bool,
    pub needs_key: bool,
    pub recommended: Option<Recommended>,
    /// For embeddings.
    pub embedding: Option<String>,
    /// What is known or has a price, by name.
    pub models: Vec<KnownModel>,
}

#[derive(Debug, Clone)]
pub struct KnownModel {
    pub name: String,
    pub price: Option<ModelPrice>,
    /// `None`: nothing is known of it.
    pub facts: Option<ModelFacts>,
    pub counting: Counting,
}

impl Governor {
    pub async fn model_keys(&self, holder: KeyHolder) -> Result<Vec<ModelKeyRow>, StoreError> {
        self.store().model_keys(holder).await
    }

    /// `origin`: in place of the provider's own. `expected`: the revision that it replaces.
    pub async fn set_model_key(
        &self,
        who: &Principal,
        at: (KeyHolder, ProviderName),
        given: (&SecretString, Option<&str>),
        expected: Option<u64>,
    ) -> Result<ModelKeyRow, KeyError> {
        keys::set(&self.room, who, at, given, expected).await
    }

    pub async fn remove_model_key(
        &self,
        who: &Principal,
        at: (KeyHolder, ProviderName),
        expected: u64,
    ) -> Result<(), KeyError> {
        keys::remove(&self.room, who, at, expected).await
    }

    /// Asks the provider for its list with that key. `policy`: of the project that it is for.
    pub async fn verify_model_key(
        &self,
        who: &Principal,
        at: (KeyHolder, ProviderName),
        policy: Option<&ProjectPolicy>,
    ) -> Result<Listing, KeyError> {
        keys::verify(&self.room, who, at, policy).await
    }

    /// Which key the payer's next turn would use, and why.
    pub async fn resolve_model_key(
        &self,
        payer: Payer,
        policy: &ProjectPolicy,
    ) -> Result<KeyResolution, KeyError> {
        keys::resolve(&self.room, payer, policy).await
    }

    /// One call of that slot's model, under a permit of its own in that session: its record says what
    /// came of it.
    pub async fn try_model(
        &self,
        who: &Principal,
        session: SessionId,
        tried: TrialOf,
    ) -> Result<Trial, TrialError> {
        let row = self.own(who, session).await.map_err(|_| TrialError::NotFound)?;
        // The owner's key pays.
        if row.owner != who.user() {
            return Err(TrialError::NotFound);
        }
        let lost = || TrialError::Unavailable("the session is being restored; try again".into());
        let (ack, trial) = oneshot::channel();
        let actor = self.actor(session).await.map_err(|_| lost())?;
        actor.tell(Try { tried, ack }).await.map_err(|_| lost())?;
        trial.await.map_err(|_| lost())?
    }

    /// As the project's provider lists them itself.
    pub async fn available_models(
        &self,
        payer: Payer,
        policy: &ProjectPolicy,
    ) -> Result<Listing, KeyError> {
        keys::available(&self.room, payer, policy).await
    }

    /// Whether GHOST has verified that model under the rules of that policy; `None`: the built-in one.
    pub async fn qualification(
        &self,
        model: (ProviderName, &str),
        policy: &ProjectPolicy,
    ) -> Result<Option<Qualification>, StoreError> {
        Qualification::of(&self.room.deps, model, policy).await
    }

    #[must_use]
    pub fn approves(&self, origin: &str) -> bool {
        Origin::parse(origin).is_ok_and(|origin| self.room.deps.models.approves(&origin))
    }

    /// The server's prices, under each project's own.
    #[must_use]
    pub fn prices(&self) -> &PriceTable {
        &self.room.deps.prices
    }

    #[must_use]
    pub fn known_provider(&self, provider: ProviderName) -> KnownProvider {
        let models = &self.room.deps.models;
        let recommended = models.recommended(provider).cloned();
        let origin = models.origin(provider, None).ok().flatten();
        KnownProvider {
            provider,
            approved: origin.as_ref().is_none_or(|origin| models.approves(origin)),
            needs_key: Models::needs_key(provider),
            embedding: models.embedding(provider).map(str::to_owned),
            models: self.known_models(provider),
            recommended,
            origin,
        }
    }

    fn known_models(&self, provider: ProviderName) -> Vec<KnownModel> {
        let models = &self.room.deps.models;
        let of = |name: &String| {
            let (of, name) = name.split_once(':')?;
            (of == provider.as_str()).then(|| name.to_owned())
        };
        let priced = self.prices().0.keys().filter_map(of);
        let names: BTreeSet<String> =
            priced.chain(models.known(provider).map(str::to_owned)).collect();
        names.into_iter().map(|name| self.known_model(provider, name)).collect()
    }

    #[must_use]
    pub fn known_model(&self, provider: ProviderName, name: String) -> KnownModel {
        let models = &self.room.deps.models;
        KnownModel {
            price: self.prices().get(provider.as_str(), &name).cloned(),
            facts: models.facts(provider, &name),
            counting: models.counting(provider, &name),
            name,
        }
    }
}
