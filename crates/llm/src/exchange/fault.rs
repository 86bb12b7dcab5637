//! Why one attempt gave no answer.

use crate::wire::Wire;
use std::time::Duration;
use wiiiv_domain::ProposalFailure;
use wiiiv_net::{Phase, ProviderError, SseFault};

#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// `code`: what the status that it told means.
    #[error("the provider answered with status `{told}`")]
    Status { told: u16, code: u16, retry_after: Option<Duration> },
    #[error("its stream cannot be read")]
    Stream,
    #[error("its answer broke off before its end")]
    BrokenOff,
    /// An error in place of an answer, under a status that says that all is well; as the status
    /// that it would have been. `begun`: words came before it.
    #[error("it broke off with an error of its own, status `{code}`")]
    Told { code: u16, begun: bool },
    /// Bytes or tokens past what was held.
    #[error("its answer was cut: it is longer than was asked for")]
    Cut,
    #[error("it declined to answer")]
    Refused,
    #[error("its origin is left alone for a while after failures")]
    LeftAlone,
    #[error("the request cannot be written")]
    Unsendable,
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
        match error {
            ProviderError::Status { code, retry_after, body } => Self::Status {
                told: code,
                code: wire.meaning(code, body.bytes()),
                retry_after: retry_after.or_else(|| wire.patience(body.bytes())),
            },
            ProviderError::OriginNotApproved { .. }
            | ProviderError::KeyElsewhere { .. }
            | ProviderError::Header(_)
            | ProviderError::Unreachable { .. }
            | ProviderError::Timeout { .. }
            | ProviderError::TooLarge { .. }
            | ProviderError::Interrupted { .. } => Self::Provider(error),
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
                ProviderError::Status { code, .. } => of_status(*code),
            },
            Self::Status { code, .. } | Self::Told { code, .. } => of_status(*code),
            Self::Stream | Self::Cut => ProposalFailure::InvalidOutput,
            Self::Refused => ProposalFailure::Refused,
            Self::LeftAlone | Self::Unsendable | Self::BrokenOff => ProposalFailure::Unavailable,
        }
    }

    /// What a provider answers with a status is not paid for.
    pub(super) fn may_be_charged(&self) -> bool {
        match self {
            Self::Provider(ProviderError::Status { .. })
            | Self::Status { .. }
            | Self::LeftAlone
            | Self::Unsendable => false,
            Self::Provider(error) => error.may_have_been_sent(),
            Self::Told { begun, .. } => *begun,
            Self::Stream | Self::BrokenOff | Self::Cut | Self::Refused => true,
        }
    }

    /// Counts towards leaving the origin alone.
    pub(super) const fn is_outage(&self) -> bool {
        match self {
            Self::Provider(error) => match error {
                ProviderError::Unreachable { .. }
                | ProviderError::Timeout { .. }
                | ProviderError::Interrupted { .. } => true,
                ProviderError::Status { code, .. } => *code >= 500,
                ProviderError::OriginNotApproved { .. }
                | ProviderError::KeyElsewhere { .. }
                | ProviderError::Header(_)
                | ProviderError::TooLarge { .. } => false,
            },
            Self::Status { code, .. } | Self::Told { code, .. } => *code >= 500,
            Self::BrokenOff => true,
            Self::Stream | Self::Cut | Self::Refused | Self::LeftAlone | Self::Unsendable => false,
        }
    }

    /// Nobody answers there: what an answer that is only late has in common with it, the breaker
    /// counts, but nobody is stood in for.
    pub(super) const fn is_unreachable(&self) -> bool {
        match self {
            Self::LeftAlone => true,
            Self::Provider(ProviderError::Timeout { phase }) => matches!(phase, Phase::Connect),
            Self::Provider(_) | Self::Status { .. } | Self::Told { .. } | Self::BrokenOff => {
                self.is_outage()
            }
            Self::Stream | Self::Cut | Self::Refused | Self::Unsendable => false,
        }
    }

    /// `Some` where another attempt may help: how long the provider asks to wait, at least.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { code, retry_after, .. } if may_pass(*code) => {
                Some(retry_after.unwrap_or_default())
            }
            Self::Told { code, begun: false } if may_pass(*code) => Some(Duration::ZERO),
            // Nobody was there: nothing was sent, so nothing is paid for twice.
            Self::Provider(
                ProviderError::Unreachable { sent: false, .. }
                | ProviderError::Timeout { phase: Phase::Connect },
            ) => Some(Duration::ZERO),
            Self::Provider(_)
            | Self::Status { .. }
            | Self::Told { .. }
            | Self::Stream
            | Self::BrokenOff
            | Self::Cut
            | Self::Refused
            | Self::LeftAlone
            | Self::Unsendable => None,
        }
    }

    /// The request was refused as it stands: maybe for the fields that not every server knows.
    pub(super) const fn dislikes_schema(&self) -> bool {
        match self {
            Self::Status { code, .. } | Self::Told { code, begun: false } => {
                matches!(code, 400 | 422 | 501)
            }
            Self::Provider(_)
            | Self::Told { .. }
            | Self::Stream
            | Self::BrokenOff
            | Self::Cut
            | Self::Refused
            | Self::LeftAlone
            | Self::Unsendable => false,
        }
    }
}

/// Another attempt may find it better.
const fn may_pass(status: u16) -> bool {
    status == 429 || status >= 500
}

const fn of_status(code: u16) -> ProposalFailure {
    match code {
        401 | 403 => ProposalFailure::Auth,
        402 => ProposalFailure::Budget,
        429 => ProposalFailure::RateLimited,
        413 => ProposalFailure::ContextTooLong,
        408 | 504 => ProposalFailure::Timeout,
        _ => ProposalFailure::Unavailable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_does_not_answer_is_told_from_who_is_late() {
        let late = |phase| Fault::Provider(ProviderError::Timeout { phase });
        let told = |code| Fault::Told { code, begun: false };
        for (fault, unreachable, counts) in [
            (late(Phase::Connect), true, true),
            (late(Phase::FirstByte), false, true),
            (late(Phase::Total), false, true),
            (told(504), true, true),
            (told(500), true, true),
            (told(408), false, false),
            (told(429), false, false),
            (Fault::LeftAlone, true, false),
            (Fault::Refused, false, false),
            (Fault::Unsendable, false, false),
        ] {
            assert_eq!(
                (fault.is_unreachable(), fault.is_outage()),
                (unreachable, counts),
                "{fault:?}"
            );
        }
    }
}
