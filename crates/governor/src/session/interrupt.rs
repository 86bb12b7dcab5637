//! Requests that interrupt the turn in progress: a cancel, and the end of the owner's account.

use crate::{
    audit,
    message::{DecideError, SubmitError},
    run::StopSteps,
    session::{Answer, Opening, Session, SessionFault, Shut, Turn, message::acknowledge},
    telemetry,
};
use std::collections::BTreeSet;
use wiiiv_domain::{ApprovalId, ExecutionId, SignalKind, TurnId, Usage};
use wiiiv_gate::Principal;
use wiiiv_store::{Point, Write};

impl Session {
    pub async fn overtake(
        &mut self,
        who: &Principal,
        opening: Opening<'_>,
        signal: SignalKind,
        ack: Answer<TurnId>,
    ) -> Result<(), SessionFault> {
        self.work.touch();
        let interrupted = self.work.turn.take();
        let turn = self.fresh_turn();
        let done = self.overtaken(turn, who, opening, signal, interrupted).await;
        acknowledge(ack, turn, &done);
        done
    }

    async fn overtaken(
        &mut self,
        turn: TurnId,
        who: &Principal,
        opening: Opening<'_>,
        signal: SignalKind,
        interrupted: Option<Turn>,
    ) -> Result<(), SessionFault> {
        self.note_accepted(turn, who, opening).await?;
        self.cut_off(interrupted);
        self.feed_signal(turn, signal).await?;
        self.flush(Point::T0).await
    }

    /// Ends the interrupted turn and its model call.
    fn cut_off(&mut self, interrupted: Option<Turn>) {
        if let Some(old) = interrupted {
            self.settle_in_full(&old);
            self.note_ended(&old, "cancelled");
            telemetry::turn_ended(&old.span, old.begun, "cancelled");
        }
    }

    /// Cancels the model call and the run. What has happened stays recorded.
    pub async fn cancel_work(&mut self, execution: Option<ExecutionId>) {
        self.stop_call();
        if let (Some(execution), Some((running, actor))) = (execution, &self.work.run)
            && *running == execution
        {
            let _ = actor.tell(StopSteps::Cancel).await;
        }
    }

    /// The turn goes on without its model call.
    pub fn stop_call(&mut self) {
        if let Some(turn) = self.work.turn.take() {
            self.settle_in_full(&turn);
            self.work.turn = Some(turn.afresh());
        }
    }

    /// The cost of an interrupted call is unknown: its hold is spent.
    fn settle_in_full(&mut self, turn: &Turn) {
        if let Some(call) = &turn.call {
            let amount = call.held().amount;
            let usage = Usage { input_tokens: amount.tokens, output_tokens: 0, estimated: true };
            self.journal.audit(audit::model_cut_off(turn.id, call));
            self.journal.write(Write::Settle { call: call.id, usage, amount });
        }
    }

    /// Refused where this run is not in progress here.
    pub async fn cancel_run(
        &mut self,
        execution: ExecutionId,
        ack: Answer<TurnId>,
    ) -> Result<(), SessionFault> {
        self.work.touch();
        if self.current_run() != Some(execution) {
            let _ = ack.send(Err(SubmitError::NotFound));
            return Ok(());
        }
        let turn = self.open_turn();
        let done = self.cancelled(turn).await;
        acknowledge(ack, turn, &done);
        done
    }

    async fn cancelled(&mut self, turn: TurnId) -> Result<(), SessionFault> {
        self.feed_signal(turn, SignalKind::Cancel).await?;
        self.flush(Point::T2).await
    }

    /// The account of the session's founder was closed.
    pub async fn shut(&mut self, shut: &Shut) -> Result<(), SessionFault> {
        if self.journal.row.owner != shut.user {
            return Ok(());
        }
        self.shut_down(&shut.withdrawn).await
    }

    /// Cancels everything, as its owner would.
    pub async fn shut_down(
        &mut self,
        withdrawn: &BTreeSet<ApprovalId>,
    ) -> Result<(), SessionFault> {
        self.work.touch();
        for entry in self.work.queue.drain(..) {
            let _ = entry.ack.send(Err(SubmitError::NotFound));
        }
        for ask in self.work.decisions.drain(..) {
            let state = "withdrawn".to_owned();
            let _ = ask.answer.send(Err(DecideError::AlreadyDecided { state }));
        }
        // These questions are closed already.
        for plan in self.work.plans.values_mut() {
            plan.approval = plan.approval.filter(|id| !withdrawn.contains(id));
        }
        self.runtime.hub.questions_changed();
        let waits = self.flow.queued().chain(self.flow.suspended()).next().is_some();
        if self.work.turn.is_none() && self.flow.active().is_none() && !waits {
            return Ok(());
        }
        let interrupted = self.work.turn.take();
        let turn = self.fresh_turn();
        self.conversation.take_shown();
        self.cut_off(interrupted);
        self.feed_signal(turn, SignalKind::CancelAll).await?;
        self.flush(Point::T2).await
    }
}
