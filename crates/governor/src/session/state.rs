//! What a session knows while it is awake. All of it can be had back from the journal.

use crate::{
    audit, clock,
    config::HISTORY_MESSAGES_MAX,
    deps::Shared,
    run::RunActor,
    session::{
        actor::SessionActor,
        book::Book,
        decide::Decide,
        place,
        recall::Last,
        turn::{Line, Queued, Turn},
    },
    telemetry,
};
use kameo::actor::{ActorRef, WeakActorRef};
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
    time::Instant,
};
use wiiiv_domain::{
    Amount, ApprovalId, Blueprint, BlueprintDigest, CallId, DacsResult, EventBody, ExecutionId,
    FlowInput, Lang, Slots, SpecDigest, StepId, System, SystemName, Timestamp, TurnId,
};
use wiiiv_flow::FlowState;
use wiiiv_gate::RunPermit;
use wiiiv_store::{AuditEntry, Boundary, Lease, Point, SessionRow, Write, Writer};

/// Plans and verdicts that an awake session keeps at hand; the store has them all.
const KEPT_MAX: usize = 16;
/// Inputs that one message may set off without leaving the actor. The flow's own bounds end it
/// long before.
const INPUTS_MAX: usize = 64;

/// The store did not take it: nothing that was not journalled has happened, and the session is
/// restored from the journal when it is next needed.
#[derive(Debug, thiserror::Error)]
#[error("the session cannot go on: {0}")]
pub struct Down(pub String);

impl<E> From<E> for Down
where
    E: Into<wiiiv_store::StoreError>,
{
    fn from(error: E) -> Self {
        Self(error.into().to_string())
    }
}

pub struct Plan {
    pub blueprint: Arc<Blueprint>,
    pub approval: Option<ApprovalId>,
}

pub struct Session {
    pub room: Shared,
    pub me: WeakActorRef<SessionActor>,
    pub row: SessionRow,
    pub lease: Lease,
    pub flow: FlowState,
    pub book: Book,
    pub turn: Option<Turn>,
    pub queue: VecDeque<Queued>,
    /// Decisions on questions, behind the turn in progress.
    pub waiting: VecDeque<Decide>,
    pub history: VecDeque<Line>,
    pub language: Lang,
    /// What was first clearly spoken here.
    pub spoken: Option<Lang>,
    pub verdicts: BTreeMap<SpecDigest, DacsResult>,
    pub plans: BTreeMap<BlueprintDigest, Plan>,
    /// The last preview, if nothing was shown since: what a typed yes speaks of.
    pub shown: Option<BlueprintDigest>,
    /// A question that the next boundary puts before a person.
    pub asking: bool,
    /// When the last one was put, since it is awake.
    pub asked: Option<Instant>,
    /// A question that was decided on and never put: a crash came first.
    pub unput: bool,
    /// The model that answered last had read what came from outside.
    pub foreign: bool,
    /// A preview whose time ran out, if that was the last word: a yes comes too late for it.
    pub expired: Option<BlueprintDigest>,
    pub run: Option<(ExecutionId, ActorRef<RunActor>)>,
    /// Committed and not yet handed to a run.
    pub permit: Option<RunPermit>,
    /// A run whose step is in doubt: it waits for a person, not for us.
    pub in_doubt: Option<ExecutionId>,
    /// A model is tried, and until when it may take.
    pub trying: Option<(CallId, Instant)>,
    /// A run of this session can be referred to.
    pub has_run: bool,
    /// Steps that conditions left out, of the last run.
    pub skipped: BTreeSet<(ExecutionId, StepId)>,
    /// The project's registered systems, as of the last message.
    pub systems: Arc<[System]>,
    /// What the last model call would have cost at most: the gate compared that with each cap.
    pub claimed: Amount,
    /// What a form's answer sets, until the flow asks for it.
    pub filled: Option<Slots>,
    /// What can be asked about.
    pub last: Last,
    /// Those of them that have a credential stored.
    pub with_credential: Arc<BTreeSet<SystemName>>,
    /// When risk was last looked at: it fades from there.
    pub judged_at: Option<Timestamp>,
    pub touched: Instant,
}

impl Session {
    pub fn writer(&self) -> Writer {
        Writer::Session(self.lease.clone())
    }

    /// Steps the flow with one input and performs what follows, until something outside is
    /// awaited or nothing is left to do.
    pub async fn feed(&mut self, turn: TurnId, input: FlowInput) -> Result<(), Down> {
        // A model asked in a later turn answers to the one that last moved its task.
        let turn = self.turn.as_ref().map_or(turn, |current| current.id);
        let mut inputs = VecDeque::from([input]);
        for _ in 0..INPUTS_MAX {
            let Some(input) = inputs.pop_front() else { break };
            let limits = self.room.config.flow;
            let span = telemetry::flow(self.turn.as_ref());
            let (next, effects) = wiiiv_flow::step(&limits, &self.flow, input.clone());
            self.flow = next;
            self.note_wish(&input);
            telemetry::stepped(&span, &self.flow, effects.len());
            drop(span);
            let body = EventBody::Input { input: Box::new(input), state: self.flow.hash() };
            self.book.event(turn, body);
            for effect in effects {
                inputs.extend(self.perform(turn, effect).await?);
            }
        }
        self.rest().await
    }

