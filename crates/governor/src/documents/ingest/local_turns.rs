//! Turns of what the model of this machine embeds, one at a time, and what embeds the rest behind them. Whoever adds a long
//! file keeps nobody else's short one waiting, nor their own.

use super::actor::IngestActor;
use crate::documents::{
    background,
    due::Due,
    job,
    local::{LocalTurned, turn},
    turns::Person,
};
use kameo::prelude::*;
use std::{mem, sync::Arc};
use wiiiv_domain::IngestJobId;

impl IngestActor {
    /// The next one, once nothing else is embedded here: no text is embedded twice.
    pub(super) fn take_local_turn(&mut self, me: &ActorRef<Self>) {
        let may = self.is_loaded && self.runtime.deps.store.fault().is_none();
        if !may || self.local_turn.is_some() || self.stop.is_cancelled() {
            return;
        }
        if self.local.iter().next().is_none() {
            return;
        }
        if let Some(background) = &self.background {
            return background.cancel();
        }
        let Some((person, job)) = self.local.next(|_| false) else { return };
        self.local_turn = Some(job);
        let (runtime, me) = (Arc::clone(&self.runtime), me.downgrade());
        self.runtime.retrieval.tasks.spawn(async move {
            let of = Arc::clone(&runtime);
            // In a task of its own: one that falls takes no other's turn along.
            let turned = tokio::spawn(async move { turn(&of, job).await }).await;
            if let Err(error) = &turned {
                tracing::error!(%error, %job, "the embedding of a document fell");
                job::fail(&runtime, job, "INTERRUPTED").await;
            }
            if let Some(me) = me.upgrade() {
                let turned = turned.unwrap_or(LocalTurned::Done);
                let _ = me.tell(LocalTurnTaken { person, job, turned }).await;
            }
        });
    }

    /// Whatever has no vector, once no file waits for its own.
    pub(super) fn embed_missing(&mut self, me: &ActorRef<Self>) {
        let may = self.is_loaded && self.runtime.deps.store.fault().is_none();
        let waits = self.local_turn.is_some() || self.local.iter().next().is_some();
        if !may
            || waits
            || self.stop.is_cancelled()
            || self.runtime.retrieval.embedders().is_empty()
        {
            return;
        }
        if self.background.is_some() {
            self.embeds_again = true;
            return;
        }
        let pause = self.stop.child_token();
        self.background = Some(pause.clone());
        let (runtime, stop, me) = (Arc::clone(&self.runtime), self.stop.clone(), me.downgrade());
        self.runtime.retrieval.tasks.spawn(async move {
            // As for a turn: what is added later would wait for it for ever.
            let ran = tokio::spawn(async move { background::run(&runtime, &stop, &pause).await });
            if let Err(error) = ran.await {
                tracing::error!(%error, "the embedding of what has no vector fell");
            }
            if let Some(me) = me.upgrade() {
                let _ = me.tell(Embedded).await;
            }
        });
    }
}

struct LocalTurnTaken {
    person: Person,
    job: IngestJobId,
    turned: LocalTurned,
}

impl Message<LocalTurnTaken> for IngestActor {
    type Reply = ();
    async fn handle(&mut self, taken: LocalTurnTaken, ctx: &mut Context<Self, ()>) {
        let me = ctx.actor_ref().clone();
        let LocalTurnTaken { person, job, turned } = taken;
        self.local_turn = None;
        match turned {
            LocalTurned::More => self.local.push(person, job),
            LocalTurned::Done => {}
            LocalTurned::Provider => {
                self.turns.push(person, Due::ingest(job));
                self.take_turns(&me);
            }
            // Later, so that a store that fails is not asked over and over.
            LocalTurned::Left => self.look_again(&me),
        }
        self.take_local_turn(&me);
        self.embed_missing(&me);
    }
}

pub struct EmbedMissing;

impl Message<EmbedMissing> for IngestActor {
    type Reply = ();
    async fn handle(&mut self, _: EmbedMissing, ctx: &mut Context<Self, ()>) {
        let me = ctx.actor_ref().clone();
        self.embed_missing(&me);
    }
}

/// What was missing has a vector, the model failed, or files wait for theirs.
struct Embedded;

impl Message<Embedded> for IngestActor {
    type Reply = ();
    async fn handle(&mut self, _: Embedded, ctx: &mut Context<Self, ()>) {
        self.background = None;
        let me = ctx.actor_ref().clone();
        self.take_local_turn(&me);
        if mem::take(&mut self.embeds_again) {
            self.embed_missing(&me);
        }
    }
}
