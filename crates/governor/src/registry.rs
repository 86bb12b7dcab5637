//! Which sessions are awake. One actor a session; it is made on demand and restored from the
//! journal.

use crate::{
    config::SESSION_MAILBOX_MAX,
    deps::Shared,
    session::{SessionActor, SessionArgs},
};
use kameo::{
    error::{ActorStopReason, Infallible},
    mailbox,
    prelude::*,
    supervision::{RestartPolicy, SupervisionStrategy},
};
use std::{collections::HashMap, ops::ControlFlow, time::Duration};
use tokio::sync::oneshot;
use wiiiv_domain::SessionId;

const RESTARTS_MAX: u32 = 3;
const RESTART_WINDOW: Duration = Duration::from_secs(10);

pub struct Registry {
    room: Shared,
    awake: HashMap<SessionId, ActorRef<SessionActor>>,
    by_actor: HashMap<ActorId, SessionId>,
}

impl Actor for Registry {
    type Args = Shared;
    type Error = Infallible;
    fn name() -> &'static str {
        "Registry"
    }
    fn supervision_strategy() -> SupervisionStrategy {
        SupervisionStrategy::OneForOne
    }
    async fn on_start(room: Shared, _: ActorRef<Self>) -> Result<Self, Infallible> {
        Ok(Self { room, awake: HashMap::new(), by_actor: HashMap::new() })
    }
    /// A session whose restarts are used up is forgotten; the next message wakes it from the
    /// journal. Without this the registry would stop with it.
    async fn on_link_died(
        &mut self,
        _: WeakActorRef<Self>,
        id: ActorId,
        why: ActorStopReason,
    ) -> Result<ControlFlow<ActorStopReason>, Infallible> {
        if let Some(session) = self.by_actor.remove(&id) {
            if self.awake.get(&session).is_some_and(|actor| actor.id() == id) {
                self.awake.remove(&session);
            }
            tracing::debug!(%session, ?why, "session at rest");
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The awake actor of a session, woken if need be.
pub struct Open {
    pub session: SessionId,
    pub answer: oneshot::Sender<ActorRef<SessionActor>>,
}

impl Message<Open> for Registry {
    type Reply = ();
    async fn handle(&mut self, open: Open, ctx: &mut Context<Self, ()>) {
        let known = self.awake.get(&open.session).filter(|actor| actor.is_alive());
        if let Some(actor) = known {
            let _ = open.answer.send(actor.clone());
            return;
        }
        let args = SessionArgs { room: self.room.clone(), session: open.session };
        let actor = SessionActor::supervise_with(ctx.actor_ref(), move || args.clone())
            .restart_policy(RestartPolicy::Transient)
            .restart_limit(RESTARTS_MAX, RESTART_WINDOW)
            .spawn_with_mailbox(mailbox::bounded(SESSION_MAILBOX_MAX))
            .await;
        self.by_actor.insert(actor.id(), open.session);
        self.awake.insert(open.session, actor.clone());
        let _ = open.answer.send(actor);
    }
}

/// Everybody who is awake.
pub struct All(pub oneshot::Sender<Vec<ActorRef<SessionActor>>>);

impl Message<All> for Registry {
    type Reply = ();
    async fn handle(&mut self, ask: All, _: &mut Context<Self, ()>) {
        let awake = self.awake.values().filter(|actor| actor.is_alive());
        let _ = ask.0.send(awake.cloned().collect());
    }
}

/// How many are awake.
pub struct Awake(pub oneshot::Sender<usize>);

impl Message<Awake> for Registry {
    type Reply = ();
    async fn handle(&mut self, ask: Awake, _: &mut Context<Self, ()>) {
        self.awake.retain(|_, actor| actor.is_alive());
        let _ = ask.0.send(self.awake.len());
    }
}
