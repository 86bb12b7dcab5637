//! Why one attempt gave no answer.

use crate::wire::{Wire, meaning::Meaning};
use std::time::Duration;
use wiiiv_domain::{ProposalFailure, Usage};
use wiiiv_net::{Phase, ProviderError, SseFault};

#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    #[error(transparent)]
    Provider(#[from] ProviderError),
    #[error("the provider answered with status `{told}`: {meaning}")]
    Status { told: u16, meaning: Meaning, retry_after: Option<Duration>, charged: bool },
    #[error("its stream cannot be read")]
    Stream,
    #[error("its answer broke off before its end")]
    BrokenOff,
    /// An error in place of an answer, under a status that says that all is well.
    #[error("it broke off with an error of its own: {meaning}")]
    DeltaSink { meaning: Meaning, charged: bool },
    /// It came to its end, and is none.
    #[error(transparent)]
    NoAnswer(#[from] NoAnswer),
    /// Bytes or tokens past what was held.
    #[error("its answer was cut: it is longer than was asked for")]
    Cut,
    #[error("its origin is left alone for a while after failures")]
    LeftAlone,
    #[error("the request cannot be written")]
    Unsendable,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub(crate) struct NoAnswer {
    pub(super) why: Why,
    /// As the provider told it; `None` where it did not.
    pub(super) used: Option<Usage>,
    /// As it told it, where that is more than was held.
    pub(super) beyond: Option<Usage>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Why {
    #[error("it declined to answer")]
    Declined,
    #[error("it stopped for a reason of its own, before it had answered")]
    Odd,
    #[error("its context was full before it had answered")]
    Overflowed,
    #[error(
        "it read less than was sent: set `OLLAMA_CONTEXT_LENGTH` higher where the model is served"
    )]
    CutPrompt,
    #[error("its answer held the key that it was asked with: put another one in its place")]
    SaysKey,
}

/// What an attempt that gave no answer has cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cost {
    Nothing,
    Known(Usage),
    /// Nobody knows: the hold counts as spent.
    Unknown,
}

impl From<SseFault<ProviderError>> for Fault {
    fn from(fault: SseFault<ProviderError>) -> Self {
        match fault {
            SseFault::Source(error) => Self::Provider(error),
            SseFault::TooLong | SseFault::Format { .. } => Self::Stream,
        }
    }
}

impl Fault {
    /// The error's body is read for what it means, and let go.
    pub(super) fn of(wire: Wire, error: ProviderError) -> Self {
        let ProviderError::Status { code, retry_after, body } = error else {
            return Self::Provider(error);
        };
        let meaning = wire.meaning(code, body.bytes());
        Self::Status {
            told: code,
            meaning,
            retry_after: retry_after.or_else(|| wire.patience(body.bytes())),
            charged: wire.may_charge_for(meaning),
        }
    }

    pub(super) fn failure(&self) -> ProposalFailure {
        match self {
            Self::Provider(error) => match error {
                ProviderError::OriginNotApproved { .. }
                | ProviderError::KeyElsewhere { .. }
                | ProviderError::Header(_) => ProposalFailure::Auth,
                ProviderError::Timeout { .. } => ProposalFailure::Timeout,
                ProviderError::TooLarge { .. } => ProposalFailure::InvalidOutput,
                ProviderError::Unreachable { .. } | ProviderError::Interrupted { .. } => {
                    ProposalFailure::Unavailable
                }
                ProviderError::Status { code, .. } => of_meaning(Meaning::of_status(*code)),
            },
            Self::Status { meaning, .. } | Self::DeltaSink { meaning, .. } => of_meaning(*meaning),
            Self::NoAnswer(NoAnswer { why, .. }) => match why {
                Why::Declined => ProposalFailure::Refused,
                Why::Odd => ProposalFailure::InvalidOutput,
                Why::SaysKey => ProposalFailure::KeySaid,
                Why::Overflowed | Why::CutPrompt => ProposalFailure::ContextTooLong,
            },
            Self::Stream | Self::Cut => ProposalFailure::InvalidOutput,
            Self::LeftAlone | Self::Unsendable | Self::BrokenOff => ProposalFailure::Unavailable,
        }
    }

    pub(super) fn cost(&self) -> Cost {
        let charged = match self {
            Self::NoAnswer(NoAnswer { used, .. }) => {
                return used.map_or(Cost::Unknown, Cost::Known);
            }
            Self::Status { charged, .. } | Self::DeltaSink { charged, .. } => *charged,
            Self::Provider(ProviderError::Status { .. }) | Self::LeftAlone | Self::Unsendable => {
                false
            }
            Self::Provider(error) => error.may_have_been_sent(),
            Self::Stream | Self::BrokenOff | Self::Cut => true,
        };
        if charged { Cost::Unknown } else { Cost::Nothing }
    }

    pub(super) const fn beyond(&self) -> Option<Usage> {
        let Self::NoAnswer(NoAnswer { beyond, .. }) = self else { return None };
        *beyond
    }

