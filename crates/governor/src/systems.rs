//! Registered systems in process, one list a project, read anew where it is no longer the list
//! that is stored; and what a step needs to speak to one.

use crate::deps::Room;
use std::{collections::BTreeSet, sync::Arc};
use wiiiv_domain::{
    DenyCode, FailureCategory, Node, ProjectId, StepFailure, StepParams, System, SystemName,
};
use wiiiv_exec::{ConnectionReport, SystemAccess};
use wiiiv_gate::Principal;
use wiiiv_store::{Store, StoreError, SystemRefused, SystemRow, SystemsStamp};
use wiiiv_vault::Credential;

/// Projects whose systems are kept.
const PROJECTS_MAX: u64 = 10_000;

#[derive(Debug, thiserror::Error)]
pub enum SystemChangeError {
    #[error("no such project or system")]
    NotFound,
    #[error("registering systems needs the project's owner")]
    NotAllowed,
    #[error(transparent)]
    Refused(SystemRefused),
    #[error("nothing was decided: {0}")]
    Unavailable(String),
}

impl From<StoreError> for SystemChangeError {
    fn from(error: StoreError) -> Self {
        Self::Unavailable(error.to_string())
    }
}

impl From<SystemRefused> for SystemChangeError {
    fn from(refused: SystemRefused) -> Self {
        match refused {
            SystemRefused::NotFound => Self::NotFound,
            SystemRefused::Stale { .. }
            | SystemRefused::TooMany
            | SystemRefused::WordTaken { .. }
            | SystemRefused::Invalid(_)
            | SystemRefused::Unfit(_)
            | SystemRefused::Credential(_)
            | SystemRefused::Store(_) => Self::Refused(refused),
        }
    }
}

#[derive(Clone)]
pub struct Systems {
    store: Store,
    kept: moka::future::Cache<ProjectId, Kept>,
}

#[derive(Clone)]
struct Kept {
    stamp: SystemsStamp,
    systems: RegisteredSystems,
}

/// Registered systems of one project.
#[derive(Clone, Default)]
pub struct RegisteredSystems {
    pub list: Arc<[System]>,
    /// Those that have a credential stored.
    pub with_credential: Arc<BTreeSet<SystemName>>,
}

impl RegisteredSystems {
    fn of(rows: Vec<SystemRow>) -> Self {
        let stored = rows.iter().filter(|row| row.credential_revision.is_some());
        let with_credential = stored.map(|row| row.system.name.clone()).collect();
        let list = rows.into_iter().map(|row| row.system).collect();
        Self { list, with_credential: Arc::new(with_credential) }
    }
}

impl Systems {
    pub fn new(store: Store) -> Self {
        Self { store, kept: moka::future::Cache::new(PROJECTS_MAX) }
    }
    // INVARIANT: what is kept is used only while the store has the same list: nobody who changes
    // one has to say so, and a change that nobody lived to tell of is seen all the same.
    pub async fn current(&self, project: ProjectId) -> Result<RegisteredSystems, StoreError> {
        let stamp = self.store.systems_stamp(project).await?;
        if let Some(kept) = self.kept.get(&project).await.filter(|kept| kept.stamp == stamp) {
            return Ok(kept.systems);
        }
        let rows = self.store.systems(project).await?;
        let stamp = SystemsStamp::of(&rows);
        let systems = RegisteredSystems::of(rows);
        let kept = Kept { stamp, systems: systems.clone() };
        self.kept.insert(project, kept).await;
        Ok(systems)
    }
}

fn may_see(who: &Principal, project: ProjectId) -> Result<(), SystemChangeError> {
    let here = who.project() == Some(project) && who.rights().may_see();
    if here { Ok(()) } else { Err(SystemChangeError::NotFound) }
}

/// What a project may talk to stands beside its policy: the same right.
fn may_change(who: &Principal, project: ProjectId) -> Result<(), SystemChangeError> {
    may_see(who, project)?;
    if who.rights().may_edit_policy() { Ok(()) } else { Err(SystemChangeError::NotAllowed) }
}

