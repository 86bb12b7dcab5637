//! One model call: its input, its result, and the reasons for having none.

use crate::{breaker::OPEN_FOR, key::ProviderKey, picture::Picture};
use std::{collections::BTreeSet, fmt, time::Duration};
use wiiiv_domain::{
    AnswerFinding, ModelSlot, Opinion, ProfileNote, Proposal, ProposalFailure, Spent, Usage,
};

#[derive(Clone)]
pub struct CallOptions {
    /// Of a CUSTOM provider, such as `http://localhost:1234/v1`; of any other, in place of its own.
    pub base_url: Option<String>,
    /// Sent to the origin that it was stored for, and to no other.
    pub key: Option<ProviderKey>,
    /// Shown behind the words, where the model can see. `Picture::TOKENS_MAX` is held for it.
    pub picture: Option<Picture>,
    /// For the call in whole: retries and the repair included.
    pub deadline: Duration,
}

impl fmt::Debug for CallOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallOptions")
            .field("has_base_url", &self.base_url.is_some())
            .field("key", &self.key)
            .field("picture", &self.picture)
            .field("deadline", &self.deadline)
            .finish()
    }
}

/// Waits between attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// After a 429, a 5xx, or where nobody was there, within the attempts of the permit.
    pub retries: u32,
    /// Before the first retry; doubled for the next, with as much again by chance.
    pub backoff: Duration,
    /// A provider that asks for more patience is not waited for.
    pub retry_after_max: Duration,
    /// How long an origin is left alone after failures in a row; then one call tries it again.
    pub pause: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            retries: 2,
            backoff: Duration::from_millis(250),
            retry_after_max: Duration::from_secs(10),
            pause: OPEN_FOR,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Completion {
    pub proposal: Proposal,
    /// What it says that the message tells of its author; of the built-in model nothing.
    pub told: Vec<ProfileNote>,
    /// Of all attempts.
    pub spent: Spent,
    /// Calls that went out; 0 for the built-in model.
    pub attempts: u32,
    /// Who answered, where it is another model than was asked: its price may be another one too.
    pub another: Option<String>,
    /// What the provider told of one attempt, where it is more than was held for it.
    pub beyond: Option<Usage>,
}

/// What a reviewing persona answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    pub opinion: Opinion,
    /// Of all attempts.
    pub spent: Spent,
    pub attempts: u32,
    /// Who answered, where it is another model than was asked.
    pub another: Option<String>,
    /// What the provider told of one attempt, where it is more than was held for it.
    pub beyond: Option<Usage>,
}

/// What is wrong with an answer, as whoever looked at it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    pub findings: BTreeSet<AnswerFinding>,
    /// Of all attempts.
    pub spent: Spent,
    pub attempts: u32,
    /// Who answered, where it is another model than was asked.
    pub another: Option<String>,
    /// What the provider told of one attempt, where it is more than was held for it.
    pub beyond: Option<Usage>,
}

/// What a measured answer is worth, each number from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// How far it answers.
    pub relevance: f64,
    /// The part of its claims that its prompt shows.
    pub faithfulness: f64,
    /// Of all attempts.
    pub spent: Spent,
    pub attempts: u32,
}

/// A vector for each text, all of one length.
#[derive(Debug, Clone, PartialEq)]
pub struct Embeddings {
    pub vectors: Vec<Vec<f32>>,
    pub spent: Spent,
    pub attempts: u32,
    /// What the provider told of, where it is more than was held.
    pub beyond: Option<Usage>,
}

/// Nothing came of it, but it may have cost something all the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the model gave no answer: {reason}")]
pub struct ModelError {
    pub failure: ProposalFailure,
    pub spent: Spent,
    /// In our own words: it quotes neither the prompt nor the answer.
    pub reason: String,
    pub attempts: u32,
    /// Nobody answers there: no connection, a failure of the server's own, or left alone for that.
    /// One that connects and is late is no such case: something may still come of it.
    pub unreachable: bool,
    /// What the provider told of one attempt, where it is more than was held for it.
    pub beyond: Option<Usage>,
}

impl ModelError {
    pub(crate) fn before(failure: ProposalFailure, reason: &str) -> Self {
        let (spent, reason) = (Spent::default(), reason.to_owned());
        Self { failure, spent, reason, attempts: 0, unreachable: false, beyond: None }
    }
    /// The permit was given for something else.
    pub(crate) fn of_slot(slot: ModelSlot) -> Self {
        let reason = format!("the permit is for the slot `{slot}`, and not for this");
        Self::before(ProposalFailure::Budget, &reason)
    }
}
