//! Why a provider gave no answer.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;

use crate::body::BodyFault;
use crate::connector::reason;
use crate::header::HeaderRefused;
use crate::timeouts::Phase;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    #[error("the origin `{origin}` is not approved: the server's operator can approve it")]
    OriginNotApproved { origin: String },
    #[error("the key is bound to another origin than `{origin}`: store one for this origin")]
    KeyElsewhere { origin: String },
    #[error(transparent)]
    Header(#[from] HeaderRefused),
    #[error("the provider cannot be reached: `{reason}`")]
    Unreachable { sent: bool, reason: String },
    #[error("the provider took too long: `{phase}` timeout")]
    Timeout { phase: Phase },
    #[error("the provider answered with status `{code}`")]
    Status { code: u16, retry_after: Option<Duration>, body: ErrorBody },
    #[error("the provider's answer is longer than `{max_bytes}` bytes")]
    TooLarge { max_bytes: usize },
    #[error("the provider's answer broke off: `{reason}`")]
    Interrupted { reason: String },
}

impl ProviderError {
    /// Whether the provider may have seen the request, and so may charge for it. In doubt, yes.
    #[must_use]
    pub fn may_have_been_sent(&self) -> bool {
        match self {
            Self::OriginNotApproved { .. } | Self::KeyElsewhere { .. } | Self::Header(_) => false,
            Self::Unreachable { sent, .. } => *sent,
            Self::Timeout { phase } => match phase {
                Phase::Connect => false,
                Phase::FirstByte | Phase::BetweenChunks | Phase::Total => true,
            },
            Self::Status { .. } | Self::TooLarge { .. } | Self::Interrupted { .. } => true,
        }
    }

    pub(crate) fn of_send(error: &reqwest::Error) -> Self {
        if error.is_connect() && error.is_timeout() {
            return Self::Timeout { phase: Phase::Connect };
        }
        Self::Unreachable { sent: !error.is_connect(), reason: reason(error) }
    }

    pub(crate) fn of_body(fault: BodyFault, max_bytes: usize) -> Self {
        match fault {
            BodyFault::Timeout(phase) => Self::Timeout { phase },
            BodyFault::TooLarge => Self::TooLarge { max_bytes },
            BodyFault::Interrupted { reason } => Self::Interrupted { reason },
        }
    }
}

/// The start of an error's body: to be read by code. It may quote the request, so it is never
/// shown or logged.
#[derive(Clone, PartialEq, Eq)]
pub struct ErrorBody(pub(crate) Bytes);

impl ErrorBody {
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for ErrorBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ErrorBody({} bytes)", self.0.len())
    }
}
