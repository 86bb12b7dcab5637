//! What the next boundary will carry. Inputs and replies gather here until something outside is
//! about to happen, and then become durable together.

use wiiiv_domain::{ApprovalId, EventBody, ExecutionId, SessionEvent, StepId, StepOutcome, TurnId};
use wiiiv_store::{AuditEntry, Boundary, Point, Write};

use crate::clock;

#[derive(Default)]
pub struct Book {
    events: Vec<SessionEvent>,
    writes: Vec<Write>,
    audit: Vec<AuditEntry>,
}

impl Book {
    pub fn event(&mut self, turn: TurnId, body: EventBody) {
        self.events.push(SessionEvent::new(turn, clock::now(), body));
    }
    pub fn write(&mut self, write: Write) {
        self.writes.push(write);
    }
    /// This question is closed by what is about to be written.
    pub fn closes(&self, approval: ApprovalId) -> bool {
        self.writes.iter().any(|write| match write {
            Write::RejectApproval { id, .. }
            | Write::ExpireApproval { id }
            | Write::WithdrawApproval { id } => *id == approval,
            Write::Settle { .. }
            | Write::Release { .. }
            | Write::Blueprint(_)
            | Write::AskApproval { .. }
            | Write::StepFinished { .. }
            | Write::ExecutionFinished { .. }
            | Write::Standing { .. } => false,
        })
    }
    /// A question is put or closed by what is about to be written.
    pub fn moves_questions(&self) -> bool {
        self.writes.iter().any(|write| match write {
            Write::AskApproval { .. }
            | Write::RejectApproval { .. }
            | Write::ExpireApproval { .. }
            | Write::WithdrawApproval { .. } => true,
            Write::Settle { .. }
            | Write::Release { .. }
            | Write::Blueprint(_)
            | Write::StepFinished { .. }
            | Write::ExecutionFinished { .. }
            | Write::Standing { .. } => false,
        })
    }
    /// Steps of a run whose end is about to be written: attempt, outcome and output of each.
    pub fn finished(
        &self,
        run: ExecutionId,
    ) -> impl Iterator<Item = (&StepId, u32, &StepOutcome, Option<&[u8]>)> {
        self.writes.iter().filter_map(move |write| match write {
            Write::StepFinished { execution, step, attempt, outcome, bytes }
                if *execution == run =>
            {
                Some((step, *attempt, outcome, bytes.as_deref()))
            }
            Write::StepFinished { .. }
            | Write::RejectApproval { .. }
            | Write::ExpireApproval { .. }
            | Write::WithdrawApproval { .. }
            | Write::Settle { .. }
            | Write::Release { .. }
            | Write::Blueprint(_)
            | Write::AskApproval { .. }
            | Write::ExecutionFinished { .. }
            | Write::Standing { .. } => None,
        })
    }
    pub fn audit(&mut self, entry: AuditEntry) {
        self.audit.push(entry);
    }
    pub fn is_empty(&self) -> bool {
        self.events.is_empty() && self.writes.is_empty() && self.audit.is_empty()
    }
    /// Everything so far, as one boundary.
    pub fn close(&mut self, point: Point, replay_from_here: bool) -> Boundary {
        Boundary {
            point,
            events: std::mem::take(&mut self.events),
            writes: std::mem::take(&mut self.writes),
            audit: std::mem::take(&mut self.audit),
            replay_from_here,
        }
    }
    /// A refused commit hands its boundary back; what came since stays behind it.
    pub fn reopen(&mut self, boundary: Boundary) {
        let Boundary { point: _, mut events, mut writes, mut audit, replay_from_here: _ } =
            boundary;
        events.append(&mut self.events);
        writes.append(&mut self.writes);
        audit.append(&mut self.audit);
        (self.events, self.writes, self.audit) = (events, writes, audit);
    }
}
