//! Registered systems of a project: changes and connection tests.

use crate::{runtime::Runtime, systems};
use wiiiv_domain::{DenyCode, ProjectId, System, SystemName};
use wiiiv_exec::ConnectionReport;
use wiiiv_gate::Principal;
use wiiiv_store::{StoreError, SystemRefused, SystemRow};
use wiiiv_vault::Credential;

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

#[derive(Clone, Copy)]
pub struct Systems<'a> {
    pub(super) runtime: &'a Runtime,
}

impl Systems<'_> {
    fn may_see(self, who: &Principal, project: ProjectId) -> Result<(), SystemChangeError> {
        let ours = self.runtime.deps.keeper.knows(who);
        let here = who.project() == Some(project) && who.rights().may_see();
        if ours && here { Ok(()) } else { Err(SystemChangeError::NotFound) }
    }

    /// The same right as for the policy.
    fn may_change(self, who: &Principal, project: ProjectId) -> Result<(), SystemChangeError> {
        self.may_see(who, project)?;
        if who.rights().may_edit_policy() { Ok(()) } else { Err(SystemChangeError::NotAllowed) }
    }

    /// In the order of their names.
    pub async fn list(
        self,
        who: &Principal,
        project: ProjectId,
    ) -> Result<Vec<SystemRow>, SystemChangeError> {
        self.may_see(who, project)?;
        Ok(self.runtime.deps.store.systems(project).await?)
    }

    /// `expected`: the revision that it replaces; `None`: there is none by that name.
    pub async fn save(
        self,
        who: &Principal,
        project: ProjectId,
        system: System,
        expected: Option<u64>,
    ) -> Result<SystemRow, SystemChangeError> {
        self.may_change(who, project)?;
        Ok(self.runtime.deps.store.save_system(who.user(), project, system, expected).await?)
    }

    pub async fn remove(
        self,
        who: &Principal,
        project: ProjectId,
        name: &SystemName,
        expected: u64,
    ) -> Result<(), SystemChangeError> {
        self.may_change(who, project)?;
        Ok(self.runtime.deps.store.remove_system(who.user(), project, name, expected).await?)
    }

    /// `None` takes it away.
    pub async fn set_credential(
        self,
        who: &Principal,
        project: ProjectId,
        name: &SystemName,
        credential: Option<Credential>,
        expected: u64,
    ) -> Result<SystemRow, SystemChangeError> {
        self.may_change(who, project)?;
        let store = &self.runtime.deps.store;
        Ok(store.set_credential(who.user(), project, name, credential, expected).await?)
    }

    /// Logs in where it has a credential and sends one request that reads. Within today's egress
    /// list; recorded before anything is sent.
    pub async fn test(
        self,
        who: &Principal,
        project: ProjectId,
        name: &SystemName,
    ) -> Result<ConnectionReport, SystemChangeError> {
        self.may_see(who, project)?;
        if !who.rights().may_request() {
            return Err(SystemChangeError::NotAllowed);
        }
        let Runtime { deps, policies, .. } = self.runtime;
        let access = systems::known(&deps.store, project, name).await?;
        let access = access.ok_or(SystemChangeError::NotFound)?;
        if !deps.store.begin_system_test(who.user(), project, name).await? {
            let code = DenyCode::Halted.to_string();
            let (ok, status, redirected_to, logged_in) = (false, None, None, false);
            return Ok(ConnectionReport { ok, code, status, redirected_to, logged_in });
        }
        let policy = policies.current(project).await;
        let policy = policy.map_err(|e| SystemChangeError::Unavailable(e.to_string()))?;
        let rules = &policy.project_policy().allowed_hosts;
        Ok(deps.executors.test_connection(&access, rules).await)
    }
}
