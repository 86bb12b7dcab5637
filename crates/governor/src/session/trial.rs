//! A model is tried: one call under a permit of its own, which tells whether it answers, how fast and
//! for how much, before anybody's work depends on it.

mod asking;

use crate::{
    audit, clock,
    session::{
        actor::SessionActor,
        propose::hold,
        state::{Down, Session},
    },
    telemetry,
};
use asking::{Asking, Sent};
use kameo::prelude::*;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use wiiiv_context::PromptParts;
use wiiiv_domain::{
    Amount, Currency, KeySource, ModelPlace, ModelSlot, ProjectPolicy, PromptHash, ProposalFailure,
    ProviderName, RulesHash, Slots, TurnId, Usage,
};
use wiiiv_gate::ModelCall;
use wiiiv_llm::{Models, Picture};
use wiiiv_store::{Point, Write};

/// What it is tried with. Nothing of anybody's.
const GREETING: &str = "안녕하세요. Hello.";
/// Beside a picture of one colour, as the one thing that can be said of it.
const WHICH_COLOUR: &str =
    "그림은 한 가지 색입니다. 무슨 색인가요? The picture has one colour: which?";
/// 64 by 64 dots.
const RED: &[u8] = include_bytes!("trial/red.png");
/// In both languages.
const REDS: [&str; 4] = ["red", "빨강", "빨간", "붉은"];
/// Beyond the call's own deadline, on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// What came of it.
#[derive(Debug, Clone)]
pub struct Trial {
    pub slot: ModelSlot,
    pub provider: ProviderName,
    pub model: String,
    /// Whose key was sent.
    pub key: Option<KeySource>,
    pub took: Duration,
    pub attempts: u32,
    pub usage: Usage,
    pub amount: Amount,
    pub currency: Currency,
    /// Of what was sent, where it was a prompt.
    pub hashes: Option<(RulesHash, PromptHash)>,
    /// As the provider names the model that answered, where that is not the one that was asked.
    pub another: Option<String>,
    /// What the provider told of one attempt, where it is more than was held.
    pub beyond: Option<Usage>,
    /// A reason is in our own words.
    pub gave: Result<Gave, (ProposalFailure, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gave {
    /// As the schema has it.
    Proposal,
    /// The same; whether it told the colour of what it was shown.
    Saw(bool),
    Vectors {
        dimensions: usize,
    },
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum TrialError {
    #[error("no such session")]
    NotFound,
    #[error("the policy names no model for that slot")]
    Empty,
    #[error("something is under way in this session")]
    Busy,
    #[error("nothing was tried: {0}")]
    Unavailable(String),
}

type TrialAck = oneshot::Sender<Result<Trial, TrialError>>;

pub struct Try {
    pub tried: TrialOf,
    pub ack: TrialAck,
}

/// What is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrialOf {
    pub slot: ModelSlot,
    /// Whether its model sees: it is shown a picture of ours, and asked for its colour.
    pub picture: bool,
}

struct Tried {
    call: ModelCall,
    trial: Trial,
    held: Amount,
    ack: TrialAck,
}

impl Message<Try> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, ask: Try, _: &mut Context<Self, ()>) {
        let Try { tried: TrialOf { slot, picture }, ack } = ask;
        let Some(session) = self.session().await else {
            let why = "the session store is not reachable".to_owned();
            let _ = ack.send(Err(TrialError::Unavailable(why)));
            return;
        };
        let done = session.try_out((slot, picture), ack).await;
        self.after(done).await;
    }
}

impl Message<Tried> for SessionActor {
    type Reply = ();
    async fn handle(&mut self, tried: Tried, _: &mut Context<Self, ()>) {
        let Some(session) = self.session().await else { return };
        let done = session.tried(tried).await;
        self.after(done).await;
    }
}

