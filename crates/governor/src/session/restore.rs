//! A session from its journal: the same path after a crash, a rest and a fault.

use crate::{
    audit, reply_kind,
    run::SKIPPED,
    runtime::Runtime,
    session::{
        Conversation, Journal, Request, Session, SessionFault, SessionWriter, Turn, Work,
        quiet::{self, QuietPoint},
        records::Records,
        task_position,
    },
};
use kameo::actor::WeakRecipient;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use wiiiv_domain::{
    BlueprintDigest, BlueprintId, EventBody, ExecutionId, FlowEffect, FlowInput, Lang,
    ProposalFailure, ProposalOutcome, Recall, SessionEvent, SessionId, TurnId, UserId, Why,
};
use wiiiv_flow::{FlowState, StateName};
use wiiiv_store::{AttemptRow, ExecutionState, Point, SessionRow, Store};

/// Events before the replay that are read for history.
const TALK_EVENTS_MAX: u64 = 200;

/// The result of a replay, beside the session.
#[derive(Default)]
struct Replayed {
    /// The turn that has not ended.
    open: Option<TurnId>,
    asked: BTreeMap<BlueprintDigest, BlueprintId>,
    /// The last input asks a question that was not put.
    unput: bool,
    /// The last turn proposes an earlier request once more.
    tries_again: bool,
    language: Option<Lang>,
    differed: Option<u64>,
}

/// `true`: a crash came before a question was put.
pub async fn restore(
    runtime: Arc<Runtime>,
    id: SessionId,
    inbox: WeakRecipient<Request>,
) -> Result<(Session, bool), SessionFault> {
    let store = runtime.deps.store.clone();
    let missing = || SessionFault::other(format!("session `{id}` is missing"));
    let row = store.session(id).await?.ok_or_else(missing)?;
    let lease = store.lease(id).await?;
    store.recover_session(&lease).await?;
    let Beginning { from, flow, events, differed } = beginning(&store, &row).await?;
    let has_run = store.has_succeeded(id).await?;
    let newest = events.last().map_or(0, |(seq, _)| *seq);
    let quiet = QuietPoint::new(from, newest, differed.is_none().then(|| flow.refused().clone()));
    let writer = SessionWriter::new(store.clone(), runtime.hub.clone(), lease);
    let records = Records::new(store, &row);
    let journal = Journal::new(row, records, writer, quiet);
    let (conversation, work) = (Conversation::default(), Work::default());
    let mut session = Session { runtime, inbox, journal, conversation, work, flow };
    session.work.has_run = has_run;
    session.work.touch();
    session.look_at_systems().await?;
    let replayed = session.replay(events, from);
    session.conversation.resume_in(replayed.language.unwrap_or(Lang::En));
    session.work.turn = replayed.open.map(|turn| {
        let mut turn = Turn::new(turn, &session.journal.row);
        turn.tries_again = replayed.tries_again;
        turn
    });
    for (digest, blueprint) in replayed.asked {
        if task_position::asks_about(&session.flow, digest) {
            session.plan(blueprint, digest).await?;
        }
    }
    for seq in [differed, replayed.differed].into_iter().flatten() {
        session.journal.audit(audit::replay_differed(seq));
    }
    Ok((session, replayed.unput))
}

/// What a replay begins with: its first event's number, the state before it, and all that is read.
struct Beginning {
    from: u64,
    flow: FlowState,
    events: Vec<(u64, SessionEvent)>,
    /// Where it was to begin, if the journal tells of another state there: everything is replayed.
    differed: Option<u64>,
}

async fn beginning(store: &Store, row: &SessionRow) -> Result<Beginning, SessionFault> {
    let start = store.replay_start(row.id).await?;
    let first = start.from.saturating_sub(TALK_EVENTS_MAX).max(1);
    let events = store.journal(row.id, first).await?;
    if let Some(flow) = quiet::begun(row.salt, &start, (first, &events)) {
        return Ok(Beginning { from: start.from, flow, events, differed: None });
    }
    let events = if first == 1 { events } else { store.journal(row.id, 1).await? };
    let (flow, differed) = (FlowState::new(row.salt), Some(start.from));
    Ok(Beginning { from: 1, flow, events, differed })
}

const fn tries_again(effect: &FlowEffect) -> bool {
    matches!(effect, FlowEffect::Propose { why: Why::Recall { recall: Recall::Again }, .. })
}

/// A question without an approval.
const fn asks(effect: &FlowEffect) -> bool {
    matches!(effect, FlowEffect::Ask { .. } | FlowEffect::ConfirmWorkOrder { .. })
}

impl Session {
    /// Events before `from` give history and language only; the flow's replay begins there.
    fn replay(&mut self, events: Vec<(u64, SessionEvent)>, from: u64) -> Replayed {
        let mut replayed = Replayed::default();
        for (seq, event) in events {
            self.conversation.sight.replay(seq, &event.body);
            self.conversation.note(&event.body);
            if seq >= from {
                self.replay_event(&mut replayed, seq, event);
                continue;
            }
            self.conversation.take_shown();
            if let EventBody::TurnAccepted { user, text, language, .. } = &event.body {
                self.note_old(&mut replayed, *user, text, language);
            } else if let EventBody::Input { input, .. } = &event.body {
                self.conversation.note_wish(input, None);
            }
        }
        replayed
    }

