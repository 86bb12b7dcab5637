//! A cache of compiled policies by project, so that a turn reads none from the database.

use crate::{clock, overrides};
use std::sync::Arc;
use wiiiv_domain::{OverrideEnd, OverrideScope, ProjectId};
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
    #[error("an override of the project's policy is over, and the policy before it is not back")]
    Over,
}

impl From<StoreError> for PolicyUnavailable {
    fn from(error: StoreError) -> Self {
        Self::Store(Arc::new(error))
    }
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

    /// The version in force. An override is none from its time on: whoever asks first ends it.
    pub async fn current(
        &self,
        project: ProjectId,
    ) -> Result<Arc<PolicySnapshot>, PolicyUnavailable> {
        let found = self.kept(project).await?;
        if !found.is_over(clock::now()) {
            return Ok(found);
        }
        overrides::end_by_itself(&self.store, project, OverrideEnd::Expired).await?;
        self.forget(project).await;
        let found = self.kept(project).await?;
        if found.is_over(clock::now()) { Err(PolicyUnavailable::Over) } else { Ok(found) }
    }

    async fn kept(&self, project: ProjectId) -> Result<Arc<PolicySnapshot>, PolicyUnavailable> {
        let found = self.compiled.try_get_with(project, self.read(project)).await;
        found.map_err(|e: Arc<PolicyUnavailable>| e.as_ref().clone())
    }

    async fn read(&self, project: ProjectId) -> Result<Arc<PolicySnapshot>, PolicyUnavailable> {
        let recorded = self.store.policy(project).await?;
        let snapshot = self.keeper.compile(&recorded);
        let snapshot = snapshot.map_err(|e| PolicyUnavailable::Compile(e.to_string()))?;
        let temporary = recorded.body().document().temporary();
        let one = temporary.filter(|temporary| temporary.scope == OverrideScope::Request);
        let taken = match one {
            Some(temporary) => self.store.is_override_taken(project, temporary.id).await?,
            None => false,
        };
        Ok(Arc::new(if taken { snapshot.taken() } else { snapshot }))
    }

    /// For a new version, after a commit that found the policy changed, and where a run has taken an
    /// override of one request.
    pub async fn forget(&self, project: ProjectId) {
        self.compiled.invalidate(&project).await;
    }
}
