//! The shell around a session: mailbox in, journal out.

use crate::{
    deps::Shared,
    run::CancelSteps,
    session::{
        restore,
        state::{Down, Session},
        view::SessionView,
    },
};
use kameo::{error::Infallible, prelude::*};
use std::time::Duration;
use tokio::sync::oneshot;
use wiiiv_domain::{ExecutionId, SessionId, TurnId};
use wiiiv_store::Lease;

use crate::message::SubmitError;

#[derive(Clone)]
pub struct SessionArgs {
    pub room: Shared,
    pub session: SessionId,
}

pub struct SessionActor {
    args: SessionArgs,
    me: WeakActorRef<SessionActor>,
    /// `None`: the store could not be read or written; the next message, or a moment's patience,
    /// restores it.
    pub(super) live: Option<Session>,
    /// Put down so many times in a row.
    falls: u32,
}

impl Actor for SessionActor {
    type Args = SessionArgs;
    type Error = Infallible;
    fn name() -> &'static str {
        "Session"
    }
    async fn on_start(args: SessionArgs, me: ActorRef<Self>) -> Result<Self, Infallible> {
        let mut actor = Self { args, me: me.downgrade(), live: None, falls: 0 };
        // Before the first message: nobody finds a session that has not gone on yet.
        actor.session().await;
        look_after(me.downgrade(), actor.args.room.config.idle);
        Ok(actor)
    }
}

impl SessionActor {
    async fn wake(&mut self) {
        match restore::restore(self.args.clone(), self.me.clone()).await {
            Ok(session) => self.live = Some(session),
            Err(down) => self.fail(down),
        }
    }

    /// The session, restored if a fault had put it down.
    pub async fn session(&mut self) -> Option<&mut Session> {
        if self.live.is_none() {
            self.wake().await;
            if let Some(session) = &mut self.live {
                match session.go_on().await {
                    Ok(()) => self.falls = 0,
                    Err(down) => self.fail(down),
                }
            }
        }
        self.live.as_mut()
    }

    /// Awake under this very lease.
    pub fn is_held_by(&self, lease: &Lease) -> bool {
        self.live.as_ref().is_some_and(|session| session.lease == *lease)
    }

    /// Whatever was not journalled is gone, by intent: what is in memory is no longer true.
    pub fn fail(&mut self, down: Down) {
        tracing::error!(session = %self.args.session, why = %down, "session put down");
        if let Some((_, run)) = self.live.take().and_then(|session| session.run) {
            let _ = run.tell(CancelSteps).try_send();
        }
        self.args.room.hub.down(self.args.session);
        self.falls = self.falls.saturating_add(1);
        if self.falls <= FALLS_MAX {
            let me = self.me.clone();
            let patience = RISE_AFTER * 2_u32.saturating_pow(self.falls - 1);
            tokio::spawn(async move {
                tokio::time::sleep(patience).await;
                if let Some(me) = me.upgrade() {
                    let _ = me.tell(Rise).await;
                }
            });
        }
    }
}

/// Before a session that was put down is restored without being asked: doubled for each fall.
const RISE_AFTER: Duration = Duration::from_secs(1);
/// Falls in a row; then it waits for the next message, or for a restart.
const FALLS_MAX: u32 = 8;

/// What was interrupted goes on although nobody writes.
struct Rise;

impl Message<Rise> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, _: Rise, _: &mut Context<Self, ()>) {
        self.session().await;
    }
}

/// Is it time to rest?
struct Look;

fn look_after(actor: WeakActorRef<SessionActor>, delay: Duration) {
    tokio::spawn(async move {
        tokio::time::sleep(delay).await;
        if let Some(actor) = actor.upgrade() {
            let _ = actor.tell(Look).await;
        }
    });
}

impl Message<Look> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, _: Look, ctx: &mut Context<Self, ()>) {
        let rests = match &self.live {
            Some(session) => session.may_rest(),
            None => self.falls > FALLS_MAX,
        };
        if rests {
            ctx.stop();
            return;
        }
        let again = self.args.room.config.idle.max(Duration::from_millis(10));
        look_after(ctx.actor_ref().downgrade(), again);
    }
}

pub struct ReadState(pub oneshot::Sender<Result<SessionView, SubmitError>>);

impl Message<ReadState> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, ask: ReadState, _: &mut Context<Self, ()>) {
        let view = match self.session().await {
            Some(session) => Ok(session.view()),
            None => Err(SubmitError::Unavailable("the session store is not reachable".into())),
        };
        let _ = ask.0.send(view);
    }
}

/// A person stops a run from outside the conversation.
pub struct CancelRun {
    pub execution: ExecutionId,
    pub ack: oneshot::Sender<Result<TurnId, SubmitError>>,
}

impl Message<CancelRun> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, ask: CancelRun, _: &mut Context<Self, ()>) {
        let answer = match self.session().await {
            Some(session) => session.cancel_run(ask.execution).await,
            None => Err(Down("the session store is not reachable".into())),
        };
        let answer = answer.map_err(|down| {
            let why = SubmitError::Unavailable(down.to_string());
            self.fail(down);
            why
        });
        let _ = ask.ack.send(answer.and_then(|turn| turn.ok_or(SubmitError::NotFound)));
    }
}

/// A step in doubt was resolved by a person; the run goes on from the journal.
pub struct Resolved(pub ExecutionId);

impl Message<Resolved> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, resolved: Resolved, _: &mut Context<Self, ()>) {
        let Some(session) = self.session().await else { return };
        if let Err(down) = session.resume_run(resolved.0).await {
            self.fail(down);
        }
    }
}