    /// Before version 2 a decision's reason stood here too; it is no message.
    fn note_old(&mut self, replayed: &mut Replayed, user: UserId, text: &str, language: &str) {
        replayed.language = Lang::parse(language);
        if user == self.journal.row.owner {
            self.conversation.note_message(text);
        }
    }

    fn replay_event(&mut self, replayed: &mut Replayed, seq: u64, event: SessionEvent) {
        match event.body {
            EventBody::TurnAccepted { user, text, language, decision: _ } => {
                (replayed.open, replayed.tries_again) = (Some(event.turn), false);
                self.conversation.take_shown();
                self.note_old(replayed, user, &text, &language);
            }
            EventBody::Input { input, state } => {
                if replayed.differed.is_some() {
                    return;
                }
                let stepped = self.stepped((*input).clone());
                replayed.unput = stepped.effects.iter().any(asks);
                replayed.tries_again |= stepped.effects.iter().any(tries_again);
                // Another build decided otherwise: its work is not continued.
                if stepped.next.hash() == state {
                    self.flow = stepped.next;
                    self.conversation.note_wish(&input, self.flow.active().as_ref());
                } else {
                    replayed.differed = Some(seq);
                    self.journal.quiet.differed();
                    self.flow = FlowState::new(self.journal.row.salt);
                }
            }
            EventBody::Asked { .. } => replayed.unput = false,
            EventBody::Previewed { blueprint, digest, .. } => {
                replayed.asked.insert(digest, blueprint);
            }
            EventBody::StepFinished { execution, step, code, .. } if code == SKIPPED => {
                self.work.skipped.insert((execution, step));
            }
            EventBody::TurnEnded { .. } => {
                replayed.open.take_if(|open| *open == event.turn);
            }
            // A question that was shown again is the last preview again.
            EventBody::Replied { reply, .. } => {
                if let Some(digest) = reply_kind::shows(&reply, &self.flow) {
                    self.conversation.show(digest);
                }
            }
            EventBody::StepStarted { .. } | EventBody::StepFinished { .. } => {}
        }
    }

    /// Continues interrupted work. A decision is carried out; a model's answer is asked for by the
    /// user again.
    pub async fn go_on(&mut self, unput: bool) -> Result<(), SessionFault> {
        self.end_orphans().await?;
        if task_position::is_busy(&self.flow) && !self.is_at_work().await? {
            // The owner's account or membership ended while the server was down.
            self.shut_down(&BTreeSet::new()).await?;
            return self.end_orphans().await;
        }
        let execution = self.current_run();
        match self.flow.name() {
            StateName::Authorizing => self.go_on_authorizing().await,
            StateName::Running => match execution {
                Some(execution) if self.work.run.is_none() => self.go_on_running(execution).await,
                Some(_) | None => Ok(()),
            },
            StateName::Deliberating | StateName::Drawing => self.go_on_with_spec().await,
            StateName::Proposing => self.go_on_proposing().await,
            StateName::Interviewing | StateName::ConfirmingWorkOrder if unput => {
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

    async fn is_at_work(&self) -> Result<bool, SessionFault> {
        let row = &self.journal.row;
        Ok(self.runtime.deps.store.is_at_work(row.owner, row.project).await?)
    }

    async fn go_on_authorizing(&mut self) -> Result<(), SessionFault> {
        let Some((blueprint, digest)) = self.flow.authorizing() else { return Ok(()) };
        let turn = self.open_turn();
        self.follow(turn, vec![FlowEffect::Authorize { blueprint, digest }]).await
    }

    /// A job that began in the last committed boundary.
    async fn go_on_with_spec(&mut self) -> Result<(), SessionFault> {
        let task = self.flow.active().map(|task| task.id);
        let (Some(task), Some(spec)) = (task, self.flow.spec()) else { return Ok(()) };
        let turn = self.open_turn();
        if self.flow.name() == StateName::Drawing {
            return self.draw(turn, task, spec).await;
        }
        let verdict = self.deliberate(task, &spec).await?;
        self.feed(turn, verdict).await
    }

    async fn go_on_proposing(&mut self) -> Result<(), SessionFault> {
        let Some(turn) = self.flow.proposing() else { return Ok(()) };
        self.work.turn.get_or_insert_with(|| Turn::new(turn, &self.journal.row));
        let outcome = ProposalOutcome::Failed { failure: ProposalFailure::Unavailable };
        self.feed(turn, FlowInput::Proposed { turn, outcome }).await
    }

    /// A run with a step in doubt waits for a person.
    async fn go_on_running(&mut self, execution: ExecutionId) -> Result<(), SessionFault> {
        let row = self.journal.records.execution(execution).await?;
        let waits = row.is_some_and(|row| row.state == ExecutionState::Indeterminate);
        let attempts = self.journal.records.attempts(execution).await?;
        // The last attempt of each step.
        let last: BTreeMap<_, _> = attempts.iter().map(|row| (&row.step, row)).collect();
        if waits && last.into_values().any(AttemptRow::in_doubt) {
            self.work.in_doubt = Some(execution);
            return self.end_interrupted().await;
        }
        self.resume_run(execution).await
    }

    async fn end_interrupted(&mut self) -> Result<(), SessionFault> {
        if let Some(turn) = self.work.turn.take() {
            self.end(&turn, "error").await?;
        }
        self.flush(Point::P).await
    }
}
