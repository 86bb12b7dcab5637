//! A cache of compiled policies by project, so that a turn reads none from the database.

use std::sync::Arc;
use wiiiv_domain::ProjectId;
use wiiiv_gate::{GateKeeper, PolicySnapshot};
use wiiiv_store::{Store, StoreError};

/// Projects whose policy is kept compiled.
const PROJECTS_MAX: u64 = 10_000;

#[derive(Debug, Clone, thiserror::Error)]
pub enum PolicyUnavailable {
    #[error("the project's policy cannot be read: {0}")]
    Store(Arc<StoreError>),
    #[error("the project's policy does not compile: {0}")]
    Compile(String),
}

#[derive(Clone)]
pub struct PolicyCache {
    keeper: GateKeeper,
    store: Store,
    compiled: moka::future::Cache<ProjectId, Arc<PolicySnapshot>>,
}

impl PolicyCache {
    pub fn new(keeper: GateKeeper, store: Store) -> Self {
        Self { keeper, store, compiled: moka::future::Cache::new(PROJECTS_MAX) }
    }
    pub async fn current(
        &self,
        project: ProjectId,
    ) -> Result<Arc<PolicySnapshot>, PolicyUnavailable> {
        let read = async {
            let recorded = self.store.policy(project).await;
            let recorded = recorded.map_err(|e| PolicyUnavailable::Store(Arc::new(e)))?;
            let snapshot = self.keeper.compile(&recorded);
            snapshot.map(Arc::new).map_err(|e| PolicyUnavailable::Compile(e.to_string()))
        };
        let found = self.compiled.try_get_with(project, read).await;
        found.map_err(|e: Arc<PolicyUnavailable>| e.as_ref().clone())
    }
    /// For a new version, and after a commit that found the policy changed.
    pub async fn forget(&self, project: ProjectId) {
        self.compiled.invalidate(&project).await;
    }
}
