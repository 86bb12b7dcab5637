//! An account that is closed, for the conversations that it had begun.

use super::{Governor, wake};
use crate::{
    registry::All,
    session::{SessionActor, Shut},
};
use kameo::actor::ActorRef;
use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};
use tokio::sync::oneshot;
use wiiiv_domain::{SessionId, UserId};
use wiiiv_store::{AccountRefused, ClosedAccount};

impl Governor {
    /// First the store, which is what counts: all tokens end and all questions are withdrawn in one
    /// transaction. Then the conversations are told, those that are awake and those that a question
    /// was withdrawn from; one that is not told finds it out at its next word.
    pub async fn close_account(
        &self,
        user: UserId,
        by: UserId,
    ) -> Result<ClosedAccount, AccountRefused> {
        let closed = self.store().disable_user(user, by).await?;
        let withdrawn = closed.withdrawn.iter().map(|gone| gone.approval).collect();
        let shut = Shut { user, withdrawn: Arc::new(withdrawn) };
        let asked: BTreeSet<SessionId> = closed.withdrawn.iter().map(|gone| gone.session).collect();
        for actor in self.awake_or(asked).await {
            let _ = actor.tell(shut.clone()).await;
        }
        self.room.hub.questions_changed();
        Ok(closed)
    }

    /// Everybody who is awake, and these.
    async fn awake_or(&self, sessions: BTreeSet<SessionId>) -> Vec<ActorRef<SessionActor>> {
        let mut found = HashMap::new();
        for session in sessions {
            if let Some(actor) = wake(&self.registry, session).await {
                found.insert(actor.id(), actor);
            }
        }
        let (ask, awake) = oneshot::channel();
        if self.registry.tell(All(ask)).await.is_ok() {
            let awake = awake.await.unwrap_or_default();
            found.extend(awake.into_iter().map(|actor| (actor.id(), actor)));
        }
        found.into_values().collect()
    }
}
