//! The shell around a session: mailbox in, journal out.

use crate::{
    deps::Shared,
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

use crate::message::SubmitError;

#[derive(Clone)]
pub struct SessionArgs {
    pub room: Shared,
    pub session: SessionId,
}

pub struct SessionActor {
    args: SessionArgs,
    me: WeakActorRef<SessionActor>,
    /// `None`: the store could not be read or written; the next message restores it.
    pub(super) live: Option<Session>,
}

impl Actor for SessionActor {
    type Args = SessionArgs;
    type Error = Infallible;
    fn name() -> &'static str {
        "Session"
    }
    async fn on_start(args: SessionArgs, me: ActorRef<Self>) -> Result<Self, Infallible> {
        let mut actor = Self { args, me: me.downgrade(), live: None };
        let _ = me.tell(Wake).try_send();
        actor.wake().await;
        Ok(actor)
    }
}

impl SessionActor {
    async fn wake(&mut self) {
        match restore::restore(self.args.clone(), self.me.clone()).await {
            Ok(session) => self.live = Some(session),
            Err(Down(why)) => {
                tracing::error!(session = %self.args.session, why, "session cannot be restored");
            }
        }
    }

    /// The session, restored if a fault had put it down.
    pub async fn session(&mut self) -> Option<&mut Session> {
        if self.live.is_none() {
            self.wake().await;
            if let Some(session) = &mut self.live
                && let Err(down) = session.go_on().await
            {
                self.fail(down);
            }
        }
        self.live.as_mut()
    }

    /// Whatever was not journalled is gone, by intent: what is in memory is no longer true.
    pub fn fail(&mut self, down: Down) {
        tracing::error!(session = %self.args.session, why = %down, "session put down");
        self.live = None;
    }
}

/// After a start: goes on with what a crash or a fault interrupted, and looks at the clock for
/// rest from then on.
struct Wake;

impl Message<Wake> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, _: Wake, ctx: &mut Context<Self, ()>) {
        if let Some(session) = &mut self.live
            && let Err(down) = session.go_on().await
        {
            self.fail(down);
        }
        look_after(ctx.actor_ref().downgrade(), self.args.room.config.idle);
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
        if self.live.as_ref().is_none_or(Session::may_rest) {
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
