//! Texts of documents and questions about them, embedded by the model of a provider that a project's policy names. Each
//! call is one of a session, as a trial's is: ruled on, its cost held before and settled behind, and on record there.

use crate::{
    clock,
    documents::{EmbedTexts, MadeVectors, NotCompared},
    keys::Payer,
    runtime::Runtime,
    session::{EmbedRequest, Request},
    sessions::Sessions,
};
use std::sync::Arc;
use wiiiv_domain::SessionId;
use wiiiv_store::StoreError;

/// Of a session for calls that are of no conversation.
const TITLE: &str = "documents";

#[derive(Clone)]
pub struct Embeddings {
    runtime: Arc<Runtime>,
    sessions: Sessions,
}

impl Embeddings {
    pub const fn new(runtime: Arc<Runtime>, sessions: Sessions) -> Self {
        Self { runtime, sessions }
    }

    /// With the payer's or the project's key, in the project's budgets.
    pub async fn embed(
        &self,
        payer: Payer,
        wanted: EmbedTexts,
    ) -> Result<MadeVectors, NotCompared> {
        let session = self.session(payer).await.map_err(|error| {
            tracing::error!(%error, project = %payer.project, "texts cannot be embedded");
            NotCompared::Failed
        })?;
        let request = |ack| Request::Embed(Box::new(EmbedRequest { wanted, ack }));
        let asked = self.sessions.ask(session, request).await;
        asked.unwrap_or_else(|gone| {
            tracing::warn!(%gone, project = %payer.project, "texts cannot be embedded");
            Err(NotCompared::Failed)
        })
    }

    /// The payer's own there, which stands in no list of conversations.
    async fn session(&self, Payer { user, project }: Payer) -> Result<SessionId, StoreError> {
        let store = &self.runtime.deps.store;
        match store.trials(project, user).await? {
            Some(session) => Ok(session),
            None => Ok(store.create_trials(project, user, TITLE, clock::now()).await?.id),
        }
    }
}