    /// Ends the turn where nothing is awaited any more, and begins the next one.
    pub async fn rest(&mut self) -> Result<(), Down> {
        // A run in doubt waits for a person, as long as the flow stands at it.
        let doubt = self.in_doubt.is_some() && self.in_doubt == self.current_run();
        if place::is_busy(&self.flow) && !doubt {
            return Ok(());
        }
        if let Some(ended) = self.turn.take() {
            self.end(&ended, ended.outcome).await?;
        }
        Ok(())
    }

    pub async fn end(&mut self, turn: &Turn, outcome: &'static str) -> Result<(), Down> {
        self.book.event(turn.id, EventBody::TurnEnded { outcome: outcome.to_owned() });
        self.book.audit(audit::turn_ended(turn.id, outcome));
        let point = if outcome == "pending" { Point::T1 } else { Point::T2 };
        self.flush(point).await?;
        telemetry::turn_ended(&turn.span, turn.begun, outcome);
        Ok(())
    }

    /// Makes everything that was gathered durable.
    pub async fn flush(&mut self, point: Point) -> Result<(), Down> {
        if self.book.is_empty() {
            return Ok(());
        }
        let quiet = self.flow.is_quiet() && self.turn.is_none();
        let moves = self.book.moves_questions();
        let boundary = self.book.close(point, quiet);
        self.room.deps.store.append(&self.writer(), boundary).await?;
        if std::mem::take(&mut self.asking) {
            self.asked = Some(Instant::now());
        }
        self.room.hub.grew(self.row.id);
        if moves {
            self.room.hub.questions_changed();
        }
        Ok(())
    }

    pub fn said(&mut self, by_user: bool, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.history.len() >= HISTORY_MESSAGES_MAX {
            self.history.pop_front();
        }
        self.history.push_back(Line { by_user, text: text.to_owned() });
    }

    pub fn keep_plan(&mut self, digest: BlueprintDigest, plan: Plan) {
        bound(&mut self.plans);
        self.plans.insert(digest, plan);
    }

    pub fn keep_verdict(&mut self, spec: SpecDigest, result: DacsResult) {
        bound(&mut self.verdicts);
        self.verdicts.insert(spec, result);
    }

    pub fn outcome(&mut self, outcome: &'static str) {
        if let Some(turn) = &mut self.turn {
            turn.outcome = outcome;
        }
    }

    /// Risk that the words add, and taint that ended with the last turn: written before the turn
    /// is ruled on, because every ruling names the standing that it was made on.
    pub async fn judge(&mut self, text: &str) -> Result<(), Down> {
        let room = self.room.clone();
        let standing = room.deps.store.standing(self.row.id).await?;
        let rules = room.deps.keeper.risk_rules();
        let signals = rules.signals(text);
        let now = clock::now();
        let elapsed = self.judged_at.map_or(0, |at| now.since_ms(at));
        self.judged_at = Some(now);
        let risk_score = rules.raised(rules.faded(standing.risk_score, elapsed), &signals);
        if signals.is_empty() && !standing.tainted && risk_score == standing.risk_score {
            return Ok(());
        }
        let codes: Vec<&str> = signals.iter().map(|s| s.code.as_str()).collect();
        let body = serde_json::json!({"score": risk_score, "signals": codes});
        let write = Write::Standing { risk_score, tainted: false };
        if signals.is_empty() {
            // It only gets milder: that may wait for the boundary that accepts the turn, whose
            // ruling still names the harder standing.
            self.book.audit(AuditEntry::new("session.risk", body));
            self.book.write(write);
            return Ok(());
        }
        let boundary = Boundary::new(Point::P).write(write).entry("session.risk", body);
        room.deps.store.append(&self.writer(), boundary).await?;
        Ok(())
    }

    /// What this turn goes on with came from outside: no write of it runs unasked.
    pub async fn taint(&mut self) -> Result<(), Down> {
        let standing = self.room.deps.store.standing(self.row.id).await?;
        if standing.tainted {
            return Ok(());
        }
        let write = Write::Standing { risk_score: standing.risk_score, tainted: true };
        let boundary = Boundary::new(Point::P)
            .write(write)
            .entry("session.tainted", serde_json::json!({"session": self.row.id}));
        self.room.deps.store.append(&self.writer(), boundary).await?;
        Ok(())
    }

    pub fn skipped_of(&self, execution: ExecutionId) -> BTreeSet<StepId> {
        let own = self.skipped.iter().filter(|(of, _)| *of == execution);
        own.map(|(_, step)| step.clone()).collect()
    }

    pub fn touch(&mut self) {
        self.touched = Instant::now();
    }

    /// Nothing in progress and nobody waiting: the journal is enough.
    /// One that has not come back in time never will: its hold is healed when this is restored.
    pub fn is_trying(&self) -> bool {
        self.trying.is_some_and(|(_, until)| Instant::now() < until)
    }

    pub fn may_rest(&self) -> bool {
        let idle = self.touched.elapsed() >= self.room.config.idle;
        idle && self.turn.is_none()
            && !self.is_trying()
            && self.queue.is_empty()
            && self.run.is_none()
            && self.waiting.is_empty()
    }

    pub fn fresh_turn(&mut self) -> TurnId {
        let id = clock::fresh();
        self.turn = Some(Turn::new(id, &self.row));
        id
    }
}

fn bound<K: Ord + Clone, V>(kept: &mut BTreeMap<K, V>) {
    while kept.len() >= KEPT_MAX {
        kept.pop_first();
    }
}
