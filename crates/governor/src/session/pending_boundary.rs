//! Events, writes and audit entries that the next commit makes durable together.

use wiiiv_domain::{ApprovalId, EventBody, ExecutionId, SessionEvent, StepId, StepOutcome};
use wiiiv_store::{AuditEntry, Boundary, Point, Write};

#[derive(Default)]
pub struct PendingBoundary {
    pub(super) events: Vec<SessionEvent>,
    pub(super) writes: Vec<Write>,
    pub(super) audit: Vec<AuditEntry>,
}

impl PendingBoundary {
    pub fn is_empty(&self) -> bool {
        self.events.is_empty() && self.writes.is_empty() && self.audit.is_empty()
    }
    /// The next boundary closes this question.
    pub fn closes(&self, approval: ApprovalId) -> bool {
        self.writes.iter().any(|write| question(write) == Some((approval, Move::Closed)))
    }
    /// A message or a decision is not on record yet.
    pub fn begins_a_turn(&self) -> bool {
        self.events.iter().any(|event| matches!(event.body, EventBody::TurnAccepted { .. }))
    }
    pub fn ends_a_run(&self) -> bool {
        self.writes.iter().any(|write| matches!(write, Write::ExecutionFinished { .. }))
    }
    /// Steps of a run whose end is not written yet: attempt, outcome and output of each.
    pub fn finished(
        &self,
        run: ExecutionId,
    ) -> impl Iterator<Item = (&StepId, u32, &StepOutcome, Option<&[u8]>)> {
        self.writes.iter().filter_map(move |write| {
            let Write::StepFinished { execution, step, attempt, outcome, bytes } = write else {
                return None;
            };
            (*execution == run).then_some((step, *attempt, outcome, bytes.as_deref()))
        })
    }
    /// Everything so far, as one boundary.
    pub fn take(&mut self, point: Point) -> Boundary {
        let Self { events, writes, audit } = std::mem::take(self);
        Boundary { events, writes, audit, ..Boundary::new(point) }
    }
    /// A refused boundary comes before what was added since.
    pub fn put_back(&mut self, boundary: Boundary) {
        let Boundary { mut events, mut writes, mut audit, .. } = boundary;
        events.append(&mut self.events);
        writes.append(&mut self.writes);
        audit.append(&mut self.audit);
        *self = Self { events, writes, audit };
    }
    /// Score and taint of the standing that is about to be written.
    pub fn standing(&self) -> Option<(u32, bool)> {
        self.writes.iter().rev().find_map(|write| match write {
            Write::Standing { risk_score, tainted, .. } => Some((*risk_score, *tainted)),
            _ => None,
        })
    }
    /// Another standing is written in its place.
    pub fn drop_standing(&mut self) {
        self.writes.retain(|write| !matches!(write, Write::Standing { .. }));
    }
    /// How many events and audit entries there are.
    pub fn mark(&self) -> (usize, usize) {
        (self.events.len(), self.audit.len())
    }
    /// Drops those that were added since that mark, and were not committed.
    pub fn cut(&mut self, (events, audit): (usize, usize)) {
        self.events.truncate(events);
        self.audit.truncate(audit);
    }
    /// Drops the last event, whose ruling was not committed.
    pub fn retract(&mut self) {
        self.events.pop();
    }
}

#[derive(PartialEq, Eq)]
enum Move {
    Put,
    /// It counts otherwise.
    Changed,
    Closed,
}

fn question(write: &Write) -> Option<(ApprovalId, Move)> {
    match write {
        Write::AskApproval { request, .. } => Some((request.id, Move::Put)),
        Write::RevokeApproval { id, .. } => Some((*id, Move::Changed)),
        Write::RejectApproval { id, .. }
        | Write::EditApproval { id, .. }
        | Write::ExpireApproval { id }
        | Write::WithdrawApproval { id } => Some((*id, Move::Closed)),
        Write::Settle { .. }
        | Write::Release { .. }
        | Write::Blueprint(_)
        | Write::StepFinished { .. }
        | Write::ExecutionFinished { .. }
        | Write::Standing { .. } => None,
    }
}

/// A question is put before people, counts otherwise, or is closed.
pub fn moves_questions(writes: &[Write]) -> bool {
    writes.iter().any(|write| question(write).is_some())
}
