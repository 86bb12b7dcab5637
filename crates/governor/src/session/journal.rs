//! The durable side of a session: its only writer. INVARIANT: no other code commits what a session
//! or its run writes.

use crate::{
    hub::Hub,
    session::{
        pending_boundary::{PendingBoundary, moves_questions},
        quiet::QuietPoint,
        records::Records,
        seen::{self, Numbered},
    },
};
use std::time::Instant;
use wiiiv_domain::{EventBody, SessionEvent, TurnId};
use wiiiv_flow::FlowState;
use wiiiv_gate::{Claim, Committed, PendingQuestion, Unrecorded, UserEvent};
use wiiiv_store::{
    ApprovalError, AuditEntry, Authority, Boundary, CommitRefused, DrawnAgain, Lease, Moved, Point,
    ReleasedApproval, SessionRow, Store, StoreError, Write, Writer,
};

pub struct Journal {
    pub row: SessionRow,
    pub records: Records,
    pub writer: SessionWriter,
    pub pending: PendingBoundary,
    /// Who began the turn; T0 and E are written only while they may do it.
    pub by: Option<Authority>,
    pub quiet: QuietPoint,
    /// Words for a person are pending, or went with a boundary whose numbers are not known.
    has_words: bool,
}

impl Journal {
    pub fn new(
        row: SessionRow,
        records: Records,
        writer: SessionWriter,
        quiet: QuietPoint,
    ) -> Self {
        Self {
            row,
            records,
            writer,
            pending: PendingBoundary::default(),
            by: None,
            quiet,
            has_words: false,
        }
    }

    pub fn event(&mut self, turn: TurnId, body: EventBody) {
        self.has_words |= seen::is_shown(&body);
        self.quiet.note(&body);
        self.pending.event(turn, body);
    }
    pub fn write(&mut self, write: Write) {
        self.pending.write(write);
    }
    pub fn audit(&mut self, entry: AuditEntry) {
        self.pending.audit(entry);
    }

    /// Everything pending, as one boundary.
    fn take(&mut self, point: Point) -> Boundary {
        let by = match point {
            Point::T0 | Point::E => self.by.clone(),
            Point::T1 | Point::S1 | Point::S2 | Point::T2 | Point::P => None,
        };
        if self.pending.ends_a_run() {
            self.records.run_ends();
        }
        Boundary { by, ..self.pending.take(point) }
    }

    /// Commits the pending boundary. `between_turns`: the flow's state, if no turn is open after it.
    pub async fn flush(
        &mut self,
        point: Point,
        between_turns: Option<&FlowState>,
    ) -> Result<Option<Numbered>, StoreError> {
        if self.pending.is_empty() {
            return Ok(None);
        }
        let mut boundary = self.take(point);
        if let Some(flow) = between_turns {
            boundary = self.quiet.mark(flow, boundary);
        }
        let is_quiet = boundary.replay_from_here;
        let behind = seen::behind_words(&boundary.events);
        let Some(Written { last, at }) = self.writer.append(boundary).await? else {
            return Ok(None);
        };
        self.quiet.written(last, is_quiet);
        let has_words = std::mem::take(&mut self.has_words);
        let words = has_words.then(|| last.saturating_sub(behind));
        Ok(Some(Numbered { last, words, at }))
    }

    /// The same with a claim. Where the commit found a change nothing is written, and the boundary
    /// is pending again.
    pub async fn commit(
        &mut self,
        point: Point,
        claim: Claim,
    ) -> Result<Result<Committed, Moved>, StoreError> {
        // A plan that starts is the work of whoever began the turn, as a model's call is: T1 asks for
        // their right too. A question that ends a turn with the same point does not.
        let by = self.by.clone();
        let boundary = Boundary { by, ..self.take(point) };
        match self.writer.commit(boundary, claim).await {
            Ok(done) => Ok(Ok(done)),
            Err(CommitRefused::Moved(moved, boundary)) => {
                self.pending.put_back(boundary);
                Ok(Err(moved))
            }
            Err(CommitRefused::Unavailable(error)) => Err(error),
        }
    }

    /// The same with a person's act as evidence.
    pub async fn record_event(&mut self, event: Unrecorded<UserEvent>) -> Result<(), StoreError> {
        let boundary = self.take(Point::E);
        self.writer.record_event(boundary, event).await
    }

