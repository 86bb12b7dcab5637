//! Where a project's requests for approval are told of.

use crate::runtime::Runtime;
use secrecy::SecretString;
use wiiiv_domain::{ProjectId, StepFailure};
use wiiiv_gate::Principal;
use wiiiv_store::{StoreError, Webhook, WebhookDelivery};

/// Deliveries that are shown.
const SHOWN_MAX: u64 = 50;

#[derive(Debug, Clone, thiserror::Error)]
pub enum WebhookError {
    #[error("no such project")]
    NotFound,
    #[error("a webhook is set by the project's owner or an administrator")]
    NotAllowed,
    /// It cannot be told anything there.
    #[error("{0}")]
    Address(String),
    #[error("nothing was done: the log-in was ended, or the right taken away")]
    RightGone,
    #[error("nothing was decided: {0}")]
    Unavailable(String),
}

impl From<StoreError> for WebhookError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::AuthorityGone => Self::RightGone,
            StoreError::TooLarge { .. } => Self::Address(error.to_string()),
            other => Self::Unavailable(other.to_string()),
        }
    }
}

#[derive(Clone, Copy)]
pub struct Webhooks<'a> {
    pub(super) runtime: &'a Runtime,
}

impl Webhooks<'_> {
    fn may_change(self, who: &Principal, project: ProjectId) -> Result<(), WebhookError> {
        let here = self.runtime.deps.keeper.knows(who) && who.project() == Some(project);
        match (here && who.rights().may_see(), who.rights().may_edit_policy()) {
            (false, _) => Err(WebhookError::NotFound),
            (true, false) => Err(WebhookError::NotAllowed),
            (true, true) => Ok(()),
        }
    }

    /// With its newest deliveries.
    pub async fn show(
        self,
        who: &Principal,
        project: ProjectId,
    ) -> Result<(Option<Webhook>, Vec<WebhookDelivery>), WebhookError> {
        self.may_change(who, project)?;
        let store = &self.runtime.deps.store;
        let hook = store.webhook(project).await?;
        Ok((hook, store.webhook_deliveries(project, SHOWN_MAX).await?))
    }

    /// In the place of what was there. The policy's egress list has to name its host, now and at each
    /// delivery. The new secret comes back this once.
    pub async fn set(
        self,
        who: &Principal,
        project: ProjectId,
        url: String,
    ) -> Result<(Webhook, SecretString), WebhookError> {
        self.may_change(who, project)?;
        let Runtime { deps, policies, .. } = self.runtime;
        let policy = policies.current(project).await;
        let policy = policy.map_err(|e| WebhookError::Unavailable(e.to_string()))?;
        let refused = |failure: StepFailure| WebhookError::Address(failure.message);
        let hosts = &policy.project_policy().allowed_hosts;
        let origin = wiiiv_exec::check_notice(&url, hosts).map_err(refused)?;
        Ok(deps.store.set_webhook(who, project, (url, origin)).await?)
    }

    /// With what waits to be told. `false`: there was none.
    pub async fn remove(self, who: &Principal, project: ProjectId) -> Result<bool, WebhookError> {
        self.may_change(who, project)?;
        Ok(self.runtime.deps.store.remove_webhook(who, project).await?)
    }
}
