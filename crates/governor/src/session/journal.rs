//! The durable side of a session: its only writer. INVARIANT: no other code commits what a session
//! or its run writes.

use crate::{
    audit, clock,
    hub::Hub,
    session::{
        call::{CallReport, SentCall},
        pending_boundary::{PendingBoundary, moves_questions},
        quiet::QuietPoint,
        records::Records,
        seen::{self, Numbered},
        turn::Turn,
    },
    telemetry,
};
use std::time::Instant;
use wiiiv_domain::{
    EventBody, ExecutionId, ProposalFailure, RiskHistory, RunOutcome, SessionEvent, TurnId, Usage,
};
use wiiiv_flow::FlowState;
use wiiiv_gate::{
    ApprovalGiven, Claim, Committed, Deliberation, PendingQuestion, Principal, Recorded,
    Unrecorded, UserEvent, UserEventKind,
};
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
    /// What raised the session's score, and when that was written.
    pub risk: RiskHistory,
    /// Words for a person went with a boundary whose numbers are not known.
    has_words: bool,
}

impl Journal {
    pub fn new(
        row: SessionRow,
        records: Records,
        writer: SessionWriter,
        quiet: QuietPoint,
    ) -> Self {
        let risk = row.risk.clone();
        Self {
            row,
            records,
            writer,
            pending: PendingBoundary::default(),
            by: None,
            quiet,
            risk,
            has_words: false,
        }
    }

    pub fn event(&mut self, turn: TurnId, body: EventBody) {
        self.quiet.note(&body);
        self.pending.events.push(SessionEvent::new(turn, clock::now(), body));
    }
    pub fn write(&mut self, write: Write) {
        self.pending.writes.push(write);
    }
    pub fn audit(&mut self, entry: AuditEntry) {
        self.pending.audit.push(entry);
    }

    pub fn note_ended(&mut self, turn: TurnId, outcome: &'static str) {
        self.event(turn, EventBody::TurnEnded { outcome: outcome.to_owned() });
        self.audit(audit::turn_ended(turn, outcome));
    }

    /// Ends an interrupted turn and its model call.
    pub fn cut_off(&mut self, interrupted: Option<Turn>) {
        if let Some(turn) = interrupted {
            self.settle_in_full(&turn);
            self.note_ended(turn.id, "cancelled");
            telemetry::turn_ended(&turn.span, turn.begun, "cancelled");
        }
    }

    /// The cost of interrupted calls is unknown: their holds are spent.
    pub fn settle_in_full(&mut self, turn: &Turn) {
        for call in turn.calls() {
            self.settle_cut_off(turn.id, call);
        }
    }

    /// Its call is on record, with what it cost.
    pub fn settle(&mut self, sent: &SentCall, told: CallReport<'_>) {
        let (usage, charge) = (told.spent.total(), sent.cost(told.spent));
        self.audit(audit::model_called(sent, told, charge));
        telemetry::settled(sent.provider, charge);
        self.write(Write::Settle { call: sent.id, usage, amount: charge.amount });
    }

    pub fn settle_cut_off(&mut self, turn: TurnId, call: &SentCall) {
        let amount = call.held().amount;
        let usage = Usage { input_tokens: amount.tokens, output_tokens: 0, estimated: true };
        self.audit(audit::model_cut_off(turn, call));
        self.write(Write::Settle { call: call.id, usage, amount });
    }

    pub fn note_finished(&mut self, execution: ExecutionId, outcome: RunOutcome) {
        let body = serde_json::json!({"execution": execution, "outcome": outcome});
        self.audit(AuditEntry::new("execution.finished", body));
        self.write(Write::ExecutionFinished { execution, outcome });
    }

    /// `None`: this person is not of the session's project.
    pub fn event_of(&self, who: &Principal, kind: UserEventKind) -> Option<Unrecorded<UserEvent>> {
        UserEvent::of(who, self.row.project, Some(self.row.id), kind, clock::now()).ok()
    }

    /// A turn that is on record ends without a model, and what ran for it is written down. Of
    /// another one nothing is.
    pub fn without_right(&mut self) -> Result<ProposalFailure, StoreError> {
        if self.pending.begins_a_turn() {
            return Err(StoreError::AuthorityGone);
        }
        self.audit(audit::requester_gone());
        Ok(ProposalFailure::NotAllowed)
    }

