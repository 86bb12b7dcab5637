//! The kill switch: halts and resumes a session, a project or the server.

use crate::{runtime::Runtime, session::Request, sessions::Sessions, telemetry};
use futures::future::join_all;
use std::sync::Arc;
use wiiiv_domain::HaltScope;
use wiiiv_gate::{Principal, Rights};
use wiiiv_store::{Halt, HaltRefused, StoreError};

#[derive(Debug, thiserror::Error)]
pub enum HaltError {
    #[error("no such session or project")]
    NotFound,
    #[error("halting and resuming this needs its owner or an administrator")]
    NotAllowed,
    /// By a stop of the server, or a fault of ours.
    #[error("nobody knows whether it was done: look at what is halted")]
    CutOff,
    #[error(transparent)]
    Refused(#[from] HaltRefused),
}

impl From<StoreError> for HaltError {
    fn from(error: StoreError) -> Self {
        Self::Refused(error.into())
    }
}

#[derive(Clone, Copy)]
pub struct Halts<'a> {
    pub(super) runtime: &'a Arc<Runtime>,
    pub(super) sessions: &'a Sessions,
}

impl Halts<'_> {
    /// First the store: once it is written no claim is committed any more. Then what is in flight is
    /// stopped; a session that is not awake has nothing in flight. Goes on where its caller hangs up.
    pub async fn halt(
        self,
        who: &Principal,
        scope: HaltScope,
        reason: &str,
    ) -> Result<Halt, HaltError> {
        let (runtime, sessions) = (Arc::clone(self.runtime), self.sessions.clone());
        let (who, reason) = (who.clone(), reason.to_owned());
        let whole = tokio::spawn(async move {
            let halts = Halts { runtime: &runtime, sessions: &sessions };
            halts.may(&who, scope).await?;
            let halt = runtime.deps.store.halt(&who, scope, &reason).await?;
            telemetry::halt_changed(scope, true);
            let awake = sessions.awake().await;
            join_all(awake.iter().map(|actor| actor.tell(Request::Halted(scope)).send())).await;
            halts.tell_watchers(scope).await;
            Ok(halt)
        });
        whole.await.map_err(|_| HaltError::CutOff)?
    }

    /// Nothing is begun by it: each person goes on where they want to. What somebody else halted takes
    /// the owner of the project or an administrator.
    pub async fn resume(
        self,
        who: &Principal,
        scope: HaltScope,
        reason: &str,
    ) -> Result<(), HaltError> {
        let own_only = !self.may(who, scope).await?.may_halt();
        self.runtime.deps.store.resume(who, scope, reason, own_only).await?;
        telemetry::halt_changed(scope, false);
        self.tell_watchers(scope).await;
        Ok(())
    }

    async fn may(self, who: &Principal, scope: HaltScope) -> Result<Rights, HaltError> {
        let rights = who.rights();
        let here = self.runtime.deps.keeper.knows(who) && who.project() == scope.project();
        let refused = match scope {
            _ if !here => HaltError::NotFound,
            _ if rights.may_halt() => return Ok(rights),
            HaltScope::Session { session, .. } => {
                let row = self.runtime.deps.store.conversation(session).await?;
                let owner = row.filter(|row| !row.removed).map(|row| row.owner);
                if owner == Some(who.user()) && rights.may_request() {
                    return Ok(rights);
                }
                HaltError::NotFound
            }
            HaltScope::Project(_) if !rights.may_see() => HaltError::NotFound,
            HaltScope::Project(_) | HaltScope::Server => HaltError::NotAllowed,
        };
        Err(refused)
    }

    /// What is done is done: who cannot be found out about is told to look.
    async fn tell_watchers(self, scope: HaltScope) {
        let Runtime { deps, hub, .. } = self.runtime.as_ref();
        for session in hub.watched_now() {
            let row = deps.store.conversation(session).await.unwrap_or_default();
            if row.is_none_or(|row| scope.covers(row.project, row.id)) {
                hub.halts(session);
            }
        }
    }
}
