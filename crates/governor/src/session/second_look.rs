//! Looks at an answer in words before it is given, and asks for a better one, where the project's policy says so. Rules
//! in code come first; a model that looks and one that answers once more are calls like any other: ruled on, held, sent
//! in a task of their own, settled and on record. Whatever keeps a stage from being done, the answer is given as it is,
//! with the reason on record.
//!
//! INVARIANT: the flow stands still meanwhile, and hears one proposal, whose words alone may be others. A crash in
//! between loses the answer as one during its own call does, and every hold is settled at the restart.

use crate::{
    answers, audit, citations, clock,
    session::{
        CallReport, LookResult, ModelChoice, Request, SecondLook, SentCall, Session, SessionFault,
        Turn, consult,
        consultation::Consultation,
        held_answer::{AnswerReview, HeldAnswer, NO_BETTER},
        model_call::{Sending, hold, model_call},
        provenance,
        registered::in_order,
    },
    telemetry,
};
use std::sync::Arc;
use tracing::Instrument as _;
use wiiiv_context::{CheckPrompt, CheckedAnswer, Prompt, PromptParts, Rendered as _};
use wiiiv_domain::{
    Action, AnswerCheck, AnswerPolicy, AnswerStage, Citation, FlowInput, ModelPlace, ModelSlot,
    Proposal, ProposalFailure, ProposalOutcome, TaskId, TaskSwitch, TaskTypes,
};
use wiiiv_gate::{Authorized, ModelCall};
use wiiiv_store::Point;

/// What is sent.
enum Question {
    Check(CheckPrompt),
    Refine(Box<Prompt>),
}

/// A call that is permitted and not sent yet.
struct Asking {
    question: Question,
    /// Keys removed from it.
    secrets: usize,
    permit: Authorized<ModelCall>,
    sending: Sending,
}

/// Gives it, or looks at it first. `prompt`: what its model was shown, where the policy asks for a look.
pub async fn answer(
    session: &mut Session,
    sent: Arc<SentCall>,
    mut proposal: Proposal,
    prompt: Option<Box<Prompt>>,
) -> Result<(), SessionFault> {
    let citations = cited(session, &sent, &mut proposal);
    let Some(prompt) = prompt.filter(|_| is_in_words(&proposal)) else {
        return give(session, &sent, (proposal, citations)).await;
    };
    let findings = answers::findings(&prompt, &proposal.message);
    let says = !proposal.message.trim().is_empty();
    let asks = findings.is_empty() && says && sent.answers.check == AnswerCheck::Model;
    let review = AnswerReview { findings, ..AnswerReview::default() };
    let held = HeldAnswer { sent, proposal, citations, prompt, review };
    match asks {
        true => ask(session, held, AnswerStage::Check).await,
        false => refine_or_give(session, held).await,
    }
}

/// Passages that its words name by number. Where documents were to be looked through and could not be, a number names none;
/// where none were asked for it is whatever its model means by it.
fn cited(session: &Session, sent: &SentCall, proposal: &mut Proposal) -> Vec<Citation> {
    let turn = session.work.turn.as_ref();
    let was_asked = turn.is_some_and(|turn| matches!(turn.consultation, Consultation::Done(_)));
    let shown = sent.citable().or_else(|| was_asked.then_some(&[]));
    shown.map(|shown| citations::settled(proposal, shown)).unwrap_or_default()
}

/// Nothing is done by it, and no task is gone back to.
fn is_in_words(proposal: &Proposal) -> bool {
    proposal.action == Action::Reply
        && proposal.task_type.is_talk()
        && proposal.later.is_empty()
        && !matches!(proposal.task_switch, TaskSwitch::To(_))
}

async fn refine_or_give(session: &mut Session, held: HeldAnswer) -> Result<(), SessionFault> {
    match held.sent.answers.refine && !held.review.findings.is_empty() {
        true => ask(session, held, AnswerStage::Refine).await,
        false => give_checked(session, held).await,
    }
}

/// Once for each stage; where nobody can be asked it is given as it is.
async fn ask(
    session: &mut Session,
    mut held: HeldAnswer,
    stage: AnswerStage,
) -> Result<(), SessionFault> {
    match permitted(session, &held, stage).await? {
        Ok(asking) => {
            send(session, held, asking);
            Ok(())
        }
        Err(failure) => {
            held.leave_out(stage, failure.as_str());
            give_checked(session, held).await
        }
    }
}

