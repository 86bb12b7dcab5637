//! Whether documents are looked through for a turn, and the search. The type of the task alone decides, once a turn: that
//! of the active task, else the one that the rules read in the message; or, where the model first names such a type, its
//! answer is put aside and asked for once more with what was found. A search is done in a task of its own; where it fails
//! or takes too long, the turn goes on without it and says so.
//!
//! INVARIANT: a turn that looks through none reads nothing of the store for it, and writes nothing.

use crate::{
    documents::{DocumentError, EmbedTexts, FoundPassages, MadeVectors, NotCompared, search},
    runtime::Runtime,
    session::{
        EmbedRequest, ModelChoice, Request, SentCall, Session, SessionFault,
        consultation::{Asker, Consultation, FirstAnswer, Postponed, SearchFailure, Searched},
    },
    telemetry,
    turn_documents::{ShownPassages, TurnDocuments},
};
use kameo::actor::WeakRecipient;
use std::sync::Arc;
use tokio::{sync::oneshot, time::timeout};
use tracing::Instrument as _;
use wiiiv_context::{PASSAGES_DEFAULT, Prompt};
use wiiiv_domain::{
    Action, EventBody, ProjectPolicy, Proposal, ReplyCode, TaskType, TaskTypes, TurnId, Why,
};
use wiiiv_store::Point;

/// Of what is searched for, in Unicode scalar values: a question stands at the beginning of a message.
const QUERY_CHARS_MAX: usize = 1_000;

/// Before the model has spoken: by the active task's type, else by what the rules read.
pub fn comes_first(session: &Session, choice: &ModelChoice, rules: &ProjectPolicy) -> bool {
    let active = session.flow.active().map(|task| task.task_type);
    let asker = session.work.turn.as_ref().and_then(|turn| turn.asker.as_ref());
    let task_type = active.or(asker.and_then(|asker| asker.task_type));
    task_type.is_some_and(|named| puts_aside(session, choice, rules).has(named))
}

/// The types that documents are looked through for, if a model is the first to name one of them; none where they were
/// already. The built-in model reads no passage.
pub fn puts_aside(session: &Session, choice: &ModelChoice, rules: &ProjectPolicy) -> TaskTypes {
    const NONE: TaskTypes = TaskTypes::of(&[]);
    let (runtime, turn) = (&session.runtime, session.work.turn.as_ref());
    let open = turn.filter(|turn| matches!(turn.consultation, Consultation::NotYet));
    let Some(asker) = open.and_then(|turn| turn.asker.as_ref()) else { return NONE };
    if !matches!(choice.why, Why::Message) || rules.llm_provider.is_built_in() {
        return NONE;
    }
    let can_be_done = |of: TaskType| of.is_talk() || runtime.config.flow.drawable.has(of);
    let consults = |of: &TaskType| rules.consults_documents(*of) && can_be_done(*of);
    let types: Vec<TaskType> = TaskType::ALL.into_iter().filter(consults).collect();
    // Where none consults documents, nothing is asked of the library.
    if types.is_empty() || !asker.has_documents(runtime) { NONE } else { TaskTypes::of(&types) }
}

/// A proposal of such a type, whose model had seen no passage. What is dropped or answered from the record needs none.
pub fn comes_late(sent: &SentCall, proposal: &Proposal) -> bool {
    let needs_none = proposal.action == Action::Cancel || proposal.action.recall().is_some();
    !needs_none && sent.puts_aside.has(proposal.task_type)
}

/// Puts the answer aside. Its call is on record, and its hold is released before the next ruling.
pub async fn put_aside(session: &mut Session, first: FirstAnswer) -> Result<(), SessionFault> {
    session.flush(Point::T2).await?;
    let turn = first.sent.turn;
    let choice = ModelChoice { instead: None, ..first.sent.choice.clone() };
    look_through(session, turn, Postponed { choice, first: Some(Box::new(first)) });
    Ok(())
}

/// In a task of its own; what comes of it is a request.
pub fn look_through(session: &mut Session, turn: TurnId, postponed: Postponed) {
    let query = query(session);
    let Some(current) = session.work.turn.as_mut() else { return };
    let asker = current.asker.clone().unwrap_or_default();
    current.consultation = Consultation::Searching(Box::new(postponed));
    let (cancel, span) = (current.cancel.clone(), telemetry::documents(&current.span));
    let (runtime, inbox) = (session.runtime.clone(), session.inbox.clone());
    let searching = async move {
        let wait = runtime.config.documents.turn_wait;
        let found = tokio::select! {
            found = timeout(wait, passages((&runtime, &inbox), &asker, query)) => found,
            () = cancel.cancelled() => return,
        };
        let found = found.unwrap_or(Err(SearchFailure::Timeout));
        note(&found);
        if let Some(inbox) = inbox.upgrade() {
            let _ = inbox.tell(Request::Searched(Box::new(Searched { turn, found }))).await;
        }
    };
    tokio::spawn(searching.instrument(span));
}

