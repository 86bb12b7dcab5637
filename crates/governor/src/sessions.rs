//! The sessions of a server: one actor each, made on demand and restored from the journal.

use crate::{
    clock,
    config::{REGISTRY_MAILBOX_MAX, SESSION_MAILBOX_MAX, WAITING_PER_PERSON_MAX},
    message::{ClearError, DecideError, SubmitError},
    plan_counts::PLANS_PER_HOUR_MAX,
    runtime::{Deps, Runtime},
    session::{Request, SessionActor},
};
use kameo::{
    error::{ActorStopReason, Infallible},
    mailbox,
    prelude::*,
    supervision::{RestartPolicy, SupervisionStrategy},
};
use std::{collections::HashMap, ops::ControlFlow, sync::Arc, time::Duration};
use tokio::sync::oneshot;
use wiiiv_domain::{ApprovalId, SessionId};
use wiiiv_gate::Principal;
use wiiiv_store::{ApprovalRow, SessionRow, StoreError};

const RESTARTS_MAX: u32 = 3;
const RESTART_WINDOW: Duration = Duration::from_secs(10);

#[derive(Clone)]
pub struct Sessions {
    runtime: Arc<Runtime>,
    registry: ActorRef<Registry>,
}

#[derive(Debug, thiserror::Error)]
pub enum NotAwake {
    #[error("the session is being restored; try again")]
    Restored,
    #[error("the audit does not verify")]
    AuditChanged,
}

impl Sessions {
    pub fn start(runtime: Arc<Runtime>) -> Self {
        let registry =
            Registry::spawn_with_mailbox(runtime.clone(), mailbox::bounded(REGISTRY_MAILBOX_MAX));
        Self { runtime, registry }
    }

    /// The session, if it is of the project that `who` was authenticated for and still there.
    pub async fn own(
        &self,
        who: &Principal,
        session: SessionId,
    ) -> Result<Arc<SessionRow>, SubmitError> {
        let Deps { store, keeper, .. } = &self.runtime.deps;
        let found = store.conversation(session).await?.filter(|_| keeper.knows(who));
        let mine = found.filter(|row| !row.removed && who.project() == Some(row.project));
        let allowed = who.rights().may_request() && who.rights().may_see();
        mine.filter(|_| allowed).ok_or(SubmitError::NotFound)
    }

    /// The same, where its owner may have one more plan and question.
    pub async fn own_for_plan(
        &self,
        who: &Principal,
        session: SessionId,
    ) -> Result<(), SubmitError> {
        let row = self.own(who, session).await?;
        if self.runtime.deps.store.waiting_of(row.owner).await? >= WAITING_PER_PERSON_MAX {
            return Err(SubmitError::TooManyWaiting { limit: WAITING_PER_PERSON_MAX });
        }
        match self.runtime.plan_counts.wait(who.user(), clock::now()) {
            Some(seconds) => Err(SubmitError::TooManyPlans { limit: PLANS_PER_HOUR_MAX, seconds }),
            None => Ok(()),
        }
    }

    /// A question of the project that `who` was authenticated for.
    pub async fn asked(
        &self,
        who: &Principal,
        approval: ApprovalId,
    ) -> Result<ApprovalRow, DecideError> {
        let Deps { store, keeper, .. } = &self.runtime.deps;
        let lost = |e: StoreError| DecideError::Unavailable(e.to_string());
        let row = store.approval(approval).await.map_err(lost)?;
        let row = row.filter(|row| keeper.knows(who) && who.project() == Some(row.request.project));
        row.filter(|_| who.rights().may_see()).ok_or(DecideError::NotFound)
    }

    /// `None`: not now, or over an audit that does not verify, where a session could write nothing.
    pub async fn wake(&self, session: SessionId) -> Option<ActorRef<SessionActor>> {
        if self.runtime.deps.store.fault().is_some() {
            return None;
        }
        let (answer, woken) = oneshot::channel();
        self.registry.tell(Open { session, answer }).await.ok()?;
        woken.await.ok()
    }

