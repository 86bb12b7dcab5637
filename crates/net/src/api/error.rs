//! Why a call of the REST API failed.

use crate::api::problem::Problem;
use crate::body::BodyFault;
use crate::connector::{ClientUnavailable, reason};
use crate::header::HeaderRefused;
use crate::origin::OriginFormat;
use crate::sse::SseFault;
use crate::timeouts::Phase;

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ApiError {
    #[error("the server's address is refused: {0}")]
    Address(#[from] OriginFormat),
    #[error("the path `{path}` does not start with `/`")]
    Path { path: String },
    #[error(transparent)]
    Header(#[from] HeaderRefused),
    #[error(transparent)]
    Client(#[from] ClientUnavailable),
    #[error("the server at `{origin}` cannot be reached: `{reason}`; is it running?")]
    Unreachable { origin: String, reason: String },
    #[error("the server took too long: `{phase}` timeout")]
    Timeout { phase: Phase },
    #[error("{}: {}", .0.code, .0.title)]
    Problem(Box<Problem>),
    #[error("the server's answer is longer than `{max_bytes}` bytes")]
    TooLarge { max_bytes: usize },
    #[error("the server's answer broke off: `{reason}`")]
    Interrupted { reason: String },
    #[error("the server's answer is not JSON: `{reason}`")]
    NotJson { reason: String },
    #[error("the server's event stream is broken: `{reason}`")]
    Events { reason: String },
}

impl ApiError {
    pub(crate) fn of_send(error: &reqwest::Error, origin: &str) -> Self {
        if error.is_timeout() {
            return Self::Timeout { phase: Phase::Connect };
        }
        Self::Unreachable { origin: origin.to_owned(), reason: reason(error) }
    }

    pub(crate) fn of_body(fault: BodyFault, max_bytes: usize) -> Self {
        match fault {
            BodyFault::Timeout(phase) => Self::Timeout { phase },
            BodyFault::TooLarge => Self::TooLarge { max_bytes },
            BodyFault::Interrupted { reason } => Self::Interrupted { reason },
        }
    }
}

impl From<SseFault<ApiError>> for ApiError {
    fn from(fault: SseFault<Self>) -> Self {
        match fault {
            SseFault::Source(error) => error,
            SseFault::TooLong | SseFault::Format { .. } => {
                Self::Events { reason: fault.to_string() }
            }
        }
    }
}
