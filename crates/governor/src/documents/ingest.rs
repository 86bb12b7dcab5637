//! The actor of ingests: one file after the other. What waits stands in the store, so that a restart goes on with it.

use super::{background, job, load::load, withdrawal::withdraw};
use crate::runtime::Runtime;
use kameo::{error::Infallible, mailbox, prelude::*};
use std::{collections::VecDeque, sync::Arc, time::Duration};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use wiiiv_domain::IngestJobId;
use wiiiv_store::{IngestJobRow, StoreError};

/// Messages of its mailbox.
const MAILBOX_MAX: usize = 256;
/// Time until a store that could not be read or written is tried again.
const LOAD_AGAIN: Duration = Duration::from_secs(5);
/// A stop waits so long for what is being put.
const STOP_WAIT: Duration = Duration::from_secs(10);

/// The handle of the actor. Cheap to clone.
#[derive(Clone)]
pub struct Ingests {
    runtime: Arc<Runtime>,
    actor: ActorRef<IngestActor>,
    stop: CancellationToken,
}

impl Ingests {
    /// Fills the library, then goes on with what was interrupted.
    pub fn start(runtime: Arc<Runtime>, stop: CancellationToken) -> Self {
        let args = (Arc::clone(&runtime), stop.clone());
        let actor = IngestActor::spawn_with_mailbox(args, mailbox::bounded(MAILBOX_MAX));
        Self { runtime, actor, stop }
    }

    /// It stands in the store, which is where it is found when this is lost.
    pub async fn queued(&self, job: IngestJobId) {
        let _ = self.actor.tell(Queued(job)).await;
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

struct IngestActor {
    runtime: Arc<Runtime>,
    stop: CancellationToken,
    /// What is not begun before all documents are in the library.
    is_loaded: bool,
    queue: VecDeque<IngestJobId>,
    running: Option<(IngestJobId, CancellationToken)>,
    is_embedding: bool,
    /// It was asked for while it was under way, which may have looked at all by then.
    embeds_again: bool,
    is_looking: bool,
}

impl Actor for IngestActor {
    type Args = (Arc<Runtime>, CancellationToken);
    type Error = Infallible;
    fn name() -> &'static str {
        "Ingest"
    }
    async fn on_start(
        (runtime, stop): (Arc<Runtime>, CancellationToken),
        me: ActorRef<Self>,
    ) -> Result<Self, Infallible> {
        let (of, stopped, me) = (Arc::clone(&runtime), stop.clone(), me.downgrade());
        runtime.retrieval.tasks.spawn(async move {
            let open = tokio::select! {
                open = opened(&of) => open,
                () = stopped.cancelled() => return,
            };
            if let Some(me) = me.upgrade() {
                let _ = me.tell(Loaded(open)).await;
            }
        });
        Ok(Self {
            runtime,
            stop,
            is_loaded: false,
            queue: VecDeque::new(),
            running: None,
            is_embedding: false,
            embeds_again: false,
            is_looking: false,
        })
    }
}

/// All documents are in the library then. What was interrupted comes back.
async fn opened(runtime: &Runtime) -> Vec<IngestJobId> {
    loop {
        match open(runtime).await {
            Ok(open) => return open.into_iter().map(|job| job.id).collect(),
            Err(error) => tracing::error!(%error, "the documents cannot be loaded"),
        }
        sleep(LOAD_AGAIN).await;
    }
}

async fn open(runtime: &Runtime) -> Result<Vec<IngestJobRow>, StoreError> {
    let store = &runtime.deps.store;
    withdraw(runtime).await?;
    load(store, &runtime.retrieval).await?;
    store.open_ingests().await
}

async fn still_open(runtime: &Runtime) -> Vec<IngestJobId> {
    loop {
        sleep(LOAD_AGAIN).await;
        match runtime.deps.store.open_ingests().await {
            Ok(open) => return open.into_iter().map(|job| job.id).collect(),
            Err(error) => tracing::error!(%error, "the ingests that wait cannot be read"),
        }
    }
}

impl IngestActor {
    fn go_on(&mut self, me: &ActorRef<Self>) {
        // Over an audit that does not verify nothing could be written.
        let may = self.is_loaded && self.runtime.deps.store.fault().is_none();
        if !may || self.running.is_some() || self.stop.is_cancelled() {
            return;
        }
        let Some(job) = self.queue.pop_front() else { return };
        let cancel = self.stop.child_token();
        self.running = Some((job, cancel.clone()));
        let (runtime, me) = (Arc::clone(&self.runtime), me.downgrade());
        self.runtime.retrieval.tasks.spawn(async move {
            let of = Arc::clone(&runtime);
            // In a task of its own: one that falls takes this one along to the next file.
            let ran = tokio::spawn(async move { job::run(&of, job, &cancel).await }).await;
            if let Err(error) = ran {
                tracing::error!(%error, %job, "an ingest fell");
                job::fail(&runtime.deps.store, job, "INTERRUPTED").await;
            }
            if let Some(me) = me.upgrade() {
                let _ = me.tell(Ended(job)).await;
            }
        });
    }