    /// Sends a request and waits for its answer.
    pub async fn ask<T>(
        &self,
        session: SessionId,
        request: impl FnOnce(oneshot::Sender<T>) -> Request,
    ) -> Result<T, NotAwake> {
        let (answer, answered) = oneshot::channel();
        if self.runtime.deps.store.fault().is_some() {
            return Err(NotAwake::AuditChanged);
        }
        let actor = self.wake(session).await.ok_or(NotAwake::Restored)?;
        actor.tell(request(answer)).await.map_err(|_| NotAwake::Restored)?;
        answered.await.map_err(|_| NotAwake::Restored)
    }

    pub async fn tell(&self, session: SessionId, request: Request) {
        if let Some(actor) = self.wake(session).await {
            let _ = actor.tell(request).await;
        }
    }

    pub async fn awake(&self) -> Vec<ActorRef<SessionActor>> {
        let (ask, awake) = oneshot::channel();
        match self.registry.tell(Awake(ask)).await {
            Ok(()) => awake.await.unwrap_or_default(),
            Err(_) => Vec::new(),
        }
    }

    pub async fn stop(&self) {
        let _ = self.registry.stop_gracefully().await;
        self.registry.wait_for_shutdown().await;
    }
}

impl From<NotAwake> for SubmitError {
    fn from(error: NotAwake) -> Self {
        match error {
            NotAwake::Restored => Self::Unavailable(error.to_string()),
            NotAwake::AuditChanged => Self::AuditChanged,
        }
    }
}

impl From<NotAwake> for ClearError {
    fn from(error: NotAwake) -> Self {
        match error {
            NotAwake::Restored => Self::Unavailable(error.to_string()),
            NotAwake::AuditChanged => Self::AuditChanged,
        }
    }
}

impl From<NotAwake> for DecideError {
    fn from(error: NotAwake) -> Self {
        match error {
            NotAwake::Restored => Self::Unavailable(error.to_string()),
            NotAwake::AuditChanged => Self::AuditChanged,
        }
    }
}

struct Registry {
    runtime: Arc<Runtime>,
    awake: HashMap<SessionId, ActorRef<SessionActor>>,
    by_actor: HashMap<ActorId, SessionId>,
}

impl Actor for Registry {
    type Args = Arc<Runtime>;
    type Error = Infallible;
    fn name() -> &'static str {
        "Registry"
    }
    fn supervision_strategy() -> SupervisionStrategy {
        SupervisionStrategy::OneForOne
    }
    async fn on_start(runtime: Arc<Runtime>, _: ActorRef<Self>) -> Result<Self, Infallible> {
        Ok(Self { runtime, awake: HashMap::new(), by_actor: HashMap::new() })
    }
    /// A session that used up its restarts is forgotten; the next message restores it. By default
    /// the registry would stop with it.
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

/// The actor of a session, started if need be.
struct Open {
    session: SessionId,
    answer: oneshot::Sender<ActorRef<SessionActor>>,
}

impl Message<Open> for Registry {
    type Reply = ();
    async fn handle(&mut self, open: Open, ctx: &mut Context<Self, ()>) {
        let known = self.awake.get(&open.session).filter(|actor| actor.is_alive());
        if let Some(actor) = known {
            let _ = open.answer.send(actor.clone());
            return;
        }
        let args = (self.runtime.clone(), open.session);
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

/// All that are awake.
struct Awake(oneshot::Sender<Vec<ActorRef<SessionActor>>>);

impl Message<Awake> for Registry {
    type Reply = ();
    async fn handle(&mut self, ask: Awake, _: &mut Context<Self, ()>) {
        self.awake.retain(|_, actor| actor.is_alive());
        let _ = ask.0.send(self.awake.values().cloned().collect());
    }
}
