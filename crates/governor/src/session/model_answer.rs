//! A model's answer. An answer to another call than the one in flight is journalled and ignored.

use crate::{
    audit,
    session::{
        CallReport, ModelAnswer, ModelChoice, SentCall, Session, SessionFault, Turn, consult,
        consultation::FirstAnswer, model_call::ask_model, profile, second_look,
    },
    telemetry,
};
use std::sync::Arc;
use wiiiv_domain::{
    Action, EventBody, FlowInput, Proposal, ProposalFailure, ProposalOutcome, ReplyCode,
    TaskSwitch, TaskType,
};
use wiiiv_llm::ModelError;
use wiiiv_store::Point;

pub async fn model_answered(
    session: &mut Session,
    answer: ModelAnswer,
) -> Result<(), SessionFault> {
    let ModelAnswer { sent, result, instead, prompt } = answer;
    let waits = |turn: &&mut Turn| turn.call.as_ref().is_some_and(|call| call.id == sent.id);
    let Some(current) = session.work.turn.as_mut().filter(waits) else {
        // Its hold was settled when it was cut off.
        telemetry::settled(sent.provider, sent.held());
        session.journal.audit(audit::stale_answer(sent.turn, "model call"));
        return session.flush(Point::T2).await;
    };
    current.call = None;
    current.secrets = if result.is_ok() { sent.secrets } else { 0 };
    let first = current.first_answer.take();
    session.journal.settle(&sent, CallReport::completion(&result));
    match (result, first) {
        (Ok(done), _) => {
            let late = consult::comes_late(&sent, &done.proposal);
            let answer = FirstAnswer { sent, proposal: done.proposal, told: done.told, prompt };
            match late {
                true => consult::put_aside(session, answer).await,
                false => taken(session, answer).await,
            }
        }
        // It stands, where no better one came.
        (Err(_), Some(first)) => {
            consult::tell_failure(session, first.sent.turn);
            taken(session, *first).await
        }
        (Err(error), None) => failed(session, sent, error, instead).await,
    }
}

/// Goes on with an answer, whose call is on record.
pub async fn taken(session: &mut Session, answer: FirstAnswer) -> Result<(), SessionFault> {
    let FirstAnswer { sent, proposal, told, prompt } = answer;
    note_read(session, &sent, Some(&proposal)).await?;
    // Of the message alone: what a run came to tells nothing of the person.
    if sent.by_user {
        profile::keep(session, sent.turn, &told).await?;
    }
    second_look::answer(session, sent, proposal, prompt).await
}

/// Another model is asked, or the built-in understanding stands in, or the turn says why there is no answer.
async fn failed(
    session: &mut Session,
    sent: Arc<SentCall>,
    error: ModelError,
    mut instead: Option<Proposal>,
) -> Result<(), SessionFault> {
    let failure = error.failure;
    if gives_way(&sent, &error) {
        instead = instead.or_else(|| sent.choice.instead.as_deref().cloned());
        if falls_back(session, &sent, failure, instead.as_ref()).await? {
            return Ok(());
        }
    }
    note_read(session, &sent, instead.as_ref()).await?;
    if let Some(proposal) = instead {
        degrade(session, &sent, failure);
        return second_look::answer(session, sent, proposal, None).await;
    }
    tracing::warn!(session = %session.journal.row.id, ?failure, "model failed");
    let (turn, outcome) = (sent.turn, ProposalOutcome::Failed { failure });
    session.feed(turn, FlowInput::Proposed { turn, outcome }).await
}

/// A turn whose model has read what others wrote is tainted where something is to be done by it.
async fn note_read(
    session: &mut Session,
    sent: &SentCall,
    proposed: Option<&Proposal>,
) -> Result<(), SessionFault> {
    // Beside a memory that others wrote in, the conversation goes on as it is, and a file is read without being
    // asked about: what is written or sent is.
    let memories = sent.read.memories();
    let writes = |of: &Proposal| !memories.is_empty() && !only_reads(session, of);
    if proposed.is_some_and(|of| acts(of) && (sent.foreign || writes(of))) {
        session.journal.taint().await?;
    }
    session.conversation.foreign = sent.foreign;
    Ok(())
}

