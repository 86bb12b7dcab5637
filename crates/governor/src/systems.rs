//! A cache of registered systems by project, and a step's access to one.

use std::{collections::BTreeMap, sync::Arc};
use wiiiv_domain::{FailureCategory, ProjectId, StepFailure, System, SystemName, SystemStanding};
use wiiiv_exec::SystemAccess;
use wiiiv_store::{Store, StoreError, SystemRow, SystemsStamp};

/// Projects whose systems are kept.
const PROJECTS_MAX: u64 = 10_000;
/// Code of a step whose system is not the one that its plan was drawn by.
const SYSTEM_CHANGED: &str = "SYSTEM_CHANGED";

#[derive(Clone)]
pub struct SystemCache {
    store: Store,
    cached: moka::future::Cache<ProjectId, CachedSystems>,
}

#[derive(Clone)]
struct CachedSystems {
    stamp: SystemsStamp,
    systems: RegisteredSystems,
}

/// Registered systems of one project.
#[derive(Clone, Default)]
pub struct RegisteredSystems {
    pub list: Arc<[System]>,
    /// Of each of them.
    pub standings: Arc<BTreeMap<SystemName, SystemStanding>>,
}

impl RegisteredSystems {
    fn of(rows: Vec<SystemRow>) -> Self {
        let standing = |row: &SystemRow| {
            let has_credential = row.credential_revision.is_some();
            let standing = SystemStanding { revision: row.revision, has_credential };
            (row.system.name.clone(), standing)
        };
        let standings = Arc::new(rows.iter().map(standing).collect());
        let list = rows.into_iter().map(|row| row.system).collect();
        Self { list, standings }
    }

    pub fn named(&self, name: &str) -> Option<&System> {
        self.list.iter().find(|system| system.name.as_str() == name)
    }
}

impl SystemCache {
    pub fn new(store: Store) -> Self {
        Self { store, cached: moka::future::Cache::new(PROJECTS_MAX) }
    }
    // INVARIANT: a cached list is used only while its stamp equals the stored one.
    pub async fn current(&self, project: ProjectId) -> Result<RegisteredSystems, StoreError> {
        let stamp = self.store.systems_stamp(project).await?;
        if let Some(cached) = self.cached.get(&project).await.filter(|cached| cached.stamp == stamp)
        {
            return Ok(cached.systems);
        }
        let rows = self.store.systems(project).await?;
        let stamp = SystemsStamp::of(&rows);
        let systems = RegisteredSystems::of(rows);
        let cached = CachedSystems { stamp, systems: systems.clone() };
        self.cached.insert(project, cached).await;
        Ok(systems)
    }
}

/// `None` for a step without a system. Read each time: a credential is held no longer than its step.
/// `of`: the system, and the revision that the plan was drawn by.
pub async fn access(
    store: &Store,
    project: ProjectId,
    of: Option<&(SystemName, u64)>,
) -> Result<Option<SystemAccess>, StepFailure> {
    let Some((name, revision)) = of else { return Ok(None) };
    let access = known(store, project, name).await.map_err(|error| {
        tracing::error!(%error, "a system's credential cannot be read");
        let message = "the system's registration or credential cannot be read";
        failure(FailureCategory::IoError, "CREDENTIAL_UNREADABLE", message)
    })?;
    let same = access.filter(|access| access.revision == *revision);
    same.map(Some).ok_or_else(|| {
        let message = "the system's registration or credential has changed since the plan was \
                       drawn: ask again";
        failure(FailureCategory::ContractViolation, SYSTEM_CHANGED, message)
    })
}

/// Nothing of the step was begun.
pub fn failure(category: FailureCategory, code: &str, message: &str) -> StepFailure {
    StepFailure {
        category,
        code: code.to_owned(),
        message: message.to_owned(),
        effect_unknown: false,
        retry_after_ms: None,
        status: None,
        redirected_to: None,
        not_started: true,
    }
}

pub async fn known(
    store: &Store,
    project: ProjectId,
    name: &SystemName,
) -> Result<Option<SystemAccess>, StoreError> {
    let Some(row) = store.system(project, name).await? else { return Ok(None) };
    let held = match row.credential_revision {
        Some(_) => store.credential(project, name).await?,
        None => None,
    };
    // A credential set meanwhile may belong to another origin, so revisions must match.
    let held = held.filter(|(_, revision)| row.credential_revision == Some(*revision));
    let credential_revision = held.as_ref().map_or(0, |(_, revision)| *revision);
    let credential = held.map(|(credential, _)| credential);
    let (system, revision) = (Arc::new(row.system), row.revision);
    Ok(Some(SystemAccess { system, revision, credential, credential_revision }))
}
