//! Known models and providers, and trials of a model.

use crate::{
    qualification::Qualification,
    runtime::Runtime,
    session::Request,
    sessions::Sessions,
    trial::{Trial, TrialError, TrialOf},
};
use std::collections::BTreeSet;
use wiiiv_domain::{ModelPrice, PriceTable, ProjectPolicy, ProviderName, SessionId};
use wiiiv_gate::Principal;
use wiiiv_llm::{Counting, ModelFacts, Recommended};
use wiiiv_net::Origin;
use wiiiv_store::StoreError;

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
    /// `None`: unknown.
    pub facts: Option<ModelFacts>,
    pub counting: Counting,
}

#[derive(Clone, Copy)]
pub struct Models<'a> {
    pub(super) runtime: &'a Runtime,
    pub(super) sessions: &'a Sessions,
}

impl<'a> Models<'a> {
    const fn all(self) -> &'a wiiiv_llm::Models {
        &self.runtime.deps.models
    }

    /// One call of that slot's model, under a permit of its own in that session.
    pub async fn try_out(
        self,
        who: &Principal,
        session: SessionId,
        tried: TrialOf,
    ) -> Result<Trial, TrialError> {
        let row = self.sessions.own(who, session).await.map_err(|_| TrialError::NotFound)?;
        // The owner's key pays.
        if row.owner != who.user() {
            return Err(TrialError::NotFound);
        }
        let answered = self.sessions.ask(session, |ack| Request::Try { tried, ack }).await;
        answered.map_err(|gone| TrialError::Unavailable(gone.to_string()))?
    }

    /// Whether GHOST has verified that model under the rules of that policy; `None`: the built-in one.
    pub async fn qualification(
        self,
        model: (ProviderName, &str),
        policy: &ProjectPolicy,
    ) -> Result<Option<Qualification>, StoreError> {
        Qualification::of(&self.runtime.deps, model, policy).await
    }

    /// Model servers with an open breaker: the built-in understanding stands in for them.
    #[must_use]
    pub fn left_alone(self) -> usize {
        self.all().left_alone()
    }

    #[must_use]
    pub fn approves(self, origin: &str) -> bool {
        Origin::parse(origin).is_ok_and(|origin| self.all().approves(&origin))
    }

    /// The server's prices, under each project's own.
    #[must_use]
    pub const fn prices(self) -> &'a PriceTable {
        &self.runtime.deps.prices
    }

    #[must_use]
    pub fn known_provider(self, provider: ProviderName) -> KnownProvider {
        let origin = self.all().origin(provider, None).ok().flatten();
        KnownProvider {
            provider,
            approved: origin.as_ref().is_none_or(|origin| self.all().approves(origin)),
            needs_key: wiiiv_llm::Models::needs_key(provider),
            embedding: self.all().embedding(provider).map(str::to_owned),
            models: self.known_models(provider),
            recommended: self.all().recommended(provider).cloned(),
            origin,
        }
    }

    fn known_models(self, provider: ProviderName) -> Vec<KnownModel> {
        let of = |name: &String| {
            let (of, name) = name.split_once(':')?;
            (of == provider.as_str()).then(|| name.to_owned())
        };
        let priced = self.prices().0.keys().filter_map(of);
        let names: BTreeSet<String> =
            priced.chain(self.all().known(provider).map(str::to_owned)).collect();
        names.into_iter().map(|name| self.known(provider, name)).collect()
    }

    #[must_use]
    pub fn known(self, provider: ProviderName, name: String) -> KnownModel {
        KnownModel {
            price: self.prices().get(provider.as_str(), &name).cloned(),
            facts: self.all().facts(provider, &name),
            counting: self.all().counting(provider, &name),
            name,
        }
    }
}
