//! Why one attempt gave no answer.

use std::time::Duration;
use wiiiv_domain::ProposalFailure;
use wiiiv_net::{Phase, ProviderError, SseFault};

/// Words by which providers say that a prompt is too long.
const TOO_LONG: [&str; 4] =
    ["context_length", "context length", "maximum context", "context window"];

#[derive(Debug, thiserror::Error)]
pub(crate) enum Fault {
    #[error(transparent)]
    Provider(#[from] ProviderError),
    #[error("its stream cannot be read")]
    Stream,
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
    pub(super) fn failure(&self) -> ProposalFailure {
        match self {
            Self::Provider(error) => match error {
                ProviderError::OriginNotApproved { .. } | ProviderError::Header(_) => {
                    ProposalFailure::Auth
                }
                ProviderError::Timeout { .. } => ProposalFailure::Timeout,
                ProviderError::TooLarge { .. } => ProposalFailure::InvalidOutput,
                ProviderError::Unreachable { .. } | ProviderError::Interrupted { .. } => {
                    ProposalFailure::Unavailable
                }
                ProviderError::Status { .. } if self.says_too_long() => {
                    ProposalFailure::ContextTooLong
                }
                ProviderError::Status { code, .. } => of_status(*code),
            },
            Self::Told { code, .. } => of_status(*code),
            Self::Stream | Self::Cut => ProposalFailure::InvalidOutput,
            Self::Refused => ProposalFailure::Refused,
            Self::LeftAlone | Self::Unsendable => ProposalFailure::Unavailable,
        }
    }

    /// What a provider answers with a status is not paid for.
    pub(super) fn may_be_charged(&self) -> bool {
        match self {
            Self::Provider(ProviderError::Status { .. }) | Self::LeftAlone | Self::Unsendable => {
                false
            }
            Self::Provider(error) => error.may_have_been_sent(),
            Self::Told { begun, .. } => *begun,
            Self::Stream | Self::Cut | Self::Refused => true,
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
                | ProviderError::Header(_)
                | ProviderError::TooLarge { .. } => false,
            },
            Self::Told { code, .. } => *code >= 500,
            Self::Stream | Self::Cut | Self::Refused | Self::LeftAlone | Self::Unsendable => false,
        }
    }

    /// Nobody answers there: what an answer that is only late has in common with it, the breaker
    /// counts, but nobody is stood in for.
    pub(super) const fn is_unreachable(&self) -> bool {
        match self {
            Self::LeftAlone => true,
            Self::Provider(ProviderError::Timeout { phase }) => matches!(phase, Phase::Connect),
            Self::Provider(_) | Self::Told { .. } => self.is_outage(),
            Self::Stream | Self::Cut | Self::Refused | Self::Unsendable => false,
        }
    }

    /// `Some` where another attempt may help: how long the provider asks to wait, at least.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Provider(ProviderError::Status { code, retry_after, .. }) if may_pass(*code) => {
                Some(retry_after.unwrap_or_default())
            }
            Self::Told { code, begun: false } if may_pass(*code) => Some(Duration::ZERO),
            // Nobody was there: nothing was sent, so nothing is paid for twice.
            Self::Provider(
                ProviderError::Unreachable { sent: false, .. }
                | ProviderError::Timeout { phase: Phase::Connect },
            ) => Some(Duration::ZERO),
            Self::Provider(_)
            | Self::Told { .. }
            | Self::Stream
            | Self::Cut
            | Self::Refused
            | Self::LeftAlone
            | Self::Unsendable => None,
        }
    }

    /// The request was refused as it stands: maybe for the fields that not every server knows.
    pub(super) fn dislikes_schema(&self) -> bool {
        let refused = match self {
            Self::Provider(ProviderError::Status { code, .. })
            | Self::Told { code, begun: false } => matches!(code, 400 | 422 | 501),
            Self::Provider(_)
            | Self::Told { .. }
            | Self::Stream
            | Self::Cut
            | Self::Refused
            | Self::LeftAlone
            | Self::Unsendable => false,
        };
        refused && !self.says_too_long()
    }

    fn says_too_long(&self) -> bool {
        let Self::Provider(ProviderError::Status { code: 400 | 422, body, .. }) = self else {
            return false;
        };
        says_too_long(&String::from_utf8_lossy(body.bytes()).to_lowercase())
    }
}

/// In lower case.
pub(super) fn says_too_long(text: &str) -> bool {
    TOO_LONG.iter().any(|words| text.contains(words))
}

/// Another attempt may find it better.
const fn may_pass(status: u16) -> bool {
    status == 429 || status >= 500
}

const fn of_status(code: u16) -> ProposalFailure {
    match code {
        401 | 403 => ProposalFailure::Auth,
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
