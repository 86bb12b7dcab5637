//! What is queued, what runs, and what waits for its turn.

use crate::{
    documents::{
        due::Due,
        job::{self, Next},
        load::load,
        turns::{Person, Turning, Turns},
        withdrawal::withdraw,
    },
    embeddings::Embeddings,
    runtime::Runtime,
};
use kameo::{error::Infallible, prelude::*};
use std::{mem, sync::Arc, time::Duration};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use wiiiv_domain::IngestJobId;
use wiiiv_store::{IngestJobRow, StoreError};

/// Time until a store that could not be read or written is tried again.
const LOAD_AGAIN: Duration = Duration::from_secs(5);

pub struct IngestActor {
    pub(super) runtime: Arc<Runtime>,
    pub(super) embeddings: Embeddings,
    pub(super) stop: CancellationToken,
    /// What is not begun before all documents are in the library.
    pub(super) is_loaded: bool,
    queue: Turns<IngestJobId>,
    running: Option<Running>,
    /// What waits for vectors of the model of this machine, and what has its turn.
    pub(super) local: Turns<IngestJobId>,
    pub(super) local_turn: Option<IngestJobId>,
    /// What embeds the rest, while it is under way: it stops between two looks where this is cancelled.
    pub(super) background: Option<CancellationToken>,
    /// It was asked for while it was under way, which may have looked at all by then.
    pub(super) embeds_again: bool,
    is_looking: bool,
    /// What waits for vectors of a provider's model, and what has its turn.
    pub(super) turns: Turns<Due>,
    pub(super) turning: Vec<Turning>,
    /// Re-embeddings that met a store that could not be asked: they stand nowhere else.
    pub(super) left: Vec<(Person, Due)>,
}

struct Running {
    person: Person,
    job: IngestJobId,
    cancel: CancellationToken,
}

impl Actor for IngestActor {
    type Args = (Arc<Runtime>, Embeddings, CancellationToken);
    type Error = Infallible;
    fn name() -> &'static str {
        "Ingest"
    }
    async fn on_start(
        (runtime, embeddings, stop): Self::Args,
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
            embeddings,
            stop,
            is_loaded: false,
            queue: Turns::default(),
            running: None,
            local: Turns::default(),
            local_turn: None,
            background: None,
            embeds_again: false,
            is_looking: false,
            turns: Turns::default(),
            turning: Vec::new(),
            left: Vec::new(),
        })
    }
}

/// All documents are in the library then. What was interrupted comes back.
async fn opened(runtime: &Runtime) -> Vec<IngestJobRow> {
    loop {
        match open(runtime).await {
            Ok(open) => return open,
            Err(error) => tracing::error!(%error, "the documents cannot be loaded"),
        }
        sleep(LOAD_AGAIN).await;
    }
}

async fn open(runtime: &Runtime) -> Result<Vec<IngestJobRow>, StoreError> {
    withdraw(runtime).await?;
    load(runtime).await?;
    runtime.deps.store.open_ingests().await
}

