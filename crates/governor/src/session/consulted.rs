//! What was found in documents for a turn: its call is sent with it, or sent a second time.

use crate::{
    session::{
        Session, SessionFault,
        consult::{message, tell_failure},
        consultation::{Consultation, Postponed, Searched},
        model_answer::taken,
        model_call::ask_model,
    },
    turn_documents::TurnDocuments,
};
use std::sync::Arc;
use wiiiv_domain::TurnId;

/// One that nobody waits for any more counts for nothing.
pub async fn searched(session: &mut Session, searched: Searched) -> Result<(), SessionFault> {
    let Searched { turn, found } = searched;
    let question = message(session).to_owned();
    let current = session.work.turn.as_mut().filter(|current| current.id == turn);
    let Some(consultation) = current.map(|current| &mut current.consultation) else {
        return Ok(());
    };
    if !matches!(consultation, Consultation::Searching(_)) {
        return Ok(());
    }
    let failed = found.is_err();
    let documents = found.ok().flatten().map(|found| TurnDocuments::of(found, &question));
    let documents = documents.map(Arc::new);
    let done = Consultation::Done(documents.clone());
    let Consultation::Searching(postponed) = std::mem::replace(consultation, done) else {
        return Ok(());
    };
    if failed {
        tell_failure(session, turn);
    }
    go_on(session, turn, *postponed, documents.as_deref()).await
}

/// A second call only where it has something to show: passages, or to a question that there are none.
async fn go_on(
    session: &mut Session,
    turn: TurnId,
    Postponed { choice, first }: Postponed,
    documents: Option<&TurnDocuments>,
) -> Result<(), SessionFault> {
    if let Some(first) = first {
        let is_question = first.proposal.task_type.is_talk();
        if documents.is_none_or(|found| found.is_empty() && !is_question) {
            return taken(session, *first).await;
        }
        if let Some(current) = &mut session.work.turn {
            current.first_answer = Some(first);
        }
    }
    let Some(input) = ask_model(session, turn, choice).await? else { return Ok(()) };
    // Nobody could be asked: what was said first stands.
    let first = session.work.turn.as_mut().and_then(|turn| turn.first_answer.take());
    match first {
        Some(first) => {
            tell_failure(session, turn);
            taken(session, *first).await
        }
        None => session.feed(turn, input).await,
    }
}