impl Session {
    async fn try_out(
        &mut self,
        (slot, picture): (ModelSlot, bool),
        ack: TrialAck,
    ) -> Result<(), Down> {
        self.touch();
        if self.turn.is_some() || self.run.is_some() || self.is_trying() {
            let _ = ack.send(Err(TrialError::Busy));
            return Ok(());
        }
        let policy = self.room.policies.current(self.row.project).await;
        let policy = policy.map_err(|e| Down(e.to_string()))?;
        let Some(rules) = policy.project_policy().of_slot(slot) else {
            let _ = ack.send(Err(TrialError::Empty));
            return Ok(());
        };
        let begun = Instant::now();
        let held = match self.sent((slot, picture), &rules).await {
            Ok((sent, call)) => {
                let place = (Point::T0, ModelPlace::Slot(slot));
                hold(self, place, call.clone()).await?.map(|held| (sent, call, held))
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
        let until = begun + self.room.config.model_deadline + PATIENCE;
        self.trying = Some((call.call, until));
        let (room, me) = (self.room.clone(), self.me.clone());
        let asking = Asking { room, me, call, begun, ack };
        tokio::spawn(asking.ask(sent, permit, sending));
        Ok(())
    }

    /// What is sent, and the call that it takes.
    async fn sent(
        &self,
        (slot, picture): (ModelSlot, bool),
        rules: &ProjectPolicy,
    ) -> Result<(Sent, ModelCall), ProposalFailure> {
        let (room, models) = (&self.room, &self.room.deps.models);
        let gauge = models.gauge(rules.llm_provider, rules.model());
        let (sent, input, output) = match slot {
            ModelSlot::Governor | ModelSlot::Generator => {
                let max = room.config.max_output_tokens;
                let message = if picture { WHICH_COLOUR } else { GREETING };
                let fitted = gauge.fitted(&room.deps.rules, self.words(message), max).await;
                let prompt = Box::new(fitted.map_err(|_| ProposalFailure::ContextTooLong)?);
                let held = gauge.held(prompt.as_ref()).await;
                let seen = if picture { Picture::TOKENS_MAX } else { 0 };
                let picture = picture.then(|| Picture::png(RED)).flatten();
                let sent = Sent::Prompt { prompt, picture };
                (sent, held.saturating_add(seen), gauge.max_output(max))
            }
            ModelSlot::Embedding => {
                let texts = vec![GREETING.to_owned()];
                let held = Models::held_for(&texts);
                (Sent::Texts(texts), held, 0)
            }
        };
        let turn: TurnId = clock::fresh();
        let call = ModelCall {
            call: clock::fresh(),
            project: self.row.project,
            session: self.row.id,
            user: self.row.owner,
            task: turn.into(),
            turn,
            slot,
            provider: rules.llm_provider,
            model: rules.model().to_owned(),
            max_input_tokens: input,
            max_output_tokens: output,
            attempts: room.config.model_attempts,
        };
        Ok((sent, call))
    }

    fn words(&self, message: &str) -> PromptParts {
        PromptParts {
            fence: clock::fence(),
            language: self.language,
            task: None,
            suspended: Vec::new(),
            waiting: Vec::new(),
            facts: None,
            revision: Vec::new(),
            earlier_run: false,
            ran: Slots::default(),
            systems: std::sync::Arc::default(),
            unreached: std::collections::BTreeSet::default(),
            history: Vec::new(),
            message: message.to_owned(),
        }
    }

    async fn tried(&mut self, tried: Tried) -> Result<(), Down> {
        let Tried { call, trial, held, ack } = tried;
        if self.trying.take_if(|(trying, _)| *trying == call.call).is_none() {
            // The session was restored meanwhile, and its hold counted as spent.
            telemetry::settled(trial.provider, trial.currency, held);
            self.book.audit(audit::stale_answer(call.turn, "model trial"));
            let why = "it took too long, and its hold counts as spent".to_owned();
            let _ = ack.send(Err(TrialError::Unavailable(why)));
            return self.flush(Point::T2).await;
        }
        telemetry::settled(trial.provider, trial.currency, trial.amount);
        self.book.audit(audit::model_tried(call.turn, call.call, &trial));
        let (usage, amount) = (trial.usage, trial.amount);
        self.book.write(Write::Settle { call: call.call, usage, amount });
        let done = self.flush(Point::T2).await;
        let _ = ack.send(match &done {
            Ok(()) => Ok(trial),
            Err(down) => Err(TrialError::Unavailable(down.to_string())),
        });
        done
    }
}

/// Nothing was sent.
fn refused(slot: ModelSlot, rules: &ProjectPolicy, failure: ProposalFailure) -> Trial {
    let reason = match failure {
        ProposalFailure::Budget => {
            "what it may cost does not fit into a budget: the audit has the ruling"
        }
        ProposalFailure::Unpriced => "it has no price, and the policy has a cap of money",
        ProposalFailure::Halted => "the project is halted",
        ProposalFailure::NotAllowed => "the policy names another model there by now",
        ProposalFailure::Unavailable => "the world kept changing: try again",
        ProposalFailure::ContextTooLong => "it does not fit the model's window",
        _ => "no key can be sent, or the policy has changed meanwhile",
    };
    Trial {
        slot,
        provider: rules.llm_provider,
        model: rules.model().to_owned(),
        key: None,
        took: Duration::ZERO,
        attempts: 0,
        usage: Usage::default(),
        amount: Amount::default(),
        currency: Currency::default(),
        hashes: None,
        another: None,
        beyond: None,
        gave: Err((failure, reason.to_owned())),
    }
}