/// Ruled on, and its cost held. An inner error: nobody can be asked.
async fn permitted(
    session: &mut Session,
    held: &HeldAnswer,
    stage: AnswerStage,
) -> Result<Result<Asking, ProposalFailure>, SessionFault> {
    let (nth, turn) = (held.sent.choice.nth, held.sent.turn);
    let policy = session.journal.records.policy().await?;
    let answered = (held.sent.provider, held.sent.model.as_str());
    let rules = policy.project_policy().asking(nth);
    // Whoever was not asked is asked about nothing, whatever the policy names by now.
    let Some(rules) = rules.filter(|rules| (rules.llm_provider, rules.model()) == answered) else {
        return Ok(Err(ProposalFailure::NotAllowed));
    };
    let runtime = session.runtime.clone();
    let limits = runtime.deps.models.token_limits(rules.llm_provider, rules.model());
    let (book, most) = (&runtime.deps.rules, runtime.config.max_output_tokens);
    let findings = held.review.findings.clone();
    let checked = Some(CheckedAnswer { text: held.proposal.message.clone(), findings });
    let parts = PromptParts { fence: clock::fence(), checked, ..held.prompt.parts().clone() };
    let Ok(prompt) = limits.fitted(book, parts, most).await else {
        return Ok(Err(ProposalFailure::ContextTooLong));
    };
    let secrets = prompt.secrets();
    let (question, input) = match stage {
        AnswerStage::Check => {
            let prompt = CheckPrompt::new(book, &prompt);
            let input = limits.held(&prompt).await;
            (Question::Check(prompt), input)
        }
        AnswerStage::Refine => {
            let input = limits.held(&prompt).await;
            (Question::Refine(Box::new(prompt)), input)
        }
    };
    let task = session.flow.active().map_or(TaskId::from(turn), |task| task.id);
    let tokens = (input, limits.max_output(most));
    let of = (ModelSlot::Governor, turn, task);
    let call = model_call(&runtime, &session.journal.row, &rules, of, tokens);
    // Releases the hold of the call before.
    session.flush(Point::T2).await?;
    let place = (Point::T0, ModelPlace::Nth(nth));
    let held = hold(&runtime, &mut session.journal, &mut session.work, place, call).await?;
    Ok(held.map(|(permit, sending)| Asking { question, secrets, permit, sending }))
}

/// In a task of its own. Dropping the call stops it upstream.
fn send(session: &mut Session, held: HeldAnswer, asking: Asking) {
    let Asking { question, secrets, permit, sending } = asking;
    let Sending { options, key, terms, .. } = sending;
    let (call, first) = (permit.peek(), &held.sent);
    let (rules, prompt, stage, plan, documents) = match &question {
        Question::Check(of) => (of.rules_hash(), of.prompt_hash(), AnswerStage::Check, None, None),
        Question::Refine(of) => {
            let (plan, shown) = (Some(of.plan().clone()), consult::shown(session, of));
            (of.rules_hash(), of.prompt_hash(), AnswerStage::Refine, plan, shown)
        }
    };
    let sent = Arc::new(SentCall {
        id: call.call,
        turn: first.turn,
        provider: call.provider,
        model: call.model.clone(),
        rules,
        prompt,
        persona: None,
        stage: Some(stage),
        answers: AnswerPolicy::default(),
        terms,
        key,
        foreign: first.foreign,
        read: first.read.clone(),
        by_user: false,
        choice: ModelChoice { instead: None, ..first.choice.clone() },
        secrets,
        plan,
        documents,
        puts_aside: TaskTypes::of(&[]),
    });
    let row = &session.journal.row;
    let current = session.work.turn.get_or_insert_with(|| Turn::new(sent.turn, row));
    current.call = Some(sent.clone());
    current.held_answer = Some(Box::new(held));
    let (cancel, span) = (current.cancel.clone(), current.span.clone());
    telemetry::secrets_removed(sent.secrets);
    if let Some(plan) = &sent.plan {
        telemetry::prompt_planned(plan);
    }
    telemetry::held(sent.provider, sent.held());
    let (runtime, inbox) = (session.runtime.clone(), session.inbox.clone());
    let answering = async move {
        let models = &runtime.deps.models;
        let asked = async {
            match question {
                Question::Check(prompt) => {
                    LookResult::Check(models.check_answer(&prompt, permit, &options).await)
                }
                Question::Refine(prompt) => {
                    let result = models.complete(&prompt, permit, &options, None).await;
                    LookResult::Refine(Box::new(result))
                }
            }
        };
        let result = tokio::select! {
            result = asked => result,
            () = cancel.cancelled() => {
                telemetry::settled(sent.provider, sent.held());
                return;
            }
        };
        if let Some(inbox) = inbox.upgrade() {
            let look = Box::new(SecondLook { sent, result });
            let _ = inbox.tell(Request::LookedAt(look)).await;
        }
    };
    tokio::spawn(answering.instrument(span));
}