    /// Where a step could not be written, or nobody told of a file, its ingest stands open and is in no queue. Later,
    /// so that a store that fails is not asked over and over.
    fn look_again(&mut self, me: &ActorRef<Self>) {
        if !self.is_loaded || self.is_looking || self.stop.is_cancelled() {
            return;
        }
        self.is_looking = true;
        let (runtime, stop, me) = (Arc::clone(&self.runtime), self.stop.clone(), me.downgrade());
        self.runtime.retrieval.tasks.spawn(async move {
            let open = tokio::select! {
                open = still_open(&runtime) => open,
                () = stop.cancelled() => return,
            };
            if let Some(me) = me.upgrade() {
                let _ = me.tell(StillOpen(open)).await;
            }
        });
    }

    fn embed_missing(&mut self, me: &ActorRef<Self>) {
        let may = self.is_loaded && self.runtime.deps.store.fault().is_none();
        if !may || self.runtime.retrieval.embedders().is_empty() {
            return;
        }
        if self.is_embedding {
            self.embeds_again = true;
            return;
        }
        self.is_embedding = true;
        let (runtime, stop, me) = (Arc::clone(&self.runtime), self.stop.clone(), me.downgrade());
        self.runtime.retrieval.tasks.spawn(async move {
            background::run(&runtime, &stop).await;
            if let Some(me) = me.upgrade() {
                let _ = me.tell(Embedded).await;
            }
        });
    }
}

/// The library is full; these were interrupted.
struct Loaded(Vec<IngestJobId>);

impl Message<Loaded> for IngestActor {
    type Reply = ();
    async fn handle(&mut self, loaded: Loaded, ctx: &mut Context<Self, ()>) {
        self.is_loaded = true;
        // What was queued meanwhile stood in the store too.
        let known: Vec<IngestJobId> = self.queue.drain(..).collect();
        self.queue.extend(&loaded.0);
        self.queue.extend(known.into_iter().filter(|job| !loaded.0.contains(job)));
        let me = ctx.actor_ref().clone();
        self.go_on(&me);
        self.embed_missing(&me);
    }
}

struct Queued(IngestJobId);

impl Message<Queued> for IngestActor {
    type Reply = ();
    async fn handle(&mut self, queued: Queued, ctx: &mut Context<Self, ()>) {
        if !self.queue.contains(&queued.0) {
            self.queue.push_back(queued.0);
        }
        let me = ctx.actor_ref().clone();
        self.go_on(&me);
    }
}

struct Cancelled(IngestJobId);

impl Message<Cancelled> for IngestActor {
    type Reply = ();
    async fn handle(&mut self, cancelled: Cancelled, _: &mut Context<Self, ()>) {
        self.queue.retain(|job| *job != cancelled.0);
        if let Some((_, token)) = self.running.as_ref().filter(|(job, _)| *job == cancelled.0) {
            token.cancel();
        }
    }
}

struct Ended(IngestJobId);

impl Message<Ended> for IngestActor {
    type Reply = ();
    async fn handle(&mut self, ended: Ended, ctx: &mut Context<Self, ()>) {
        drop(self.running.take_if(|(job, _)| *job == ended.0));
        let me = ctx.actor_ref().clone();
        self.go_on(&me);
        if self.running.is_none() {
            self.look_again(&me);
            // Another model may have begun to answer while it was read, or one that failed works again.
            self.embed_missing(&me);
        }
    }
}

struct LookAgain;

impl Message<LookAgain> for IngestActor {
    type Reply = ();
    async fn handle(&mut self, _: LookAgain, ctx: &mut Context<Self, ()>) {
        let me = ctx.actor_ref().clone();
        self.look_again(&me);
    }
}

/// These have no end in the store.
struct StillOpen(Vec<IngestJobId>);

impl Message<StillOpen> for IngestActor {
    type Reply = ();
    async fn handle(&mut self, open: StillOpen, ctx: &mut Context<Self, ()>) {
        self.is_looking = false;
        let running = self.running.as_ref().map(|(job, _)| *job);
        let unknown = |job: &IngestJobId| !self.queue.contains(job) && running != Some(*job);
        let lost: Vec<IngestJobId> = open.0.into_iter().filter(unknown).collect();
        self.queue.extend(lost);
        let me = ctx.actor_ref().clone();
        self.go_on(&me);
    }
}

struct EmbedMissing;

impl Message<EmbedMissing> for IngestActor {
    type Reply = ();
    async fn handle(&mut self, _: EmbedMissing, ctx: &mut Context<Self, ()>) {
        let me = ctx.actor_ref().clone();
        self.embed_missing(&me);
    }
}

/// What was missing has a vector, or the model failed.
struct Embedded;

impl Message<Embedded> for IngestActor {
    type Reply = ();
    async fn handle(&mut self, _: Embedded, ctx: &mut Context<Self, ()>) {
        self.is_embedding = false;
        if std::mem::take(&mut self.embeds_again) && !self.stop.is_cancelled() {
            let me = ctx.actor_ref().clone();
            self.embed_missing(&me);
        }
    }
}