/// `None`: none of the scopes has a document.
async fn passages(
    (runtime, inbox): (&Arc<Runtime>, &WeakRecipient<Request>),
    asker: &Asker,
    query: String,
) -> Result<Option<FoundPassages>, SearchFailure> {
    let why = |error: DocumentError| {
        tracing::warn!(%error, "documents cannot be looked through for a turn");
        SearchFailure::Unavailable
    };
    runtime.retrieval.wait_loaded().await.map_err(why)?;
    if query.trim().is_empty() || !asker.has_documents(runtime) {
        return Ok(None);
    }
    let wanted = (query, PASSAGES_DEFAULT);
    let ask = |texts| embedded(inbox.clone(), texts);
    let found = search(runtime, &asker.scopes, wanted, ask).await;
    found.map(Some).map_err(why)
}

/// By a call of this session, whose owner pays.
async fn embedded(
    inbox: WeakRecipient<Request>,
    wanted: EmbedTexts,
) -> Result<MadeVectors, NotCompared> {
    let (ack, made) = oneshot::channel();
    let request = Request::Embed(Box::new(EmbedRequest { wanted, ack }));
    let sent = match inbox.upgrade() {
        Some(inbox) => inbox.tell(request).await.is_ok(),
        None => false,
    };
    if !sent {
        return Err(NotCompared::Failed);
    }
    made.await.unwrap_or(Err(NotCompared::Failed))
}

/// On the span of the search.
fn note(found: &Result<Option<FoundPassages>, SearchFailure>) {
    match found {
        Ok(Some(found)) if found.relevant => telemetry::consulted("found", found.hits.len()),
        Ok(_) => telemetry::consulted("nothing", 0),
        Err(failure) => {
            tracing::warn!(?failure, "a turn goes on without documents");
            telemetry::consulted("failed", 0);
        }
    }
}

/// The message, and behind it what the active task has of it already.
fn query(session: &Session) -> String {
    let mut query = message(session).to_owned();
    if let Some(task) = session.flow.active() {
        for (_, value) in task.slots.iter() {
            query.push('\n');
            query.push_str(value);
        }
    }
    query.chars().take(QUERY_CHARS_MAX).collect()
}

/// The last one of the session's owner.
pub fn message(session: &Session) -> &str {
    let mut lines = session.conversation.history().iter().rev();
    lines.find(|line| line.by_user()).map_or("", |line| line.text.as_str())
}

/// To the person, in the place of passages.
pub fn tell_failure(session: &mut Session, turn: TurnId) {
    let text = session.text("documents.not_consulted", &[]);
    let reply = ReplyCode::Told { message: text.clone() };
    session.tell(turn, EventBody::replied(reply, text));
}

/// To the person, above an answer to a question that rests on no passage: what a model says of that may be left out or
/// made up.
pub fn tell_standing(session: &mut Session, sent: &SentCall, proposal: &Proposal, cites: bool) {
    if let Some(key) = standing(session, sent, proposal, cites) {
        let text = session.text(key, &[]);
        let reply = ReplyCode::Told { message: text.clone() };
        session.tell(sent.turn, EventBody::replied(reply, text));
    }
}

fn standing(
    session: &Session,
    sent: &SentCall,
    proposal: &Proposal,
    cites: bool,
) -> Option<&'static str> {
    let turn = session.work.turn.as_ref()?;
    let read = turn.asker.as_ref().and_then(|asker| asker.task_type);
    let is_question = [Some(proposal.task_type), read].contains(&Some(TaskType::Information));
    // The built-in understanding that stands in has seen no passage.
    if proposal.action != Action::Reply || !is_question || turn.degraded {
        return None;
    }
    match sent.documents.as_ref()?.found {
        0 => Some("documents.nothing_found"),
        _ => (!cites).then_some("documents.not_cited"),
    }
}

/// The built-in model reads no document: where it cannot answer a question, it says where the asker finds them.
pub fn point_to_documents(session: &Session, sent: &SentCall, proposal: &mut Proposal) {
    let turn = session.work.turn.as_ref();
    let stands_in = turn.is_some_and(|turn| turn.degraded);
    let asker = turn.and_then(|turn| turn.asker.as_ref());
    let has_documents = asker.is_some_and(|asker| asker.has_documents(&session.runtime));
    let knows_nothing = proposal.message == session.text("offline.no_knowledge", &[]);
    if (stands_in || sent.provider.is_built_in()) && knows_nothing && has_documents {
        proposal.message = session.text("offline.no_knowledge_of_documents", &[]);
    }
}

/// What was found for the turn in progress.
pub fn found(session: &Session) -> Option<&Arc<TurnDocuments>> {
    match &session.work.turn.as_ref()?.consultation {
        Consultation::Done(documents) => documents.as_ref(),
        Consultation::NotYet | Consultation::Searching(_) => None,
    }
}

/// What of it that prompt shows.
pub fn shown(session: &Session, prompt: &Prompt) -> Option<ShownPassages> {
    found(session).and_then(|documents| documents.shown_in(prompt))
}
