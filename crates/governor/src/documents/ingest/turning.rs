//! Turns of what a provider embeds: some at a time, of one person one, and so many at one server. Whoever adds much waits
//! for themselves, and whoever asks a server that stalls for that one.

use super::actor::IngestActor;
use crate::{
    documents::{
        due::{Due, DueProject},
        job,
        paid::{Turned, turn},
        turns::{Person, Turning},
    },
    keys::Payer,
};
use kameo::prelude::*;
use std::sync::Arc;

/// Turns at a time. One server has a part of them: what waits for one that does not answer leaves the others.
const TURNS_MAX: usize = 16;
/// Projects that wait for vectors of a provider's model.
const PROJECTS_MAX: usize = 256;

impl IngestActor {
    pub(super) fn take_turns(&mut self, me: &ActorRef<Self>) {
        let may = self.is_loaded && self.runtime.deps.store.fault().is_none();
        while may && self.turning.len() < TURNS_MAX && !self.stop.is_cancelled() {
            let is_busy = |person| self.turning.iter().any(|of| of.person == person);
            let servers = &self.runtime.retrieval.servers;
            let waits = |due: &Due| due.server().is_some_and(|server| servers.is_full(server));
            let Some((person, due)) = self.turns.next_but(is_busy, waits) else { return };
            self.take_turn((person, due), me);
        }
    }

    fn take_turn(&mut self, (person, due): (Person, Due), me: &ActorRef<Self>) {
        let job = due.job();
        self.turning.push(Turning { person, job });
        let (runtime, embeddings) = (Arc::clone(&self.runtime), self.embeddings.clone());
        let (stop, me) = (self.stop.clone(), me.downgrade());
        self.runtime.retrieval.tasks.spawn(async move {
            let of = Arc::clone(&runtime);
            let taken = async move { turn((&of, &embeddings), (person, due), &stop).await };
            // In a task of its own: one that falls takes no other's turn along.
            let turned = tokio::spawn(taken).await;
            if let (Err(error), Some(job)) = (&turned, job) {
                tracing::error!(%error, %job, "the embedding of a document fell");
                job::fail(&runtime, job, "INTERRUPTED").await;
            }
            if let Some(me) = me.upgrade() {
                let turned = turned.unwrap_or(Turned::Done);
                let _ = me.tell(TurnTaken { person, turned }).await;
            }
        });
    }
}

struct TurnTaken {
    person: Person,
    turned: Turned,
}

impl Message<TurnTaken> for IngestActor {
    type Reply = ();
    async fn handle(&mut self, taken: TurnTaken, ctx: &mut Context<Self, ()>) {
        let me = ctx.actor_ref().clone();
        self.turning.retain(|of| of.person != taken.person);
        match taken.turned {
            Turned::More(due) => self.turns.put_back(taken.person, due),
            // A call there has not ended, and whoever has it takes the next turn then.
            Turned::Waits(due) => self.turns.push(taken.person, due),
            Turned::Done => {}
            // Later, so that a store that fails is not asked over and over.
            Turned::Left(due) => {
                if due.project().is_some() {
                    self.left.push((taken.person, due));
                }
                self.look_again(&me);
            }
        }
        self.take_turns(&me);
    }
}

/// Who pays for that project's texts, as somebody asked.
pub struct EmbedProject(pub Payer);

impl Message<EmbedProject> for IngestActor {
    type Reply = ();
    async fn handle(&mut self, asked: EmbedProject, ctx: &mut Context<Self, ()>) {
        let Payer { user, project } = asked.0;
        let projects = || {
            let left = self.left.iter().map(|(_, due)| due);
            self.turns.iter().chain(left).filter_map(Due::project)
        };
        let (is_known, count) = (projects().any(|of| of == project), projects().count());
        if count >= PROJECTS_MAX && !is_known {
            tracing::warn!(%project, "too many projects wait for vectors: ask again");
        } else if !is_known {
            self.turns.push(Some(user), Due::Project(DueProject::new(project)));
        }
        let me = ctx.actor_ref().clone();
        self.take_turns(&me);
    }
}
