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
    /// What a call may cost does not fit into a budget.
    Budget,
    /// Money is capped, and the model has no price.
    Unpriced,
    /// There is no key, or the provider does not accept it.
    Key,
    /// No administrator approved the provider's origin.
    Origin,
    /// The account at the provider has no credit.
    Credit,
    /// A halt stands.
    Halted,
    /// The provider was out of reach, over its limit or too late.
    Unreachable,
    /// It gave no vector that can be used: it has no such model, or another fault.
    Failed,
}

impl NotCompared {
    /// Of an ingest that is ready without vectors.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NoRight => "NOT_EMBEDDED_NO_RIGHT",
            Self::Budget => "NOT_EMBEDDED_BUDGET",
            Self::Unpriced => "NOT_EMBEDDED_UNPRICED",
            Self::Key => "NOT_EMBEDDED_KEY",
            Self::Origin => "NOT_EMBEDDED_ORIGIN",
            Self::Credit => "NOT_EMBEDDED_CREDIT",
            Self::Halted => "NOT_EMBEDDED_HALTED",
            Self::Unreachable => "NOT_EMBEDDED_UNREACHABLE",
            Self::NotEmbedded | Self::Failed => "NOT_EMBEDDED",
        }
    }

    /// Of a call that failed. To an origin that nobody approved no key is sent, which looks like one that is lacking.
    pub fn of_call(failure: ProposalFailure, is_approved: bool) -> Self {
        match Self::from(failure) {
            Self::Key if !is_approved => Self::Origin,
            why => why,
        }
    }
}

impl From<ProposalFailure> for NotCompared {
    fn from(failure: ProposalFailure) -> Self {
        match failure {
            ProposalFailure::Budget => Self::Budget,
            ProposalFailure::Unpriced => Self::Unpriced,
            ProposalFailure::Auth => Self::Key,
            ProposalFailure::Unpaid => Self::Credit,
            ProposalFailure::Halted => Self::Halted,
            // The policy names another model by now.
            ProposalFailure::NotAllowed => Self::NotEmbedded,
            ProposalFailure::RateLimited
            | ProposalFailure::Unavailable
            | ProposalFailure::Timeout => Self::Unreachable,
            ProposalFailure::InvalidOutput
            | ProposalFailure::KeySaid
            | ProposalFailure::Rejected
            | ProposalFailure::Refused
            | ProposalFailure::ContextTooLong
            | ProposalFailure::Unserved => Self::Failed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NotCompared;
    use std::collections::BTreeSet;
    use wiiiv_domain::ProposalFailure;

    #[test]
    fn what_is_mended_otherwise_has_a_code_of_its_own() {
        let of = |failure: ProposalFailure| NotCompared::from(failure).code();
        let failures = [
            ProposalFailure::Budget,
            ProposalFailure::Unpriced,
            ProposalFailure::Auth,
            ProposalFailure::Unpaid,
            ProposalFailure::Halted,
            ProposalFailure::Timeout,
            ProposalFailure::Unserved,
        ];
        let codes: BTreeSet<&str> = failures.into_iter().map(of).collect();
        assert_eq!(codes.len(), failures.len(), "{codes:?}");
        let call = NotCompared::of_call;
        assert_eq!(call(ProposalFailure::Auth, false), NotCompared::Origin);
        assert_eq!(call(ProposalFailure::Auth, true), NotCompared::Key);
        assert_eq!(call(ProposalFailure::Timeout, false), NotCompared::Unreachable);
    }
}
