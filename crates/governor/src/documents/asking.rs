//! What a provider's model is asked for, and what comes of it.

use super::{embedder::EmbedKind, outgoing::Out};
use std::sync::Arc;
use wiiiv_domain::ProposalFailure;
use wiiiv_retrieval::Vector;

/// Texts of one call.
pub const TEXTS_AT_ONCE: usize = 32;

/// Texts for the model of that name: where the policy names another one by then, none is sent.
#[derive(Clone)]
pub struct EmbedTexts {
    pub name: String,
    pub texts: Vec<String>,
    pub kind: EmbedKind,
    /// Of a question: dropped when its call has ended, also where nobody waits for it any more.
    pub out: Option<Arc<Out>>,
}

/// One for each text, in their order.
pub struct MadeVectors {
    /// What they are kept under.
    pub embedder: String,
    pub vectors: Vec<Vector>,
}

/// Why a project's documents are found by their words alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotCompared {
    /// They have no vectors of the model that the policy names, or those of another one.
    NotEmbedded,
    /// Whoever asks may ask for no work there, which a call would be.
    NoRight,
    /// What a call may cost does not fit into a budget, or has no price.
    Budget,
    /// The model could not be used: no key that the provider accepts, an origin that is not approved, a halt, or another
    /// policy by then.
    Refused,
    /// The provider gave no vector.
    Failed,
}

impl NotCompared {
    /// Of an ingest that is ready without vectors.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Budget => "NOT_EMBEDDED_BUDGET",
            Self::NoRight | Self::Refused => "NOT_EMBEDDED_REFUSED",
            Self::NotEmbedded | Self::Failed => "NOT_EMBEDDED",
        }
    }
}

impl From<ProposalFailure> for NotCompared {
    fn from(failure: ProposalFailure) -> Self {
        match failure {
            ProposalFailure::Budget | ProposalFailure::Unpriced => Self::Budget,
            ProposalFailure::Auth
            | ProposalFailure::Halted
            | ProposalFailure::NotAllowed
            | ProposalFailure::Unpaid => Self::Refused,
            ProposalFailure::RateLimited
            | ProposalFailure::Unavailable
            | ProposalFailure::Timeout
            | ProposalFailure::InvalidOutput
            | ProposalFailure::KeySaid
            | ProposalFailure::Rejected
            | ProposalFailure::Refused
            | ProposalFailure::ContextTooLong
            | ProposalFailure::Unserved => Self::Failed,
        }
    }
}
