//! Closing an account, with the conversations that it began.

use crate::{
    runtime::Runtime,
    session::{Request, SessionActor, Shut},
    sessions::Sessions,
};
use kameo::actor::ActorRef;
use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};
use wiiiv_domain::{SessionId, UserId};
use wiiiv_store::{AccountRefused, ClosedAccount};

#[derive(Clone, Copy)]
pub struct Accounts<'a> {
    pub(super) runtime: &'a Runtime,
    pub(super) sessions: &'a Sessions,
}

impl Accounts<'_> {
    /// First the store: all tokens end and all questions are withdrawn in one transaction. Then the
    /// sessions that are awake or had a question; others notice at their next message.
    pub async fn close(self, user: UserId, by: UserId) -> Result<ClosedAccount, AccountRefused> {
        let closed = self.runtime.deps.store.disable_user(user, by).await?;
        let withdrawn = closed.withdrawn.iter().map(|gone| gone.approval).collect();
        let shut = Shut { user, withdrawn: Arc::new(withdrawn) };
        let asked: BTreeSet<SessionId> = closed.withdrawn.iter().map(|gone| gone.session).collect();
        for actor in self.awake_or(asked).await {
            let _ = actor.tell(Request::Shut(shut.clone())).await;
        }
        self.runtime.hub.questions_changed();
        Ok(closed)
    }

    /// All awake sessions, and these.
    async fn awake_or(self, sessions: BTreeSet<SessionId>) -> Vec<ActorRef<SessionActor>> {
        let mut found = HashMap::new();
        for session in sessions {
            found.extend(self.sessions.wake(session).await.map(|actor| (actor.id(), actor)));
        }
        let awake = self.sessions.awake().await;
        found.extend(awake.into_iter().map(|actor| (actor.id(), actor)));
        found.into_values().collect()
    }
}
