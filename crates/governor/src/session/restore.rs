//! A session from its journal: the same path after a crash, a rest and a fault.

use crate::{
    audit, kept, reply,
    run::SKIPPED,
    session::{
        actor::{SessionActor, SessionArgs},
        book::Book,
        place,
        recall::Last,
        state::{Down, Session},
        turn::Turn,
    },
};
use kameo::actor::WeakActorRef;
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    time::Instant,
};
use wiiiv_domain::{
    Amount, BlueprintDigest, BlueprintId, EventBody, ExecutionId, FlowEffect, FlowInput, Lang,
    ProposalFailure, ProposalOutcome, SessionEvent, TurnId, UserId,
};
use wiiiv_flow::{FlowState, StateName};
use wiiiv_store::{AttemptRow, ExecutionState};

/// Events before the replay that are read for what was said.
const TALK_EVENTS_MAX: u64 = 200;

/// What replaying the journal gives.
#[derive(Default)]
struct Replayed {
    /// The turn that has not ended.
    open: Option<TurnId>,
    shown: Option<BlueprintDigest>,
    expired: Option<BlueprintDigest>,
    asked: BTreeMap<BlueprintDigest, BlueprintId>,
    /// The last input asks something of a person, and nothing was put.
    unput: bool,
    korean: bool,
    differed: Option<u64>,
}

pub async fn restore(args: SessionArgs, me: WeakActorRef<SessionActor>) -> Result<Session, Down> {
    let store = args.room.deps.store.clone();
    let row = store.session(args.session).await?;
    let row = row.ok_or_else(|| Down(format!("session `{}` is missing", args.session)))?;
    let lease = store.lease(row.id).await?;
    store.heal_session(&lease).await?;
    let from = store.replay_from(row.id).await?;
    let earlier = from.saturating_sub(TALK_EVENTS_MAX).max(1);
    let journal = store.journal(row.id, earlier).await?;
    let has_run = store.has_succeeded(row.id).await?;
    let mut session = Session {
        room: args.room,
        me,
        flow: FlowState::new(row.salt),
        row,
        lease,
        book: Book::default(),
        turn: None,
        queue: VecDeque::new(),
        waiting: VecDeque::new(),
        history: VecDeque::new(),
        language: Lang::Ko,
        spoken: None,
        verdicts: BTreeMap::new(),
        plans: BTreeMap::new(),
        shown: None,
        asking: false,
        asked: None,
        unput: false,
        foreign: false,
        expired: None,
        run: None,
        permit: None,
        in_doubt: None,
        trying: None,
        has_run,
        skipped: BTreeSet::new(),
        systems: std::sync::Arc::default(),
        with_credential: std::sync::Arc::default(),
        claimed: Amount::ZERO,
        filled: None,
        last: Last::default(),
        judged_at: None,
        touched: Instant::now(),
    };
    session.look_at_systems().await?;
    let mut replayed = Replayed::default();
    for (seq, event) in journal {
        if seq < from {
            recall(&mut session, &mut replayed, event.body);
        } else {
            replay(&mut session, &mut replayed, seq, event);
        }
    }
    session.language = if replayed.korean { Lang::Ko } else { Lang::En };
    // The language of a turn is that of the conversation, once it has one.
    session.spoken = (!session.history.is_empty()).then_some(session.language);
    session.shown = replayed.shown;
    session.expired = replayed.expired;
    session.unput = replayed.unput;
    session.turn = replayed.open.map(|turn| Turn::new(turn, &session.row));
    for (digest, blueprint) in replayed.asked {
        if place::asks_about(&session.flow, digest) {
            session.plan(blueprint, digest).await?;
        }
    }
    if let Some(seq) = replayed.differed {
        session.book.audit(audit::replay_differed(seq));
    }
    Ok(session)
}

/// What was said before the flow's own journal begins: the model's history, and the language.
fn recall(session: &mut Session, replayed: &mut Replayed, event: EventBody) {
    match event {
        EventBody::TurnAccepted { user, text, language, decision: _ } => {
            replayed.korean = language == "ko";
            recall_message(session, user, &text);
        }
        EventBody::Replied { reply: code, text, foreign } => {
            replayed.expired = reply::expired(&code);
            session.said(false, &kept::reply(&code, &text, foreign));
            session.note_end(&code);
        }
        EventBody::Asked { message, text, foreign, .. } => {
            replayed.expired = None;
            session.said(false, &kept::question(&message, &text, foreign));
        }
        EventBody::Previewed { text, .. } => {
            replayed.expired = None;
            session.said(false, kept::sentences(&text));
        }
        EventBody::Input { input, .. } => session.note_wish(&input),
        EventBody::StepStarted { .. }
        | EventBody::StepFinished { .. }
        | EventBody::TurnEnded { .. } => {}
    }
}

/// Before version 2 the reason of somebody else's decision stood there too: it is no message.
fn recall_message(session: &mut Session, user: UserId, text: &str) {
    if user == session.row.owner {
        session.said(true, text);
    }
}