    /// What goes on now was asked for by the session's owner: it does not end with the right of somebody else whose
    /// turn this is. The beginning of that turn does.
    pub fn leave_to_owner(&mut self) {
        let owner = self.row.owner;
        if !self.pending.begins_a_turn() {
            self.by.take_if(|by| !by.is_of(owner));
        }
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
        self.has_words |= self.pending.events.iter().any(|event| seen::is_shown(&event.body));
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

    /// The same with a person's act as evidence. Where it is refused nothing is written, and the boundary is
    /// dropped: of a turn that was to begin with it nothing is on record, neither now nor later.
    pub async fn record_event(&mut self, event: Unrecorded<UserEvent>) -> Result<(), StoreError> {
        let had_words = self.has_words;
        let boundary = self.take(Point::E);
        let (store, writer, changes) = self.writer.begin(&boundary);
        match store.record_user_event(&writer, boundary, event).await {
            Ok((_, last)) => {
                self.writer.tell(changes, last);
                Ok(())
            }
            Err(refused) => {
                (self.by, self.has_words) = (None, had_words);
                Err(refused)
            }
        }
    }

    /// The same with what model personas said, as evidence. Behind a turn's beginning it is on record
    /// whether or not whoever began that may still act.
    pub async fn record_opinions(
        &mut self,
        opinions: Deliberation,
    ) -> Result<Recorded<Deliberation>, StoreError> {
        let by = self.by.clone().filter(|_| self.pending.begins_a_turn());
        let boundary = Boundary { by, ..self.take(Point::E) };
        let (store, writer, changes) = self.writer.begin(&boundary);
        let (recorded, last) = store.record_opinions(&writer, boundary, opinions).await?;
        self.writer.tell(changes, last);
        Ok(recorded)
    }

    /// The same with a yes, and the approval that it proves. Where it does not count nothing is
    /// written, and the boundary is pending again.
    pub async fn record_approval(
        &mut self,
        said: Unrecorded<UserEvent>,
        asked: &PendingQuestion,
    ) -> Result<(), ApprovalError> {
        let boundary = self.take(Point::E);
        let (store, writer, changes) = self.writer.begin(&boundary);
        let done = store.record_approval(&writer, boundary.clone(), said, asked.clone()).await;
        self.yes_told(boundary, changes, done)
    }

    /// The same with one that others have to join.
    pub async fn join_approval(
        &mut self,
        said: Unrecorded<UserEvent>,
        asked: &PendingQuestion,
    ) -> Result<(), ApprovalError> {
        let boundary = self.take(Point::E);
        let (store, writer, changes) = self.writer.begin(&boundary);
        let done = store.join_approval(&writer, boundary.clone(), said, asked.clone()).await;
        self.yes_told(boundary, changes, done)
    }

    fn yes_told(
        &mut self,
        boundary: Boundary,
        changes: Changes,
        done: Result<(Recorded<ApprovalGiven>, Option<u64>), ApprovalError>,
    ) -> Result<(), ApprovalError> {
        match done {
            Ok((_, last)) => {
                self.writer.tell(Changes { questions: true, ..changes }, last);
                Ok(())
            }
            Err(refused) => {
                self.pending.put_back(boundary);
                Err(refused)
            }
        }
    }

    /// The same with an approval that was given back, for another drawing of its plan.
    pub async fn take_up(
        &mut self,
        released: &ReleasedApproval,
        again: DrawnAgain,
    ) -> Result<(), ApprovalError> {
        let boundary = self.take(Point::E);
        let (store, writer, changes) = self.writer.begin(&boundary);
        let (_, last) = store.take_up_approval(&writer, boundary, released, again).await?;
        self.writer.tell(changes, last);
        Ok(())
    }

    /// A boundary of its own, before the pending one.
    pub async fn write_first(&self, write: Write, entry: AuditEntry) -> Result<(), StoreError> {
        let boundary = Boundary::new(Point::P).write(write);
        self.writer.append(Boundary { audit: vec![entry], ..boundary }).await.map(drop)
    }
}

/// A session's lease on its rows. One transaction between `begin` and `tell`: watchers are notified
/// after it, never before.
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
        let (store, writer, changes) = self.begin(&boundary);
        let last = store.append(&writer, boundary).await?;
        Ok(self.tell(changes, last))
    }

    pub async fn commit(
        &self,
        boundary: Boundary,
        claim: Claim,
    ) -> Result<Committed, CommitRefused> {
        let (store, writer, changes) = self.begin(&boundary);
        let (done, last) = store.commit(&writer, boundary, claim).await?;
        self.tell(changes, last);
        Ok(done)
    }

    fn begin(&self, boundary: &Boundary) -> (&Store, Writer, Changes) {
        let watched = self.hub.is_watched(self.lease.session);
        let events = if watched { boundary.events.clone() } else { Vec::new() };
        let changes = Changes { events, questions: moves_questions(&boundary.writes) };
        (&self.store, Writer::Session(self.lease.clone()), changes)
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