async fn still_open(runtime: &Runtime) -> Vec<IngestJobRow> {
    loop {
        sleep(LOAD_AGAIN).await;
        match runtime.deps.store.open_ingests().await {
            Ok(open) => return open,
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
        let Some((person, job)) = self.queue.next(|_| false) else { return };
        let cancel = self.stop.child_token();
        self.running = Some(Running { person, job, cancel: cancel.clone() });
        let (runtime, me) = (Arc::clone(&self.runtime), me.downgrade());
        self.runtime.retrieval.tasks.spawn(async move {
            let of = Arc::clone(&runtime);
            let ran = async move { job::run(&of, job, &cancel).await };
            // In a task of its own: one that falls takes this one along to the next file.
            let ran = tokio::spawn(ran).await;
            if let Err(error) = &ran {
                tracing::error!(%error, %job, "an ingest fell");
                job::fail(&runtime, job, "INTERRUPTED").await;
            }
            if let Some(me) = me.upgrade() {
                let next = ran.unwrap_or(Next::Nothing);
                let _ = me.tell(Ended { job, next }).await;
            }
        });
    }

    /// Where a step could not be written, or nobody told of a file, its ingest stands open and is in no queue. Later,
    /// so that a store that fails is not asked over and over.
    pub(super) fn look_again(&mut self, me: &ActorRef<Self>) {
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
}

impl IngestActor {
    /// Where it goes on: what has its document already is embedded, and its turn tells by what.
    fn add(&mut self, job: &IngestJobRow) {
        match job.document {
            Some(_) => self.local.push(job.author, job.id),
            None => self.queue.push(job.author, job.id),
        }
    }

    fn knows(&self, job: IngestJobId) -> bool {
        self.queue.iter().any(|of| *of == job)
            || self.running.as_ref().is_some_and(|of| of.job == job)
            || self.local.iter().any(|of| *of == job)
            || self.local_turn == Some(job)
            || self.turns.iter().any(|of| of.job() == Some(job))
            || self.turning.iter().any(|of| of.job == Some(job))
    }
}

/// The library is full; these were interrupted.
struct Loaded(Vec<IngestJobRow>);

impl Message<Loaded> for IngestActor {
    type Reply = ();
    async fn handle(&mut self, loaded: Loaded, ctx: &mut Context<Self, ()>) {
        self.is_loaded = true;
        // What was queued meanwhile stood in the store too.
        let mut known = mem::take(&mut self.queue);
        loaded.0.iter().for_each(|job| self.add(job));
        while let Some((person, job)) = known.next(|_| false) {
            if !self.knows(job) {
                self.queue.push(person, job);
            }
        }
        let me = ctx.actor_ref().clone();
        self.go_on(&me);
        self.take_local_turn(&me);
        self.embed_missing(&me);
        self.take_turns(&me);
    }
}

pub struct Queued(pub Person, pub IngestJobId);

impl Message<Queued> for IngestActor {
    type Reply = ();
    async fn handle(&mut self, queued: Queued, ctx: &mut Context<Self, ()>) {
        if !self.knows(queued.1) {
            self.queue.push(queued.0, queued.1);
        }
        let me = ctx.actor_ref().clone();
        self.go_on(&me);
    }
}

pub struct Cancelled(pub IngestJobId);

impl Message<Cancelled> for IngestActor {
    type Reply = ();
    async fn handle(&mut self, cancelled: Cancelled, _: &mut Context<Self, ()>) {
        self.queue.retain(|job| *job != cancelled.0);
        self.local.retain(|job| *job != cancelled.0);
        self.turns.retain(|due| due.job() != Some(cancelled.0));
        if let Some(running) = self.running.as_ref().filter(|of| of.job == cancelled.0) {
            running.cancel.cancel();
        }
    }
}

struct Ended {
    job: IngestJobId,
    next: Next,
}

impl Message<Ended> for IngestActor {
    type Reply = ();
    async fn handle(&mut self, ended: Ended, ctx: &mut Context<Self, ()>) {
        let running = self.running.take_if(|of| of.job == ended.job);
        let me = ctx.actor_ref().clone();
        match (running, ended.next) {
            (Some(Running { person, job, .. }), Next::Provider) => {
                self.turns.push(person, Due::ingest(job));
                self.take_turns(&me);
            }
            (Some(Running { person, job, .. }), Next::Local) => {
                self.local.push(person, job);
                self.take_local_turn(&me);
            }
            (Some(_), Next::Nothing) | (None, _) => {}
        }
        self.go_on(&me);
        if self.running.is_none() {
            self.look_again(&me);
            // Another model may have begun to answer while it was read, or one that failed works again.
            self.embed_missing(&me);
        }
    }
}

pub struct LookAgain;

impl Message<LookAgain> for IngestActor {
    type Reply = ();
    async fn handle(&mut self, _: LookAgain, ctx: &mut Context<Self, ()>) {
        let me = ctx.actor_ref().clone();
        self.look_again(&me);
    }
}

/// These have no end in the store.
struct StillOpen(Vec<IngestJobRow>);

impl Message<StillOpen> for IngestActor {
    type Reply = ();
    async fn handle(&mut self, open: StillOpen, ctx: &mut Context<Self, ()>) {
        self.is_looking = false;
        for job in &open.0 {
            if !self.knows(job.id) {
                self.add(job);
            }
        }
        for (person, due) in mem::take(&mut self.left) {
            self.turns.put_back(person, due);
        }
        let me = ctx.actor_ref().clone();
        self.go_on(&me);
        self.take_local_turn(&me);
        self.take_turns(&me);
    }
}
