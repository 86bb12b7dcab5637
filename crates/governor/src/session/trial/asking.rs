//! The task of one trial.

use crate::{
    runtime::Runtime,
    session::{Answer, Charge, Request, Sending, Tried},
    telemetry,
    trial::{Gave, Trial, TrialError},
};
use kameo::actor::WeakRecipient;
use std::{sync::Arc, time::Instant};
use tokio_util::sync::CancellationToken;
use wiiiv_context::{Prompt, Rendered as _};
use wiiiv_domain::{PromptHash, ProposalFailure, RulesHash, Spent, Usage};
use wiiiv_gate::{Authorized, ModelCall};
use wiiiv_llm::{CallOptions, Completion, ModelError, Picture};

pub(super) const HALTED: &str = "work here is halted";
/// In both languages.
const REDS: [&str; 4] = ["red", "빨강", "빨간", "붉은"];

/// What is sent.
pub(super) enum Sent {
    Prompt { prompt: Box<Prompt>, picture: Option<Picture> },
    Texts(Vec<String>),
}

impl Sent {
    fn hashes(&self) -> Hashes {
        match self {
            Self::Prompt { prompt, .. } => Some((prompt.rules_hash(), prompt.prompt_hash())),
            Self::Texts(_) => None,
        }
    }
}

pub(super) struct Asking {
    pub(super) runtime: Arc<Runtime>,
    pub(super) inbox: WeakRecipient<Request>,
    pub(super) call: ModelCall,
    pub(super) begun: Instant,
    /// By a halt.
    pub(super) cancel: CancellationToken,
    pub(super) ack: Answer<Trial, TrialError>,
}

/// Searches the message and all slots.
fn is_red(done: &Completion) -> bool {
    let slots = done.proposal.slots.iter().map(|(_, value)| value);
    let told = slots.fold(done.proposal.message.clone(), |told, value| format!("{told} {value}"));
    let told = told.to_lowercase();
    // `colored` is no red; a Korean word may go on behind its stem.
    let mut words = told.split(|c: char| !c.is_alphabetic());
    words
        .any(|word| REDS.iter().any(|red| word == *red || !red.is_ascii() && word.starts_with(red)))
}

/// Of a prompt.
type Hashes = Option<(RulesHash, PromptHash)>;
/// Result, spend, attempts, the model that answered, and usage beyond the hold.
type Answered = (Gave, Spent, u32, Option<String>, Option<Usage>);

/// What a stopped call used is unknown: all that was held for it counts as spent.
pub fn halted(attempts: u32) -> ModelError {
    let mut spent = Spent::default();
    (0..attempts).for_each(|_| spent.count_unknown());
    let (failure, reason) = (ProposalFailure::Halted, HALTED.to_owned());
    ModelError { failure, spent, reason, attempts, unreachable: false, beyond: None }
}

impl Asking {
    pub(super) async fn ask(self, sent: Sent, permit: Authorized<ModelCall>, sending: Sending) {
        let Sending { mut options, key, terms, .. } = sending;
        let (held, currency) = (terms.held(), terms.currency());
        telemetry::held(self.call.provider, Charge { amount: held, currency });
        let hashes = sent.hashes();
        let attempts = self.call.attempts;
        let asked = tokio::select! {
            asked = self.asked(sent, permit, &mut options) => asked,
            () = self.cancel.cancelled() => Err(halted(attempts)),
        };
        let took = self.begun.elapsed();
        let (gave, spent, attempts, another, beyond) = match asked {
            Ok((gave, spent, attempts, another, beyond)) => {
                (Ok(gave), spent, attempts, another, beyond)
            }
            Err(ModelError { failure, spent, reason, attempts, beyond, .. }) => {
                (Err((failure, reason)), spent, attempts, None, beyond)
            }
        };
        let Self { inbox, call, ack, .. } = self;
        let (usage, amount) = (spent.total(), terms.cost(&spent));
        let unsent = Trial::unsent(call.slot, (call.provider, &call.model), gave);
        let trial = Trial {
            key,
            took,
            attempts,
            usage,
            amount,
            currency,
            hashes,
            another,
            beyond,
            ..unsent
        };
        if let Some(inbox) = inbox.upgrade() {
            let tried = Box::new(Tried { call, trial, held, ack });
            let _ = inbox.tell(Request::Tried(tried)).await;
        }
    }

    async fn asked(
        &self,
        sent: Sent,
        permit: Authorized<ModelCall>,
        options: &mut CallOptions,
    ) -> Result<Answered, ModelError> {
        let models = &self.runtime.deps.models;
        Ok(match sent {
            Sent::Prompt { prompt, picture } => {
                let sees = picture.is_some();
                options.picture = picture;
                let done = models.complete(&prompt, permit, options, None).await?;
                let gave = if sees { Gave::Saw(is_red(&done)) } else { Gave::Proposal };
                (gave, done.spent, done.attempts, done.another, done.beyond)
            }
            Sent::Texts(texts) => {
                let done = models.embed(&texts, permit, options).await?;
                let dimensions = done.vectors.first().map_or(0, Vec::len);
                (Gave::Vectors { dimensions }, done.spent, done.attempts, None, done.beyond)
            }
        })
    }
}
