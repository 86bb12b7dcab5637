//! Requests that interrupt the turn in progress: a cancel, and the end of the owner's account.

use crate::{
    clock,
    message::SubmitError,
    session::{
        Answer, Opening, Session, SessionFault, Shut,
        message::{acknowledge, going_on},
        task_position,
    },
};
use std::collections::BTreeSet;
use wiiiv_domain::{ApprovalId, ExecutionId, SignalKind, TurnId};
use wiiiv_gate::Principal;
use wiiiv_store::Point;

impl Session {
    /// Refused where its author lost the right meanwhile: what is in progress is stopped before the commit would say so.
    pub async fn overtake(
        &mut self,
        who: &Principal,
        opening: Opening<'_>,
        signal: SignalKind,
        ack: Answer<TurnId>,
    ) -> Result<(), SessionFault> {
        self.work.touch();
        if !self.runtime.deps.store.still_stands(who, clock::now()).await? {
            let _ = ack.send(Err(SubmitError::RightGone));
            return Ok(());
        }
        let interrupted = self.work.turn.take();
        let signal = match signal {
            SignalKind::Cancel if interrupted.is_none() => {
                going_on(&self.flow, None).unwrap_or(SignalKind::Cancel)
            }
            signal => signal,
        };
        let turn = self.work.fresh_turn(&mut self.journal);
        let done = async {
            self.note_accepted(turn, who, opening).await?;
            self.journal.cut_off(interrupted);
            self.feed_signal(turn, signal).await?;
            self.flush(Point::T0).await
        }
        .await;
        acknowledge(ack, turn, &done);
        done
    }

    /// Refused where this run is not in progress here.
    pub async fn cancel_run(
        &mut self,
        execution: ExecutionId,
        ack: Answer<TurnId>,
    ) -> Result<(), SessionFault> {
        self.work.touch();
        if task_position::current_run(&self.flow) != Some(execution) {
            let _ = ack.send(Err(SubmitError::NotFound));
            return Ok(());
        }
        let turn = self.work.open_turn(&mut self.journal);
        let done = async {
            self.feed_signal(turn, SignalKind::Cancel).await?;
            self.flush(Point::T2).await
        }
        .await;
        acknowledge(ack, turn, &done);
        done
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
        self.work.dismiss(withdrawn);
        self.runtime.hub.questions_changed();
        let waits = self.flow.queued().chain(self.flow.suspended()).next().is_some();
        if self.work.turn.is_none() && self.flow.active().is_none() && !waits {
            return Ok(());
        }
        let interrupted = self.work.turn.take();
        let turn = self.work.fresh_turn(&mut self.journal);
        self.conversation.take_shown();
        self.journal.cut_off(interrupted);
        self.feed_signal(turn, SignalKind::CancelAll).await?;
        self.flush(Point::T2).await
    }
}
