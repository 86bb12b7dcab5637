//! The account of the conversation's founder was closed: nothing that it began goes on.

use crate::{
    audit,
    message::{DecideError, SubmitError},
    session::{
        actor::SessionActor,
        state::{Down, Session},
    },
    telemetry,
};
use kameo::prelude::*;
use std::{collections::BTreeSet, sync::Arc};
use wiiiv_domain::{ApprovalId, EventBody, FlowInput, SignalKind, UserId, UserSignal};
use wiiiv_store::Point;

/// What has been written already: the account is closed and its questions are withdrawn.
#[derive(Debug, Clone)]
pub struct Shut {
    pub user: UserId,
    pub withdrawn: Arc<BTreeSet<ApprovalId>>,
}

impl Message<Shut> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, shut: Shut, _: &mut Context<Self, ()>) {
        let Some(session) = self.session().await else { return };
        if session.row.owner != shut.user {
            return;
        }
        let done = session.shut(&shut.withdrawn).await;
        self.after(done).await;
    }
}

impl Session {
    /// As if the founder had cancelled everything: a step under way is broken off, as a cancel does,
    /// and no other begins.
    pub async fn shut(&mut self, withdrawn: &BTreeSet<ApprovalId>) -> Result<(), Down> {
        self.touch();
        for queued in self.queue.drain(..) {
            let _ = queued.ack.send(Err(SubmitError::NotFound));
        }
        for ask in self.waiting.drain(..) {
            let state = "withdrawn".to_owned();
            let _ = ask.answer.send(Err(DecideError::AlreadyDecided { state }));
        }
        // Those questions are closed: nothing is left to withdraw.
        for plan in self.plans.values_mut() {
            plan.approval = plan.approval.filter(|id| !withdrawn.contains(id));
        }
        self.room.hub.questions_changed();
        let waits = self.flow.queued().chain(self.flow.suspended()).next().is_some();
        if self.turn.is_none() && self.flow.active().is_none() && !waits {
            return Ok(());
        }
        let interrupted = self.turn.take();
        let turn = self.fresh_turn();
        self.shown = None;
        if let Some(old) = &interrupted {
            self.settle_in_full(old);
            let body = EventBody::TurnEnded { outcome: "cancelled".to_owned() };
            self.book.event(old.id, body);
            self.book.audit(audit::turn_ended(old.id, "cancelled"));
            telemetry::turn_ended(&old.span, old.begun, "cancelled");
        }
        let signal = SignalKind::CancelAll;
        let input = FlowInput::Signal(UserSignal { turn, signal });
        self.feed(turn, input).await?;
        self.flush(Point::T2).await
    }
}
