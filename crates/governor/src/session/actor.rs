//! A session's mailbox: routes requests, one after the other.

use crate::{
    run::StopSteps,
    runtime::Runtime,
    session::{
        Opening, Request, Session, SessionFault, consulted, drawing, embed, execution, halt,
        model_answer, personas,
        restore::{go_on, restore},
        risk_clear, second_look, trial,
    },
};
use kameo::{actor::WeakRecipient, error::Infallible, prelude::*};
use std::{sync::Arc, time::Duration};
use wiiiv_domain::SessionId;

/// Delay before a session that was put down is restored; doubled for each fall.
const RISE_AFTER: Duration = Duration::from_secs(1);
/// Falls in a row; then it waits for a message or a restart.
const FALLS_MAX: u32 = 8;
/// The least time between two looks at whether a session may rest.
const LOOK_AFTER_MIN: Duration = Duration::from_millis(10);

pub type SessionArgs = (Arc<Runtime>, SessionId);

pub struct SessionActor {
    runtime: Arc<Runtime>,
    id: SessionId,
    me: WeakActorRef<SessionActor>,
    inbox: WeakRecipient<Request>,
    /// `None`: put down; the next request or [`Rise`] restores it.
    live: Option<Session>,
    /// Put down so many times in a row.
    falls: u32,
    /// The last time because somebody had changed what it is restored from.
    audit_changed: bool,
}

impl Actor for SessionActor {
    type Args = SessionArgs;
    type Error = Infallible;
    fn name() -> &'static str {
        "Session"
    }
    async fn on_start((runtime, id): SessionArgs, me: ActorRef<Self>) -> Result<Self, Infallible> {
        let inbox = me.clone().recipient().downgrade();
        let me = me.downgrade();
        let mut actor = Self { runtime, id, me, inbox, live: None, falls: 0, audit_changed: false };
        // Before the first request, so that interrupted work continues first.
        actor.wake().await;
        actor.tell_me_after(actor.runtime.config.idle, Look);
        Ok(actor)
    }
}

impl Message<Request> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, mut request: Request, _: &mut Context<Self, ()>) {
        match self.live_for(&mut request).await {
            Some(session) => {
                let done = route(session, request).await;
                self.after(done).await;
            }
            None => request.refuse(self.audit_changed),
        }
    }
}

async fn route(session: &mut Session, request: Request) -> Result<(), SessionFault> {
    match request {
        Request::Message(entry) => session.accept(entry).await,
        Request::Overtake { who, signal, ack } => {
            session.overtake(&who, Opening::Button, signal, ack).await
        }
        Request::Decide(ask) => session.decide(*ask).await,
        Request::Expire { approval, digest } => session.expire(approval, digest).await,
        Request::Shut(shut) => session.shut(&shut).await,
        Request::Halted(scope) => halt::halted(session, scope).await,
        Request::ClearRisk(ask) => risk_clear::clear(session, *ask).await,
        Request::Try { tried, ack } => trial::try_out(session, tried, ack).await,
        Request::Embed(asked) => embed::embed(session, *asked).await,
        Request::View(answer) => {
            let _ = answer.send(Ok(session.work.view(&session.flow)));
            Ok(())
        }
        Request::CancelRun { execution, ack } => session.cancel_run(execution, ack).await,
        Request::Resolved(execution) => execution::resume_run(session, execution).await,
        Request::Searched(found) => consulted::searched(session, *found).await,
        Request::ModelAnswered(answer) => model_answer::model_answered(session, *answer).await,
        Request::PersonaAnswered(answer) => personas::persona_answered(session, *answer).await,
        Request::LookedAt(look) => second_look::looked_at(session, *look).await,
        Request::Drawn { turn, spec, result } => drawing::drawn(session, turn, spec, result).await,
        Request::Tried(tried) => trial::tried(session, *tried).await,
        Request::Embedded(answer) => embed::embedded(session, *answer).await,
        Request::RunEnded(ended) => execution::run_ended(session, *ended).await,
        // A session that was restored since the run began goes on.
        Request::RunLost { lease, fault } if *session.journal.writer.lease() == lease => Err(fault),
        Request::RunLost { .. } => Ok(()),
    }
}

impl SessionActor {
    /// The session, restored if need be. A lost run restores none: it was lost with its session.
    async fn live_for(&mut self, request: &mut Request) -> Option<&mut Session> {
        if self.live.is_none()
            && let Request::RunEnded(ended) = &mut *request
        {
            execution::keep_last(&self.runtime, ended).await;
        }
        if self.live.is_none() && !matches!(request, Request::RunLost { .. }) {
            self.wake().await;
        }
        self.live.as_mut()
    }

    async fn wake(&mut self) {
        if self.live.is_some() {
            return;
        }
        let restored = restore(self.runtime.clone(), self.id, self.inbox.clone()).await;
        match restored {
            Ok((session, unput)) => {
                let done = go_on(self.live.insert(session), unput).await;
                match done {
                    Ok(()) => self.falls = 0,
                    Err(fault) => self.fail(&fault),
                }
            }
            Err(fault) => self.fail(&fault),
        }
    }

    /// Puts the session down on a fault; otherwise begins what waits.
    async fn after(&mut self, mut done: Result<(), SessionFault>) {
        loop {
            if let Err(fault) = done {
                return self.fail(&fault);
            }
            let Some(session) = &mut self.live else { return };
            let Some(next) = session.work.next() else { return };
            done = session.take_late(next).await;
        }
    }

    /// INVARIANT: after a failed commit the state in memory is dropped, never reused.
    fn fail(&mut self, fault: &SessionFault) {
        if fault.is_right_gone() {
            tracing::info!(session = %self.id, why = fault.told(), "a request was refused");
        } else {
            tracing::error!(session = %self.id, why = fault.told(), "session put down");
        }
        if let Some((_, run)) = self.live.take().and_then(|session| session.work.run) {
            let _ = run.tell(StopSteps::PutDown).try_send();
        }
        self.runtime.hub.down(self.id);
        self.audit_changed = fault.is_audit_changed();
        self.falls = self.falls.saturating_add(1);
        if self.falls <= FALLS_MAX {
            self.tell_me_after(RISE_AFTER * 2_u32.saturating_pow(self.falls - 1), Rise);
        }
    }

    fn tell_me_after<M: Send + 'static>(&self, delay: Duration, message: M)
    where
        Self: Message<M>,
    {
        let me = self.me.clone();
        tokio::spawn(async move {
            tokio::time::sleep(delay).await;
            if let Some(me) = me.upgrade() {
                let _ = me.tell(message).await;
            }
        });
    }
}

/// Restores a session that was put down.
struct Rise;

impl Message<Rise> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, _: Rise, _: &mut Context<Self, ()>) {
        self.wake().await;
    }
}

/// Stops an idle actor.
struct Look;

impl Message<Look> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, _: Look, ctx: &mut Context<Self, ()>) {
        let idle = self.runtime.config.idle;
        let rests = match &self.live {
            Some(session) => session.work.may_rest(idle),
            None => self.falls > FALLS_MAX,
        };
        if rests {
            ctx.stop();
        } else {
            self.tell_me_after(idle.max(LOOK_AFTER_MIN), Look);
        }
    }
}