    /// The same with a yes, and the approval that it proves. Where it does not count nothing is
    /// written, and the boundary is pending again.
    pub async fn record_approval(
        &mut self,
        said: Unrecorded<UserEvent>,
        asked: &PendingQuestion,
    ) -> Result<(), ApprovalError> {
        let boundary = self.take(Point::E);
        let done = self.writer.record_approval(boundary.clone(), said, asked.clone()).await;
        if done.is_err() {
            self.pending.put_back(boundary);
        }
        done
    }

    /// The same with an approval that was given back, for another drawing of its plan.
    pub async fn take_up(
        &mut self,
        released: &ReleasedApproval,
        again: DrawnAgain,
    ) -> Result<(), ApprovalError> {
        let boundary = self.take(Point::E);
        self.writer.take_up(boundary, released, again).await
    }

    /// A boundary of its own, before the pending one.
    pub async fn write_first(&self, write: Write, entry: AuditEntry) -> Result<(), StoreError> {
        let boundary = Boundary::new(Point::P).write(write);
        self.writer.append(Boundary { audit: vec![entry], ..boundary }).await.map(drop)
    }
}

/// A session's lease on its rows. One transaction a method; watchers are notified after it, never
/// before.
#[derive(Debug, Clone)]
pub struct SessionWriter {
    store: Store,
    hub: Hub,
    lease: Lease,
}

impl SessionWriter {
    pub const fn new(store: Store, hub: Hub, lease: Lease) -> Self {
        Self { store, hub, lease }
    }

    pub const fn lease(&self) -> &Lease {
        &self.lease
    }

    /// `None`: it has no event.
    pub async fn append(&self, boundary: Boundary) -> Result<Option<Written>, StoreError> {
        let changes = self.changes(&boundary);
        let last = self.store.append(&self.as_writer(), boundary).await?;
        Ok(self.tell(changes, last))
    }

    pub async fn commit(
        &self,
        boundary: Boundary,
        claim: Claim,
    ) -> Result<Committed, CommitRefused> {
        let changes = self.changes(&boundary);
        let (done, last) = self.store.commit(&self.as_writer(), boundary, claim).await?;
        self.tell(changes, last);
        Ok(done)
    }

    pub async fn record_event(
        &self,
        boundary: Boundary,
        event: Unrecorded<UserEvent>,
    ) -> Result<(), StoreError> {
        let changes = self.changes(&boundary);
        let writer = self.as_writer();
        let (_, last) = self.store.record_user_event(&writer, boundary, event).await?;
        self.tell(changes, last);
        Ok(())
    }

    pub async fn record_approval(
        &self,
        boundary: Boundary,
        said: Unrecorded<UserEvent>,
        asked: PendingQuestion,
    ) -> Result<(), ApprovalError> {
        let changes = Changes { questions: true, ..self.changes(&boundary) };
        let writer = self.as_writer();
        let (_, last) = self.store.record_approval(&writer, boundary, said, asked).await?;
        self.tell(changes, last);
        Ok(())
    }

    pub async fn take_up(
        &self,
        boundary: Boundary,
        released: &ReleasedApproval,
        again: DrawnAgain,
    ) -> Result<(), ApprovalError> {
        let changes = self.changes(&boundary);
        let writer = self.as_writer();
        let (_, last) = self.store.take_up_approval(&writer, boundary, released, again).await?;
        self.tell(changes, last);
        Ok(())
    }

    fn as_writer(&self) -> Writer {
        Writer::Session(self.lease.clone())
    }

    fn changes(&self, boundary: &Boundary) -> Changes {
        let watched = self.hub.is_watched(self.lease.session);
        Changes {
            events: if watched { boundary.events.clone() } else { Vec::new() },
            questions: moves_questions(&boundary.writes),
        }
    }

    /// `last`: the number of the last event. Nobody has heard of the events before the instant that
    /// comes back.
    fn tell(&self, changes: Changes, last: Option<u64>) -> Option<Written> {
        let written = last.map(|last| Written { last, at: Instant::now() });
        if let Some(last) = last {
            let first = (last + 1).saturating_sub(changes.events.len() as u64);
            self.hub.committed(self.lease.session, (first, last), changes.events);
        }
        if changes.questions {
            self.hub.questions_changed();
        }
        written
    }
}

/// Where a boundary's last event stands, and an instant before which nobody was told of it.
pub struct Written {
    last: u64,
    at: Instant,
}

/// What watchers are told of a boundary.
struct Changes {
    /// Empty where nobody watches.
    events: Vec<SessionEvent>,
    questions: bool,
}