/// Asks the policy's next model that accepts a call, under a permit of its own. `false`: none
/// does.
async fn falls_back(
    session: &mut Session,
    sent: &SentCall,
    failure: ProposalFailure,
    instead: Option<&Proposal>,
) -> Result<bool, SessionFault> {
    let policy = session.journal.records.policy().await?;
    if policy.project_policy().asking(sent.choice.nth + 1).is_none() {
        return Ok(false);
    }
    // Releases the former hold before the next ruling.
    session.flush(Point::T2).await?;
    for nth in sent.choice.nth + 1.. {
        let Some(rules) = policy.project_policy().asking(nth) else { break };
        let why = sent.choice.why.clone();
        let choice = ModelChoice { why, nth, instead: instead.cloned().map(Box::new) };
        if ask_model(session, sent.turn, choice).await?.is_none() {
            let to = (rules.llm_provider, rules.model());
            session.journal.audit(audit::fell_back(sent, to, failure));
            let reply = ReplyCode::FellBack {
                provider: sent.provider,
                model: sent.model.clone(),
                to_provider: to.0,
                to_model: to.1.to_owned(),
                failure,
            };
            tracing::warn!(session = %session.journal.row.id, ?failure, "another model is asked");
            let turn = session.work.turn.as_mut();
            if let Some(current) = turn.filter(|turn| turn.fell_back < nth) {
                // Once a turn for each fallback.
                current.fell_back = nth;
                announce(session, sent, reply);
            }
            session.flush(Point::T2).await?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// The built-in understanding stands in: recorded for each call, announced once a turn.
fn degrade(session: &mut Session, sent: &SentCall, failure: ProposalFailure) {
    tracing::warn!(session = %session.journal.row.id, ?failure, "model not reachable, degraded");
    session.journal.audit(audit::degraded(sent, failure));
    if let Some(current) = session.work.turn.as_mut().filter(|turn| !turn.degraded) {
        current.degraded = true;
        let (provider, model) = (sent.provider, sent.model.clone());
        announce(session, sent, ReplyCode::Degraded { provider, model, failure });
    }
}

/// Announces another model; not part of the conversation.
fn announce(session: &mut Session, sent: &SentCall, reply: ReplyCode) {
    let text = session.runtime.deps.messages.reply(session.conversation.language, &reply);
    session.journal.event(sent.turn, EventBody::replied(reply, text));
}

/// The proposal causes work; going back to a job that waits begins it.
fn acts(proposal: &Proposal) -> bool {
    matches!(proposal.action, Action::Execute | Action::Confirm)
        || matches!(proposal.task_switch, TaskSwitch::To(_))
        || proposal.action.recall().is_some()
}

/// Files are read and nothing else is done, in all that may follow before somebody speaks again: the job itself or the
/// request that it repeats, what stands behind it in the message, what waits in the conversation, and the task that it
/// goes back to.
fn only_reads(session: &Session, proposal: &Proposal) -> bool {
    let flow = &session.flow;
    let own = match proposal.action {
        Action::Execute | Action::Confirm => Some(proposal.task_type),
        Action::Again => session.conversation.wished.as_ref().map(|job| job.task_type),
        // Code answers these, and reads at most.
        Action::Reply
        | Action::Ask
        | Action::Cancel
        | Action::Why
        | Action::ListFiles
        | Action::ShowSaved => None,
    };
    let later = proposal.later.iter().map(|job| job.task_type);
    let back = flow.suspended().filter(|task| proposal.task_switch == TaskSwitch::To(task.id));
    let tasks = flow.queued().chain(back).map(|task| task.task_type);
    own.into_iter().chain(later).chain(tasks).all(|of| of == TaskType::FileRead)
}

/// Whether a fallback may be asked: the model was out and spent nothing unknown, or the fallback
/// before it could not be sent to.
fn gives_way(sent: &SentCall, error: &ModelError) -> bool {
    let is_out = error.unreachable || error.failure == ProposalFailure::RateLimited;
    let is_known = error.spent.known().is_some();
    (is_out && is_known) || (sent.choice.nth > 0 && error.attempts == 0)
}
