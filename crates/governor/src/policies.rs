//! Compiled policies in process, one a project, dropped when a new version is written: no database
//! read on a turn's path.

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
pub struct Policies {
    keeper: GateKeeper,
    store: Store,
    compiled: moka::future::Cache<ProjectId, Arc<PolicySnapshot>>,
}

impl Policies {
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
    /// After a new version, and when a commit found that the policy moved.
    pub async fn forget(&self, project: ProjectId) {
        self.compiled.invalidate(&project).await;
    }
}
