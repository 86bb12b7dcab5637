//! The trial of a model and its result.

use std::time::Duration;
use wiiiv_domain::{
    Amount, Currency, KeySource, ModelSlot, PromptHash, ProposalFailure, ProviderName, RulesHash,
    Usage,
};

/// What is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrialOf {
    pub slot: ModelSlot,
    /// Sends a picture of one colour, and asks for the colour.
    pub picture: bool,
}

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
    /// Of the prompt, where one was sent.
    pub hashes: Option<(RulesHash, PromptHash)>,
    /// The model that answered, as its provider names it, where another one was asked.
    pub another: Option<String>,
    /// The provider's own count of one attempt, where it is more than was held.
    pub beyond: Option<Usage>,
    /// A reason is in our own words.
    pub gave: Result<Gave, (ProposalFailure, String)>,
}

impl Trial {
    /// Before anything was sent.
    pub(crate) fn unsent(
        slot: ModelSlot,
        (provider, model): (ProviderName, &str),
        gave: Result<Gave, (ProposalFailure, String)>,
    ) -> Self {
        Self {
            slot,
            provider,
            model: model.to_owned(),
            key: None,
            took: Duration::ZERO,
            attempts: 0,
            usage: Usage::default(),
            amount: Amount::default(),
            currency: Currency::default(),
            hashes: None,
            another: None,
            beyond: None,
            gave,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gave {
    /// A proposal in the schema.
    Proposal,
    /// The same; whether it named the colour of the picture.
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