    /// Counts towards leaving the origin alone.
    pub(super) const fn is_outage(&self) -> bool {
        match self {
            Self::Provider(error) => match error {
                ProviderError::Unreachable { .. }
                | ProviderError::Timeout { .. }
                | ProviderError::Interrupted { .. } => true,
                ProviderError::Status { code, .. } => Meaning::of_status(*code).is_outage(),
                ProviderError::OriginNotApproved { .. }
                | ProviderError::KeyElsewhere { .. }
                | ProviderError::Header(_)
                | ProviderError::TooLarge { .. } => false,
            },
            Self::Status { meaning, .. } | Self::DeltaSink { meaning, .. } => meaning.is_outage(),
            Self::BrokenOff => true,
            Self::Stream | Self::Cut | Self::NoAnswer(_) | Self::LeftAlone | Self::Unsendable => {
                false
            }
        }
    }

    /// Nobody answers there: what an answer that is only late has in common with it, the breaker
    /// counts, but nobody is stood in for.
    pub(super) const fn is_unreachable(&self) -> bool {
        match self {
            Self::LeftAlone => true,
            Self::Provider(ProviderError::Timeout { phase }) => matches!(phase, Phase::Connect),
            Self::Provider(_) | Self::Status { .. } | Self::DeltaSink { .. } | Self::BrokenOff => {
                self.is_outage()
            }
            Self::Stream | Self::Cut | Self::NoAnswer(_) | Self::Unsendable => false,
        }
    }

    /// `Some` where another attempt may help and nothing is paid for twice: how long the provider
    /// asks to wait, at least.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { meaning, retry_after, charged: false, .. } if meaning.may_pass() => {
                Some(retry_after.unwrap_or_default())
            }
            Self::DeltaSink { meaning, charged: false } if meaning.may_pass() => {
                Some(Duration::ZERO)
            }
            // Nobody was there: nothing was sent.
            Self::Provider(
                ProviderError::Unreachable { sent: false, .. }
                | ProviderError::Timeout { phase: Phase::Connect },
            ) => Some(Duration::ZERO),
            Self::Provider(_)
            | Self::Status { .. }
            | Self::DeltaSink { .. }
            | Self::Stream
            | Self::BrokenOff
            | Self::Cut
            | Self::NoAnswer(_)
            | Self::LeftAlone
            | Self::Unsendable => None,
        }
    }

    /// The model is served, by the provider's other interface.
    pub(super) const fn is_elsewhere(&self) -> bool {
        matches!(self, Self::Status { meaning: Meaning::Elsewhere, .. })
    }

    /// No such model or path there.
    pub(super) const fn is_unserved(&self) -> bool {
        matches!(self, Self::Status { meaning: Meaning::Unserved | Meaning::Elsewhere, .. })
    }

    /// The request was refused as it stands: maybe for the fields that not every server knows.
    pub(super) const fn dislikes_schema(&self) -> bool {
        matches!(
            self,
            Self::Status { meaning: Meaning::UnknownField, charged: false, .. }
                | Self::DeltaSink { meaning: Meaning::UnknownField, charged: false }
        )
    }
}

const fn of_meaning(meaning: Meaning) -> ProposalFailure {
    match meaning {
        Meaning::WrongKey | Meaning::Forbidden => ProposalFailure::Auth,
        Meaning::Unpaid => ProposalFailure::Unpaid,
        Meaning::Unserved => ProposalFailure::Unserved,
        Meaning::RateLimited => ProposalFailure::RateLimited,
        Meaning::TooLong => ProposalFailure::ContextTooLong,
        Meaning::Refused => ProposalFailure::Refused,
        Meaning::Late => ProposalFailure::Timeout,
        Meaning::UnknownField | Meaning::Elsewhere => ProposalFailure::Rejected,
        Meaning::Broken => ProposalFailure::Unavailable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_does_not_answer_is_told_from_who_is_late() {
        let late = |phase| Fault::Provider(ProviderError::Timeout { phase });
        let told = |meaning| Fault::DeltaSink { meaning, charged: false };
        for (fault, unreachable, counts) in [
            (late(Phase::Connect), true, true),
            (late(Phase::FirstByte), false, true),
            (late(Phase::Total), false, true),
            (told(Meaning::Late), true, true),
            (told(Meaning::Broken), true, true),
            (told(Meaning::RateLimited), false, false),
            (told(Meaning::Refused), false, false),
            (Fault::LeftAlone, true, false),
            (Fault::NoAnswer(NoAnswer { why: Why::Odd, used: None, beyond: None }), false, false),
            (Fault::Unsendable, false, false),
        ] {
            assert_eq!(
                (fault.is_unreachable(), fault.is_outage()),
                (unreachable, counts),
                "{fault:?}"
            );
        }
    }

    /// Behind a gateway somebody may still be at work, and is paid for.
    #[test]
    fn a_gateway_that_gave_up_is_not_asked_again() {
        let late = |wire: Wire| Fault::Status {
            told: 504,
            meaning: Meaning::Late,
            retry_after: None,
            charged: wire.may_charge_for(Meaning::Late),
        };
        let gateway = late(Wire::Compatible);
        assert_eq!((gateway.cost(), gateway.retry_after()), (Cost::Unknown, None));
        let own = late(Wire::OpenAi);
        assert_eq!((own.cost(), own.retry_after()), (Cost::Nothing, Some(Duration::ZERO)));
    }
}