pub async fn list(
    room: &Room,
    who: &Principal,
    project: ProjectId,
) -> Result<Vec<SystemRow>, SystemChangeError> {
    may_see(who, project)?;
    Ok(room.deps.store.systems(project).await?)
}

pub async fn save(
    room: &Room,
    who: &Principal,
    project: ProjectId,
    system: System,
    expected: Option<u64>,
) -> Result<SystemRow, SystemChangeError> {
    may_change(who, project)?;
    Ok(room.deps.store.save_system(who.user(), project, system, expected).await?)
}

pub async fn remove(
    room: &Room,
    who: &Principal,
    project: ProjectId,
    name: &SystemName,
    expected: u64,
) -> Result<(), SystemChangeError> {
    may_change(who, project)?;
    Ok(room.deps.store.remove_system(who.user(), project, name, expected).await?)
}

pub async fn set_credential(
    room: &Room,
    who: &Principal,
    project: ProjectId,
    name: &SystemName,
    credential: Option<Credential>,
    expected: u64,
) -> Result<SystemRow, SystemChangeError> {
    may_change(who, project)?;
    let store = &room.deps.store;
    Ok(store.set_credential(who.user(), project, name, credential, expected).await?)
}

/// Within the egress list of today's policy, whoever asks; recorded before anything goes out.
pub async fn test(
    room: &Room,
    who: &Principal,
    project: ProjectId,
    name: &SystemName,
) -> Result<ConnectionReport, SystemChangeError> {
    may_see(who, project)?;
    if !who.rights().may_request() {
        return Err(SystemChangeError::NotAllowed);
    }
    let access = known(&room.deps.store, project, name).await?;
    let access = access.ok_or(SystemChangeError::NotFound)?;
    if !room.deps.store.begin_system_test(who.user(), project, name).await? {
        let code = DenyCode::Halted.to_string();
        return Ok(ConnectionReport { ok: false, code, status: None, logged_in: false });
    }
    room.policies.forget(project).await;
    let policy = room.policies.current(project).await;
    let policy = policy.map_err(|e| SystemChangeError::Unavailable(e.to_string()))?;
    let rules = &policy.project_policy().allowed_hosts;
    Ok(room.deps.executors.test_connection(&access, rules).await)
}

/// For the step that names a system; `None` for any other. Read anew each time: a credential is
/// held no longer than its step.
pub async fn access(
    room: &Room,
    project: ProjectId,
    node: &Node,
) -> Result<Option<SystemAccess>, StepFailure> {
    let StepParams::ApiCall { url, .. } = &node.params else { return Ok(None) };
    let Some(name) = &url.system else { return Ok(None) };
    known(&room.deps.store, project, name).await.map_err(|error| {
        tracing::error!(%error, "a system's credential cannot be read");
        StepFailure {
            category: FailureCategory::IoError,
            code: "CREDENTIAL_UNREADABLE".to_owned(),
            message: "the system's registration or credential cannot be read".to_owned(),
            effect_unknown: false,
            retry_after_ms: None,
            status: None,
        }
    })
}

async fn known(
    store: &Store,
    project: ProjectId,
    name: &SystemName,
) -> Result<Option<SystemAccess>, StoreError> {
    let Some(row) = store.system(project, name).await? else { return Ok(None) };
    let held = match row.credential_revision {
        Some(_) => store.credential(project, name).await?,
        None => None,
    };
    // One that was set meanwhile may be for another origin: the registration that was read has
    // to know it.
    let held = held.filter(|(_, revision)| row.credential_revision == Some(*revision));
    let credential_revision = held.as_ref().map_or(0, |(_, revision)| *revision);
    let credential = held.map(|(credential, _)| credential);
    Ok(Some(SystemAccess { system: Arc::new(row.system), credential, credential_revision }))
}
