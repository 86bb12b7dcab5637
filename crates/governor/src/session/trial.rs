//! Tries a model: one call under a permit of its own that shows whether it answers, how fast and
//! for how much.

mod asking;

use crate::{
    audit, clock,
    session::{
        Answer, Charge, Session, SessionFault, Tried, Trying,
        model_call::{hold, model_call},
    },
    telemetry,
    trial::{Trial, TrialError, TrialOf},
};
pub use asking::halted;
use asking::{Asking, HALTED, Sent};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use wiiiv_context::{MemoryBlocks, PromptParts};
use wiiiv_domain::{Lang, ModelPlace, ModelSlot, ProjectPolicy, ProposalFailure, Slots, TurnId};
use wiiiv_gate::ModelCall;
use wiiiv_llm::{Models, Picture};
use wiiiv_store::{Point, Write};

/// The message of a trial.
const GREETING: &str = "안녕하세요. Hello.";
/// The message beside a picture of one colour.
const WHICH_COLOUR: &str =
    "그림은 한 가지 색입니다. 무슨 색인가요? The picture has one colour: which?";
/// 64 by 64 dots.
const RED: &[u8] = include_bytes!("trial/red.png");
/// Added to the call's deadline, for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub async fn try_out(
    session: &mut Session,
    TrialOf { slot, picture }: TrialOf,
    ack: Answer<Trial, TrialError>,
) -> Result<(), SessionFault> {
    session.work.touch();
    if session.work.turn.is_some() || session.work.run.is_some() || session.work.is_trying() {
        let _ = ack.send(Err(TrialError::Busy));
        return Ok(());
    }
    let policy = session.journal.records.policy().await?;
    let Some(rules) = policy.project_policy().of_slot(slot) else {
        let _ = ack.send(Err(TrialError::Empty));
        return Ok(());
    };
    let begun = Instant::now();
    let held = match sent(session, (slot, picture), &rules).await {
        Ok((sent, call)) => {
            let place = (Point::T0, ModelPlace::Slot(slot));
            hold(&session.runtime, &mut session.journal, &mut session.work, place, call.clone())
                .await?
                .map(|held| (sent, call, held))
        }
        Err(failure) => Err(failure),
    };
    let (sent, call, (permit, sending)) = match held {
        Ok(held) => held,
        Err(failure) => {
            let _ = ack.send(Ok(refused(slot, &rules, failure)));
            return Ok(());
        }
    };
    let until = begun + session.runtime.config.model_deadline + PATIENCE;
    let cancel = CancellationToken::new();
    session.work.trying = Some(Trying { call: call.call, until, cancel: cancel.clone() });
    let (runtime, inbox) = (session.runtime.clone(), session.inbox.clone());
    let asking = Asking { runtime, inbox, call, begun, cancel, ack };
    tokio::spawn(asking.ask(sent, permit, sending));
    Ok(())
}

/// What is sent, and the call that it takes.
async fn sent(
    session: &Session,
    (slot, picture): (ModelSlot, bool),
    rules: &ProjectPolicy,
) -> Result<(Sent, ModelCall), ProposalFailure> {
    let (runtime, models) = (&session.runtime, &session.runtime.deps.models);
    let limits = models.token_limits(rules.llm_provider, rules.model());
    let (sent, input, output) = match slot {
        ModelSlot::Governor | ModelSlot::Generator => {
            let max = runtime.config.max_output_tokens;
            let message = if picture { WHICH_COLOUR } else { GREETING };
            let fitted = limits
                .fitted(&runtime.deps.rules, words(session.conversation.language, message), max)
                .await;
            let prompt = Box::new(fitted.map_err(|_| ProposalFailure::ContextTooLong)?);
            let held = limits.held(prompt.as_ref()).await;
            let seen = if picture { Picture::TOKENS_MAX } else { 0 };
            let picture = picture.then(|| Picture::png(RED)).flatten();
            let sent = Sent::Prompt { prompt, picture };
            (sent, held.saturating_add(seen), limits.max_output(max))
        }
        ModelSlot::Embedding => {
            let texts = vec![GREETING.to_owned()];
            let held = Models::held_for(&texts);
            (Sent::Texts(texts), held, 0)
        }
    };
    let turn: TurnId = clock::fresh();
    let call = model_call(
        runtime,
        &session.journal.row,
        rules,
        (slot, turn, turn.into()),
        (input, output),
    );
    Ok((sent, call))
}

fn words(language: Lang, message: &str) -> PromptParts {
    PromptParts {
        fence: clock::fence(),
        guardrails: std::collections::BTreeSet::default(),
        memory: MemoryBlocks::default(),
        profile: None,
        language,
        task: None,
        suspended: Vec::new(),
        waiting: Vec::new(),
        facts: None,
        documents: None,
        checked: None,
        revision: Vec::new(),
        earlier_run: false,
        ran: Slots::default(),
        systems: std::sync::Arc::default(),
        unreached: std::collections::BTreeSet::default(),
        long_term: None,
        history: Vec::new(),
        message: message.to_owned(),
    }
}

pub async fn tried(session: &mut Session, tried: Tried) -> Result<(), SessionFault> {
    let Tried { call, trial, held, ack } = tried;
    let charge = |amount| Charge { amount, currency: trial.currency };
    if session.work.trying.take_if(|trying| trying.call == call.call).is_none() {
        // The session was restored since, which settled the hold.
        telemetry::settled(trial.provider, charge(held));
        session.journal.audit(audit::stale_answer(call.turn, "model trial"));
        let why = "it took too long, and its hold counts as spent".to_owned();
        let _ = ack.send(Err(TrialError::Unavailable(why)));
        return session.flush(Point::T2).await;
    }
    let (usage, amount) = (trial.usage, trial.amount);
    telemetry::settled(trial.provider, charge(amount));
    session.journal.audit(audit::model_tried(call.turn, call.call, &trial));
    session.journal.write(Write::Settle { call: call.call, usage, amount });
    let done = session.flush(Point::T2).await;
    let _ = ack.send(match &done {
        Ok(()) => Ok(trial),
        Err(fault) => Err(TrialError::Unavailable(fault.told())),
    });
    done
}

/// Nothing was sent.
fn refused(slot: ModelSlot, rules: &ProjectPolicy, failure: ProposalFailure) -> Trial {
    let reason = match failure {
        ProposalFailure::Budget => {
            "what it may cost does not fit into a budget: the audit has the ruling"
        }
        ProposalFailure::Unpriced => "it has no price, and the policy has a cap of money",
        ProposalFailure::Halted => HALTED,
        ProposalFailure::NotAllowed => "the policy names another model there by now",
        ProposalFailure::Unavailable => "the world kept changing: try again",
        ProposalFailure::ContextTooLong => "it does not fit the model's window",
        _ => "no key can be sent, or the policy has changed meanwhile",
    };
    let model = (rules.llm_provider, rules.model());
    Trial::unsent(slot, model, Err((failure, reason.to_owned())))
}
