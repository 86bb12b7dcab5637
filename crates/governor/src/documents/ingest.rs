//! The actor of ingests: one file after the other, of each person in turn. What waits stands in the store, so that a
//! restart goes on with it.

mod actor;
mod local_turns;
mod turning;

use crate::{embeddings::Embeddings, keys::Payer, runtime::Runtime, sessions::Sessions};
use actor::{Cancelled, IngestActor, LookAgain, Queued};
use kameo::{mailbox, prelude::*};
use local_turns::EmbedMissing;
use std::{sync::Arc, time::Duration};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use turning::EmbedProject;
use wiiiv_domain::IngestJobId;
use wiiiv_store::IngestJobRow;

/// Messages of its mailbox.
const MAILBOX_MAX: usize = 256;
/// A stop waits so long for what is being put.
const STOP_WAIT: Duration = Duration::from_secs(10);

/// The handle of the actor. Cheap to clone.
#[derive(Clone)]
pub struct Ingests {
    runtime: Arc<Runtime>,
    embeddings: Embeddings,
    actor: ActorRef<IngestActor>,
    stop: CancellationToken,
}

impl Ingests {
    /// Fills the library, then goes on with what was interrupted.
    pub fn start(runtime: Arc<Runtime>, sessions: Sessions, stop: CancellationToken) -> Self {
        let embeddings = Embeddings::new(Arc::clone(&runtime), sessions);
        let args = (Arc::clone(&runtime), embeddings.clone(), stop.clone());
        let actor = IngestActor::spawn_with_mailbox(args, mailbox::bounded(MAILBOX_MAX));
        Self { runtime, embeddings, actor, stop }
    }

    pub const fn embeddings(&self) -> &Embeddings {
        &self.embeddings
    }

    /// It stands in the store, which is where it is found when this is lost.
    pub async fn queued(&self, job: &IngestJobRow) {
        let _ = self.actor.tell(Queued(job.author, job.id)).await;
    }

    /// What stands in the store and is unknown here is found in a while.
    pub async fn look_again(&self) {
        let _ = self.actor.tell(LookAgain).await;
    }

    /// The store has its end already.
    pub async fn cancelled(&self, job: IngestJobId) {
        let _ = self.actor.tell(Cancelled(job)).await;
    }

    /// Embeds what has no vector, unless that is under way.
    pub async fn embed_missing(&self) {
        let _ = self.actor.tell(EmbedMissing).await;
    }

    /// Has that project's documents compared by the model that its policy names, which this person pays for there.
    pub async fn embed_project(&self, payer: Payer) {
        let _ = self.actor.tell(EmbedProject(payer)).await;
    }

    /// What is under way stops between two steps, and begins again at the next start.
    pub async fn stop(&self) {
        self.stop.cancel();
        let _ = self.actor.stop_gracefully().await;
        self.actor.wait_for_shutdown().await;
        let tasks = &self.runtime.retrieval.tasks;
        tasks.close();
        if timeout(STOP_WAIT, tasks.wait()).await.is_err() {
            tracing::warn!("an ingest is still at work, and is ended with the server");
        }
    }
}
