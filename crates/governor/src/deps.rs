//! What every actor works with. Shared, immutable, put together once by `main`.

use crate::{
    config::GovernorConfig, hub::Hub, keys::EnvironmentKeys, policies::Policies, systems::Systems,
};
use std::sync::Arc;
use wiiiv_context::RuleBook;
use wiiiv_domain::PriceTable;
use wiiiv_exec::Executors;
use wiiiv_gate::GateKeeper;
use wiiiv_language::{Lexicon, Messages};
use wiiiv_llm::Models;
use wiiiv_store::Store;
use wiiiv_workspace::Workspaces;

/// Handed to [`crate::Governor::start`].
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
}

pub struct Room {
    pub deps: Deps,
    pub config: GovernorConfig,
    pub policies: Policies,
    pub systems: Systems,
    pub hub: Hub,
}

pub type Shared = Arc<Room>;
