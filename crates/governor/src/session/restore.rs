//! A session from its journal: the same path after a crash, a rest and a fault.

use crate::{
    audit, clock, reply_kind,
    run::SKIPPED,
    runtime::Runtime,
    session::{
        Conversation, Journal, Request, Session, SessionFault, SessionWriter, Turn, Work,
        execution::{end_orphans, resume_run},
        question::put_again,
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
use wiiiv_store::{AttemptRow, ExecutionState, JOURNAL_PAGE_MAX, Point, SessionRow, Store};

/// Events before the replay that are read for history.
const TALK_EVENTS_MAX: u64 = 200;
/// Events before those that are read for what was tried, where they do not reach as far back as attempts are
/// compared.
const ATTEMPT_EVENTS_MAX: u64 = JOURNAL_PAGE_MAX;

/// The result of a replay, beside the session.
#[derive(Default)]
struct Replayed {
    /// The turn that has not ended.
    open: Option<TurnId>,
    /// What was shown, by its drawing.
    asked: BTreeMap<BlueprintId, BlueprintDigest>,
    /// The last input asks a question that was not put.
    unput: bool,
    /// The last turn proposes an earlier request once more.
    tries_again: bool,
    /// The last turn is a yes that nothing followed from: others have to join it.
    joins: bool,
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
    let records = Records::new(runtime.clone(), &row);
    let journal = Journal::new(row, records, writer, quiet);
    let (conversation, work) = (Conversation::default(), Work::default());
    let mut session = Session { runtime, inbox, journal, conversation, work, flow };
    session.work.has_run = has_run;
    session.work.touch();
    session.work.systems = session.journal.records.systems().await?;
    recall_attempts(&mut session, &events).await?;
    let replayed = replay(&mut session, events, from);
    session.conversation.resume_in(replayed.language.unwrap_or(Lang::En));
    session.work.turn = replayed.open.map(|turn| {
        let mut turn = Turn::new(turn, &session.journal.row);
        turn.tries_again = replayed.tries_again;
        if replayed.joins {
            turn.outcome = "pending";
        }
        turn
    });
    // Of two drawings of one plan the newest is kept.
    for (blueprint, digest) in replayed.asked.into_iter().rev() {
        if task_position::asks_about(&session.flow, (blueprint, digest)) {
            session.work.plan(&session.journal.records, blueprint, digest).await?;
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

/// What was tried before these events.
async fn recall_attempts(
    session: &mut Session,
    events: &[(u64, SessionEvent)],
) -> Result<(), SessionFault> {
    let Some((first, oldest)) = events.first() else { return Ok(()) };
    let runtime = session.runtime.clone();
    let rules = runtime.deps.keeper.risk_rules();
    if *first == 1 || clock::now().since_ms(oldest.at) > rules.escalation_window_ms() {
        return Ok(());
    }
    let from = first.saturating_sub(ATTEMPT_EVENTS_MAX).max(1);
    let before = runtime.deps.store.journal_page(session.journal.row.id, from, first - from);
    for (_, event) in before.await? {
        session.work.conduct.replay(rules, &event);
    }
    Ok(())
}

const fn tries_again(effect: &FlowEffect) -> bool {
    matches!(effect, FlowEffect::Propose { why: Why::Recall { recall: Recall::Again }, .. })
}

/// A question without an approval.
const fn asks(effect: &FlowEffect) -> bool {
    matches!(effect, FlowEffect::Ask { .. } | FlowEffect::ConfirmWorkOrder { .. })
}

/// Events before `from` give history and language only; the flow's replay begins there.
fn replay(session: &mut Session, events: Vec<(u64, SessionEvent)>, from: u64) -> Replayed {
    let mut replayed = Replayed::default();
    let runtime = session.runtime.clone();
    let rules = runtime.deps.keeper.risk_rules();
    let mut begun = false;
    if events.first().is_some_and(|(seq, _)| *seq > 1) {
        session.conversation.begin_late();
    }
    for (seq, event) in events {
        session.work.conduct.replay(rules, &event);
        session.conversation.sight.replay(seq, &event.body);
        // The end of a turn whose beginning is not read is no history: what its model had read stands there.
        begun |= matches!(event.body, EventBody::TurnAccepted { .. });
        if begun {
            session.conversation.note(&event.body);
        }
        if seq >= from {
            replay_event(session, &mut replayed, seq, event);
            continue;
        }
        session.conversation.take_shown();
        if let EventBody::TurnAccepted { user, text, language, .. } = &event.body {
            note_old(session, &mut replayed, *user, text, language);
        } else if let EventBody::Input { input, memories, .. } = &event.body {
            session.conversation.read.extend([memories]);
            session.conversation.note_wish(input, None);
        }
    }
    replayed
}

/// Before version 2 a decision's reason stood here too; it is no message.
fn note_old(
    session: &mut Session,
    replayed: &mut Replayed,
    user: UserId,
    text: &str,
    language: &str,
) {
    replayed.language = Lang::parse(language);
    session.conversation.note_message(user, session.journal.row.owner, text);
}

fn replay_event(session: &mut Session, replayed: &mut Replayed, seq: u64, event: SessionEvent) {
    match event.body {
        EventBody::TurnAccepted { user, text, language, decision } => {
            // A decision beside a turn in progress is over with the commit that records it.
            if decision.is_none() || replayed.open.is_none() {
                (replayed.open, replayed.tries_again) = (Some(event.turn), false);
                let tally = decision.and_then(|note| note.tally);
                replayed.joins = tally.is_some_and(|tally| tally.given < tally.approvers);
            }
            session.conversation.take_shown();
            note_old(session, replayed, user, &text, &language);
        }
        EventBody::Input { input, state, memories, .. } => {
            session.conversation.read.extend([&memories]);
            if replayed.differed.is_some() {
                return;
            }
            let stepped = session.stepped((*input).clone());
            replayed.unput = stepped.effects.iter().any(asks);
            replayed.tries_again |= stepped.effects.iter().any(tries_again);
            // Another build decided otherwise: its work is not continued.
            if stepped.next.hash() == state {
                session.flow = stepped.next;
                session.conversation.note_wish(&input, session.flow.active().as_ref());
            } else {
                replayed.differed = Some(seq);
                session.journal.quiet.differed();
                session.flow = FlowState::new(session.journal.row.salt);
            }
        }
        EventBody::Asked { .. } => replayed.unput = false,
        EventBody::Previewed { blueprint, digest, .. } => {
            replayed.asked.insert(blueprint, digest);
        }
        EventBody::StepFinished { execution, step, code, .. } if code == SKIPPED => {
            session.work.skipped.insert((execution, step));
        }
        EventBody::TurnEnded { .. } => {
            replayed.open.take_if(|open| *open == event.turn);
        }
        // A question that was shown again is the last preview again.
        EventBody::Replied { reply, .. } => {
            if let Some(digest) = reply_kind::shows(&reply, &session.flow) {
                session.conversation.show(digest);
            }
        }
        EventBody::StepStarted { .. }
        | EventBody::StepFinished { .. }
        | EventBody::RiskCleared { .. }
        | EventBody::ApprovalRevoked { .. } => {}
    }
}

/// Continues interrupted work. A decision is carried out; a model's answer is asked for by the
/// user again.
pub async fn go_on(session: &mut Session, unput: bool) -> Result<(), SessionFault> {
    end_orphans(session).await?;
    let (store, row) = (&session.runtime.deps.store, &session.journal.row);
    if task_position::is_busy(&session.flow) && !store.is_at_work(row.owner, row.project).await? {
        // The owner's account or membership ended while the server was down.
        session.shut_down(&BTreeSet::new()).await?;
        return end_orphans(session).await;
    }
    let execution = task_position::current_run(&session.flow);
    match session.flow.name() {
        StateName::Running => match execution {
            Some(execution) if session.work.run.is_none() => {
                go_on_running(session, execution).await
            }
            Some(_) | None => Ok(()),
        },
        // A job that began in the last committed boundary, or a decision. Personas that were asked
        // are asked again: what they said is not on record.
        StateName::Authorizing | StateName::Deliberating | StateName::Drawing => {
            let Some(effect) = interrupted(&session.flow) else { return Ok(()) };
            let turn = session.work.open_turn(&mut session.journal);
            session.follow(turn, vec![effect]).await
        }
        StateName::Proposing => {
            let Some(turn) = session.flow.proposing() else { return Ok(()) };
            session.work.turn.get_or_insert_with(|| Turn::new(turn, &session.journal.row));
            let outcome = ProposalOutcome::Failed { failure: ProposalFailure::Unavailable };
            session.feed(turn, FlowInput::Proposed { turn, outcome }).await
        }
        StateName::Interviewing | StateName::ConfirmingWorkOrder if unput => {
            let turn = session.work.open_turn(&mut session.journal);
            put_again(session, turn).await?;
            session.rest().await
        }
        StateName::Listening
        | StateName::Interviewing
        | StateName::ConfirmingWorkOrder
        | StateName::Confirming
        | StateName::AwaitingApproval
        | StateName::Queued => end_interrupted(session).await,
    }
}

/// The effect that the flow waits for.
fn interrupted(flow: &FlowState) -> Option<FlowEffect> {
    if let Some((blueprint, digest)) = flow.authorizing() {
        return Some(FlowEffect::Authorize { blueprint, digest });
    }
    let (task, spec) = (flow.active()?.id, flow.spec()?);
    let draws = flow.name() == StateName::Drawing;
    Some(if draws {
        FlowEffect::Draw { task, spec }
    } else {
        FlowEffect::Deliberate { task, spec }
    })
}

/// A run with a step in doubt waits for a person.
async fn go_on_running(session: &mut Session, execution: ExecutionId) -> Result<(), SessionFault> {
    let row = session.journal.records.store().execution(execution).await?;
    let waits = row.is_some_and(|row| row.state == ExecutionState::Indeterminate);
    let attempts = session.journal.records.attempts(execution).await?;
    // The last attempt of each step.
    let last: BTreeMap<_, _> = attempts.iter().map(|row| (&row.step, row)).collect();
    if waits && last.into_values().any(AttemptRow::in_doubt) {
        session.work.in_doubt = Some(execution);
        return end_interrupted(session).await;
    }
    resume_run(session, execution).await
}

async fn end_interrupted(session: &mut Session) -> Result<(), SessionFault> {
    if let Some(turn) = session.work.turn.take() {
        let outcome = if turn.outcome == "pending" { "pending" } else { "error" };
        session.end(&turn, outcome).await?;
    }
    session.flush(Point::P).await
}
