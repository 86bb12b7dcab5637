//! A model call that was sent, and its result.

use crate::turn_documents::ShownPassages;
use wiiiv_context::TokenPlan;
use wiiiv_domain::{
    Amount, AnswerPolicy, AnswerStage, CallId, Citation, Currency, KeySource, Persona, PromptHash,
    Proposal, ProposalFailure, ProviderName, RulesHash, Spent, TaskTypes, Terms, TurnId, Usage,
    ValueSources, Why,
};
use wiiiv_llm::{Check, Completion, Embeddings, ModelError, Review};

/// The cost of a call; an unpriced model has no money amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Charge {
    pub amount: Amount,
    pub currency: Currency,
}

/// Which model is asked, and why.
#[derive(Debug, Clone)]
pub struct ModelChoice {
    pub why: Why,
    /// Position in the policy's models: 0 the first, then its fallbacks.
    pub nth: usize,
    /// The built-in understanding's proposal, if a model before this one could not be reached.
    pub instead: Option<Box<Proposal>>,
}

impl ModelChoice {
    pub const fn first(why: Why) -> Self {
        Self { why, nth: 0, instead: None }
    }
}

/// For settlement and audit.
#[derive(Debug)]
pub struct SentCall {
    pub id: CallId,
    pub turn: TurnId,
    pub provider: ProviderName,
    pub model: String,
    pub rules: RulesHash,
    pub prompt: PromptHash,
    /// Whose opinion is asked for; `None`: a proposal is.
    pub persona: Option<Persona>,
    /// What it does with an answer that is not given yet; `None`: nothing.
    pub stage: Option<AnswerStage>,
    /// What becomes of an answer in words, by the policy that it was asked under.
    pub answers: AnswerPolicy,
    pub terms: Terms,
    /// Whose key was sent.
    pub key: Option<KeySource>,
    /// The prompt contains foreign content.
    pub foreign: bool,
    /// Sources of what the prompt holds beside the user's words.
    pub read: ValueSources,
    /// A user's message: the answer may begin another task.
    pub by_user: bool,
    pub choice: ModelChoice,
    /// Keys removed from the prompt; zero for the built-in model.
    pub secrets: usize,
    /// What each part of the prompt takes; `None` of a persona's, which is not planned.
    pub plan: Option<TokenPlan>,
    /// Of the turn's documents; `None` where none were looked through for it.
    pub documents: Option<ShownPassages>,
    /// An answer that names one of these types is put aside, as documents are looked through for it first.
    pub puts_aside: TaskTypes,
}

impl SentCall {
    /// Passages that its answer may cite; `None` where none were looked through for it.
    pub fn citable(&self) -> Option<&[Citation]> {
        self.documents.as_ref().map(|shown| shown.citations.as_slice())
    }
    /// The most that it costs.
    pub fn held(&self) -> Charge {
        Charge { amount: self.terms.held(), currency: self.terms.currency() }
    }
    pub fn cost(&self, spent: &Spent) -> Charge {
        Charge { amount: self.terms.cost(spent), currency: self.terms.currency() }
    }
}

pub type ModelResult = Result<Completion, ModelError>;
pub type ReviewResult = Result<Review, ModelError>;
pub type CheckResult = Result<Check, ModelError>;
pub type EmbeddingsResult = Result<Embeddings, ModelError>;

/// What an answer tells beside its content.
#[derive(Clone, Copy)]
pub struct CallReport<'a> {
    pub spent: &'a Spent,
    pub attempts: u32,
    pub beyond: Option<Usage>,
    pub failure: Option<ProposalFailure>,
    pub another: Option<&'a str>,
}

impl<'a> CallReport<'a> {
    pub fn completion(result: &'a ModelResult) -> Self {
        Self::of(result, |done: &'a Completion| {
            (&done.spent, done.attempts, done.beyond, done.another.as_deref())
        })
    }

    pub fn review(result: &'a ReviewResult) -> Self {
        Self::of(result, |done: &'a Review| {
            (&done.spent, done.attempts, done.beyond, done.another.as_deref())
        })
    }

    pub fn check(result: &'a CheckResult) -> Self {
        Self::of(result, |done: &'a Check| {
            (&done.spent, done.attempts, done.beyond, done.another.as_deref())
        })
    }

    pub fn embeddings(result: &'a EmbeddingsResult) -> Self {
        Self::of(result, |done: &'a Embeddings| (&done.spent, done.attempts, done.beyond, None))
    }

    fn of<T>(
        result: &'a Result<T, ModelError>,
        told: impl FnOnce(&'a T) -> (&'a Spent, u32, Option<Usage>, Option<&'a str>),
    ) -> Self {
        match result {
            Ok(done) => {
                let (spent, attempts, beyond, another) = told(done);
                Self { spent, attempts, beyond, failure: None, another }
            }
            Err(error) => Self {
                spent: &error.spent,
                attempts: error.attempts,
                beyond: error.beyond,
                failure: Some(error.failure),
                another: None,
            },
        }
    }
}
