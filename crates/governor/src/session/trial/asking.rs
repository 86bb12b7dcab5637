//! One trial on its way to a model and back.

use super::{Gave, REDS, Trial, TrialAck, Tried};
use crate::{
    deps::Shared,
    session::{actor::SessionActor, propose::Sending},
    telemetry,
};
use kameo::actor::WeakActorRef;
use std::time::{Duration, Instant};
use wiiiv_context::{Prompt, Rendered as _};
use wiiiv_domain::{PromptHash, RulesHash, Spent, Usage};
use wiiiv_gate::{Authorized, ModelCall};
use wiiiv_llm::{Completion, ModelError, Picture};

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
    pub(super) room: Shared,
    pub(super) me: WeakActorRef<SessionActor>,
    pub(super) call: ModelCall,
    pub(super) begun: Instant,
    pub(super) ack: TrialAck,
}

/// It says so in the words of its answer, wherever it puts them.
fn is_red(done: &Completion) -> bool {
    let slots = done.proposal.slots.iter().map(|(_, value)| value);
    let told = slots.fold(done.proposal.message.clone(), |told, value| format!("{told} {value}"));
    let told = told.to_lowercase();
    // `colored` is no red; a Korean word may go on behind its stem.
    let mut words = told.split(|c: char| !c.is_alphabetic());
    words
        .any(|word| REDS.iter().any(|red| word == *red || !red.is_ascii() && word.starts_with(red)))
}

type Asked = Result<Answered, ModelError>;
/// Of a prompt.
type Hashes = Option<(RulesHash, PromptHash)>;

struct Answered {
    gave: Gave,
    spent: Spent,
    attempts: u32,
    another: Option<String>,
    beyond: Option<Usage>,
}

impl Asking {
    pub(super) async fn ask(self, sent: Sent, permit: Authorized<ModelCall>, sending: Sending) {
        telemetry::held(self.call.provider, sending.terms.currency(), sending.terms.held());
        let (models, mut options) = (&self.room.deps.models, sending.options.clone());
        let hashes = sent.hashes();
        let asked = match sent {
            Sent::Prompt { prompt, picture } => {
                let sees = picture.is_some();
                options.picture = picture;
                let asked = models.complete(&prompt, permit, &options, None).await;
                asked.map(|done| Answered {
                    gave: if sees { Gave::Saw(is_red(&done)) } else { Gave::Proposal },
                    spent: done.spent,
                    attempts: done.attempts,
                    another: done.another,
                    beyond: done.beyond,
                })
            }
            Sent::Texts(texts) => {
                let asked = models.embed(&texts, permit, &options).await;
                asked.map(|done| Answered {
                    gave: Gave::Vectors { dimensions: done.vectors.first().map_or(0, Vec::len) },
                    spent: done.spent,
                    attempts: done.attempts,
                    another: None,
                    beyond: done.beyond,
                })
            }
        };
        let trial = self.trial(&sending, hashes, asked, self.begun.elapsed());
        let Self { me, call, ack, .. } = self;
        if let Some(me) = me.upgrade() {
            let held = sending.terms.held();
            let _ = me.tell(Tried { call, trial, held, ack }).await;
        }
    }

    fn trial(&self, sending: &Sending, hashes: Hashes, asked: Asked, took: Duration) -> Trial {
        let (provider, model) = (self.call.provider, self.call.model.clone());
        let (gave, spent, attempts, another, beyond) = match asked {
            Ok(Answered { gave, spent, attempts, another, beyond }) => {
                (Ok(gave), spent, attempts, another, beyond)
            }
            Err(ModelError { failure, spent, reason, attempts, beyond, .. }) => {
                (Err((failure, reason)), spent, attempts, None, beyond)
            }
        };
        let (usage, amount) = (spent.total(), sending.terms.cost(&spent));
        let (slot, key, currency) = (self.call.slot, sending.key, sending.terms.currency());
        Trial {
            slot,
            provider,
            model,
            key,
            took,
            attempts,
            usage,
            amount,
            currency,
            hashes,
            another,
            beyond,
            gave,
        }
    }
}