/// One that nobody waits for any more is on record and counts for nothing.
pub async fn looked_at(session: &mut Session, look: SecondLook) -> Result<(), SessionFault> {
    let SecondLook { sent, result } = look;
    let waits = |turn: &&mut Turn| turn.call.as_ref().is_some_and(|call| call.id == sent.id);
    let current = session.work.turn.as_mut().filter(waits);
    let held = current.and_then(|turn| {
        turn.call = None;
        turn.held_answer.take()
    });
    let Some(mut held) = held else {
        // Its hold was settled when it was cut off.
        telemetry::settled(sent.provider, sent.held());
        session.journal.audit(audit::stale_answer(sent.turn, "second look"));
        return session.flush(Point::T2).await;
    };
    match result {
        LookResult::Check(result) => {
            session.journal.settle(&sent, CallReport::check(&result));
            match result {
                Ok(check) => {
                    held.review.by_model = true;
                    held.review.findings = check.findings;
                }
                Err(error) => held.leave_out(AnswerStage::Check, error.failure.as_str()),
            }
            refine_or_give(session, *held).await
        }
        LookResult::Refine(result) => {
            session.journal.settle(&sent, CallReport::completion(&result));
            match *result {
                Ok(done) => {
                    let mut better = done.proposal;
                    let citations = cited(session, &sent, &mut better);
                    refined(&mut held, (better, citations));
                }
                Err(error) => held.leave_out(AnswerStage::Refine, error.failure.as_str()),
            }
            give_checked(session, *held).await
        }
    }
}

/// Its words alone are taken, where they are better: what it does is what was proposed before, which is nothing.
fn refined(held: &mut HeldAnswer, (better, citations): (Proposal, Vec<Citation>)) {
    if !is_better(held, &better) {
        return held.leave_out(AnswerStage::Refine, NO_BETTER);
    }
    held.review.refined = true;
    (held.proposal.message, held.citations) = (better.message, citations);
}

/// An answer in words of which code finds nothing wrong.
fn is_better(held: &HeldAnswer, refined: &Proposal) -> bool {
    let says = !refined.message.trim().is_empty();
    is_in_words(refined) && says && answers::findings(&held.prompt, &refined.message).is_empty()
}

/// A halt cuts the look off: what was said already is given as it is.
pub async fn let_go(session: &mut Session) -> Result<bool, SessionFault> {
    let Some(turn) = session.work.turn.as_mut() else { return Ok(false) };
    let Some(mut held) = turn.held_answer.take() else { return Ok(false) };
    let stage = turn.call.as_ref().and_then(|call| call.stage);
    // Cancels what runs for it.
    session.work.stop_call(&mut session.journal);
    if let Some(turn) = &mut session.work.turn {
        // What was taken out before the answer is told with it.
        turn.secrets = held.sent.secrets;
    }
    if let Some(stage) = stage {
        held.leave_out(stage, ProposalFailure::Halted.as_str());
    }
    give_checked(session, *held).await?;
    session.flush(Point::T2).await?;
    Ok(true)
}

async fn give_checked(session: &mut Session, held: HeldAnswer) -> Result<(), SessionFault> {
    let HeldAnswer { sent, proposal, citations, prompt: _, review } = held;
    for (stage, reason) in &review.left_out {
        tracing::warn!(session = %session.journal.row.id, %stage, reason, "left out");
    }
    session.journal.audit(audit::answer_checked(&sent, &review));
    // A better one in its place has none: code has looked at that.
    if let Some(turn) = session.work.turn.as_mut().filter(|_| !review.refined) {
        turn.findings = review.findings;
    }
    give(session, &sent, (proposal, citations)).await
}

/// It goes into the history, with what it rests on.
async fn give(
    session: &mut Session,
    sent: &SentCall,
    (mut proposal, citations): (Proposal, Vec<Citation>),
) -> Result<(), SessionFault> {
    consult::tell_standing(session, sent, &proposal, !citations.is_empty());
    consult::point_to_documents(session, sent, &mut proposal);
    if let Some(current) = &mut session.work.turn {
        current.citations = citations;
    }
    session.conversation.read.extend([&sent.read.memories()]);
    provenance::mark(session, &mut proposal, &sent.read, sent.by_user);
    let (flow, work, records) = (&session.flow, &session.work, &session.journal.records);
    in_order(flow, &work.systems.list, records, &mut proposal, sent.by_user).await?;
    let turn = sent.turn;
    let outcome = ProposalOutcome::Proposal { proposal };
    session.feed(turn, FlowInput::Proposed { turn, outcome }).await
}