fn replay(session: &mut Session, replayed: &mut Replayed, seq: u64, event: SessionEvent) {
    match event.body {
        EventBody::TurnAccepted { user, text, language, decision: _ } => {
            replayed.open = Some(event.turn);
            replayed.shown = None;
            replayed.korean = language == "ko";
            recall_message(session, user, &text);
        }
        EventBody::Input { input, state } => {
            if replayed.differed.is_some() {
                return;
            }
            let limits = session.room.config.flow;
            let (next, effects) = wiiiv_flow::step(&limits, &session.flow, (*input).clone());
            replayed.unput = effects.iter().any(asks);
            // A build that decides otherwise does not go on with what another one began.
            if next.hash() == state {
                session.flow = next;
                session.note_wish(&input);
            } else {
                replayed.differed = Some(seq);
                session.flow = FlowState::new(session.row.salt);
            }
        }
        EventBody::Replied { reply: code, text, foreign } => {
            replayed.shown = None;
            replayed.expired = reply::expired(&code);
            session.said(false, &kept::reply(&code, &text, foreign));
            session.note_end(&code);
        }
        EventBody::Asked { message, text, foreign, .. } => {
            (replayed.shown, replayed.expired, replayed.unput) = (None, None, false);
            session.said(false, &kept::question(&message, &text, foreign));
        }
        EventBody::Previewed { blueprint, digest, text, .. } => {
            (replayed.shown, replayed.expired) = (Some(digest), None);
            replayed.asked.insert(digest, blueprint);
            session.said(false, kept::sentences(&text));
        }
        EventBody::StepFinished { execution, step, code, .. } if code == SKIPPED => {
            session.skipped.insert((execution, step));
        }
        EventBody::StepStarted { .. } | EventBody::StepFinished { .. } => {}
        EventBody::TurnEnded { .. } => {
            if replayed.open == Some(event.turn) {
                replayed.open = None;
            }
        }
    }
}

/// It puts a question that no approval is kept of.
const fn asks(effect: &FlowEffect) -> bool {
    matches!(effect, FlowEffect::Ask { .. } | FlowEffect::ConfirmWorkOrder { .. })
}

impl Session {
    /// Goes on with what was interrupted. What had been decided happens; what had only been asked
    /// of a model is asked of the user again.
    pub async fn go_on(&mut self) -> Result<(), Down> {
        self.end_orphans().await?;
        if place::is_busy(&self.flow) && !self.is_at_work().await? {
            // The server ended before it was told, or the person is no member any more.
            self.shut(&BTreeSet::new()).await?;
            return self.end_orphans().await;
        }
        let execution = self.current_run();
        match self.flow.name() {
            StateName::Authorizing => self.go_on_authorizing().await,
            StateName::Running => match execution {
                Some(execution) if self.run.is_none() => self.go_on_running(execution).await,
                Some(_) | None => Ok(()),
            },
            StateName::Deliberating => self.go_on_deliberating().await,
            StateName::Drawing => self.go_on_drawing().await,
            StateName::Proposing => self.go_on_proposing().await,
            StateName::Interviewing | StateName::ConfirmingWorkOrder if self.unput => {
                let turn = self.open_turn();
                self.put_again(turn).await?;
                self.rest().await
            }
            StateName::Listening
            | StateName::Interviewing
            | StateName::ConfirmingWorkOrder
            | StateName::Confirming
            | StateName::AwaitingApproval
            | StateName::Queued => self.end_interrupted().await,
        }
    }

    async fn is_at_work(&self) -> Result<bool, Down> {
        Ok(self.room.deps.store.is_at_work(self.row.owner, self.row.project).await?)
    }

    async fn go_on_authorizing(&mut self) -> Result<(), Down> {
        let Some((blueprint, digest)) = self.flow.authorizing() else { return Ok(()) };
        let turn = self.open_turn();
        for input in self.authorize(turn, blueprint, digest).await? {
            self.feed(turn, input).await?;
        }
        self.rest().await
    }

    /// The next of several jobs was begun by an input that was journalled before it was followed.
    async fn go_on_deliberating(&mut self) -> Result<(), Down> {
        let task = self.flow.active().map(|task| task.id);
        let (Some(task), Some(spec)) = (task, self.flow.spec()) else { return Ok(()) };
        let turn = self.open_turn();
        for input in self.deliberate(task, &spec).await? {
            self.feed(turn, input).await?;
        }
        Ok(())
    }

    async fn go_on_drawing(&mut self) -> Result<(), Down> {
        let task = self.flow.active().map(|task| task.id);
        let (Some(task), Some(spec)) = (task, self.flow.spec()) else { return Ok(()) };
        let turn = self.open_turn();
        crate::session::draw::start(self, turn, task, spec).await
    }

    async fn go_on_proposing(&mut self) -> Result<(), Down> {
        let Some(turn) = self.flow.proposing() else { return Ok(()) };
        self.turn.get_or_insert_with(|| Turn::new(turn, &self.row));
        let outcome = ProposalOutcome::Failed { failure: ProposalFailure::Unavailable };
        self.feed(turn, FlowInput::Proposed { turn, outcome }).await
    }

    /// A run that waits for a person's word goes on waiting.
    async fn go_on_running(&mut self, execution: ExecutionId) -> Result<(), Down> {
        let store = self.room.deps.store.clone();
        let row = store.execution(execution).await?;
        let waits = row.is_some_and(|row| row.state == ExecutionState::Indeterminate);
        let attempts = store.attempts(execution).await?;
        // In order: of each step the last one stays.
        let last: BTreeMap<_, _> = attempts.iter().map(|row| (&row.step, row)).collect();
        if waits && last.into_values().any(AttemptRow::in_doubt) {
            self.in_doubt = Some(execution);
            return self.end_interrupted().await;
        }
        self.resume_run(execution).await
    }

    async fn end_interrupted(&mut self) -> Result<(), Down> {
        if let Some(turn) = self.turn.take() {
            self.end(&turn, "error").await?;
        }
        if self.book.is_empty() { Ok(()) } else { self.flush(wiiiv_store::Point::P).await }
    }

    /// The turn that was interrupted, or one of its own.
    fn open_turn(&mut self) -> TurnId {
        match &self.turn {
            Some(turn) => turn.id,
            None => self.fresh_turn(),
        }
    }
}
