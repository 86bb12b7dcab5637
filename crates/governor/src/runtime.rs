//! The shared dependencies of actors: immutable, put together once by `main`.

use crate::{
    config::GovernorConfig,
    documents::{DocumentDeps, Retrieval},
    hub::Hub,
    plan_counts::PlanCounts,
    policies::PolicyCache,
    systems::SystemCache,
};
use std::{collections::BTreeMap, sync::Arc};
use wiiiv_context::RuleBook;
use wiiiv_domain::{PriceTable, ProviderName};
use wiiiv_exec::Executors;
use wiiiv_gate::GateKeeper;
use wiiiv_language::Lexicon;
use wiiiv_llm::Models;
use wiiiv_messages::Messages;
use wiiiv_store::Store;
use wiiiv_vault::ApiKey;
use wiiiv_workspace::Workspaces;

/// The argument of [`crate::Governor::start`].
pub struct Deps {
    pub store: Store,
    pub keeper: GateKeeper,
    pub models: Models,
    pub executors: Executors,
    pub workspaces: Workspaces,
    pub rules: RuleBook,
    pub lexicon: Arc<Lexicon>,
    pub messages: Arc<Messages>,
    pub prices: PriceTable,
    pub environment: EnvironmentKeys,
    pub documents: DocumentDeps,
}

/// Keys of model providers from the environment: each is sent to its provider's own origin only.
#[derive(Debug, Clone, Default)]
pub struct EnvironmentKeys(BTreeMap<ProviderName, ApiKey>);

impl EnvironmentKeys {
    #[must_use]
    pub const fn new(keys: BTreeMap<ProviderName, ApiKey>) -> Self {
        Self(keys)
    }

    pub(crate) fn get(&self, provider: ProviderName) -> Option<&ApiKey> {
        self.0.get(&provider)
    }
}

/// The dependencies and what is built on them.
pub struct Runtime {
    pub deps: Deps,
    pub config: GovernorConfig,
    pub policies: PolicyCache,
    pub systems: SystemCache,
    pub hub: Hub,
    pub plan_counts: PlanCounts,
    /// Documents that searches find.
    pub retrieval: Retrieval,
}

impl Runtime {
    pub fn new(deps: Deps, config: GovernorConfig) -> Self {
        let policies = PolicyCache::new(deps.keeper.clone(), deps.store.clone());
        let systems = SystemCache::new(deps.store.clone());
        let (hub, plan_counts) = (Hub::new(), PlanCounts::default());
        let retrieval = Retrieval::new(deps.documents.embedders.clone());
        Self { deps, config, policies, systems, hub, plan_counts, retrieval }
    }
}
