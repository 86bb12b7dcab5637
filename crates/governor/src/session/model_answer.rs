//! A model's answer. An answer to another call than the one in flight is journalled and ignored.

use crate::{
    audit,
    session::{
        CallReport, ModelAnswer, ModelChoice, SentCall, Session, SessionFault, Turn,
        model_call::ask_model, profile, second_look,
    },
    telemetry,
};
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
    let ModelAnswer { sent, result, mut instead, prompt } = answer;
    let waits = |turn: &&mut Turn| turn.call.as_ref().is_some_and(|call| call.id == sent.id);
    let Some(current) = session.work.turn.as_mut().filter(waits) else {
        // Its hold was settled when it was cut off.
        telemetry::settled(sent.provider, sent.held());
        session.journal.audit(audit::stale_answer(sent.turn, "model call"));
        return session.flush(Point::T2).await;
    };
    current.call = None;
    current.secrets = if result.is_ok() { sent.secrets } else { 0 };
    session.journal.settle(&sent, CallReport::completion(&result));
    if let Err(error) = &result
        && gives_way(&sent, error)
    {
        instead = instead.or_else(|| sent.choice.instead.as_deref().cloned());
        if falls_back(session, &sent, error.failure, instead.as_ref()).await? {
            return Ok(());
        }
    }
    let proposed = result.as_ref().ok().map(|done| &done.proposal).or(instead.as_ref());
    // Beside a memory that others wrote in, the conversation goes on as it is, and a file is read without being
    // asked about: what is written or sent is.
    let memories = sent.read.memories();
    let writes = |of: &Proposal| !memories.is_empty() && !only_reads(session, of);
    if proposed.is_some_and(|of| acts(of) && (sent.foreign || writes(of))) {
        session.journal.taint().await?;
    }
    session.conversation.foreign = sent.foreign;
    let turn = sent.turn;
    let (proposal, prompt) = match (result, instead) {
        (Ok(done), _) => {
            // Of the message alone: what a run came to tells nothing of the person.
            if sent.by_user {
                profile::keep(session, turn, &done.told).await?;
            }
            (done.proposal, prompt)
        }
        (Err(error), Some(proposal)) => {
            degrade(session, &sent, error.failure);
            (proposal, None)
        }
        (Err(ModelError { failure, .. }), None) => {
            tracing::warn!(session = %session.journal.row.id, ?failure, "model failed");
            let outcome = ProposalOutcome::Failed { failure };
            return session.feed(turn, FlowInput::Proposed { turn, outcome }).await;
        }
    };
    second_look::answer(session, sent, proposal, prompt).await
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
