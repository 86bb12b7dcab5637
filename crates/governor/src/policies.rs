//! A cache of compiled policies by what the project is under, so that a turn reads none from the database.

use crate::{clock, overrides};
use std::{sync::Arc, time::Duration};
use wiiiv_domain::{OverrideEnd, OverrideScope, ProjectId};
use wiiiv_gate::{GateKeeper, PolicySnapshot};
use wiiiv_store::{PolicyStamp, Store, StoreError};

/// Policies that are kept compiled.
const SNAPSHOTS_MAX: u64 = 10_000;
const IDLE: Duration = Duration::from_secs(3_600);

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
    /// Those of former stamps go once nobody asks for them.
    compiled: moka::future::Cache<(ProjectId, PolicyStamp), Arc<PolicySnapshot>>,
}

impl PolicyCache {
    pub fn new(keeper: GateKeeper, store: Store) -> Self {
        let compiled = moka::future::Cache::builder();
        let compiled = compiled.max_capacity(SNAPSHOTS_MAX).time_to_idle(IDLE).build();
        Self { keeper, store, compiled }
    }

    /// The version in force. An override is none from its time on: whoever asks first ends it.
    pub async fn current(
        &self,
        project: ProjectId,
    ) -> Result<Arc<PolicySnapshot>, PolicyUnavailable> {
        let found = self.cached(project).await?;
        if !found.is_over(clock::now()) {
            return Ok(found);
        }
        overrides::end_by_itself(&self.store, project, OverrideEnd::Expired).await?;
        // Not from memory: whoever ended it first may not have been answered yet.
        let found = self.read(project).await?;
        if found.is_over(clock::now()) { Err(PolicyUnavailable::Over) } else { Ok(found) }
    }

    // INVARIANT: the stamp is taken before the read: under it stands that version or a later one.
    async fn cached(&self, project: ProjectId) -> Result<Arc<PolicySnapshot>, PolicyUnavailable> {
        let Some(stamp) = self.store.policy_stamp(project).await? else {
            return self.read(project).await;
        };
        let key = (project, stamp);
        if let Some(found) = self.compiled.get(&key).await {
            return Ok(found);
        }
        // A turn stands deep on its stack where it asks, and this is the deepest that it asks.
        let found = Box::pin(self.compiled.try_get_with(key, self.read(project))).await;
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
}
