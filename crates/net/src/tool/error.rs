//! Why a request was refused or failed.

use std::net::IpAddr;

use crate::body::BodyFault;
use crate::connector::{ClientUnavailable, reason};
use crate::header::HeaderRefused;
use crate::origin::Origin;
use crate::tool::address::Reach;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EgressError {
    #[error("the URL is refused: {reason}")]
    UrlRefused { reason: UrlFault },
    #[error("`{origin}` is not on the project's egress list: add the host to the policy")]
    HostNotAllowed { origin: String },
    #[error(
        "`{origin}` leads to the {reach} address `{address}`: the policy must allow private addresses for this host by name"
    )]
    ForbiddenAddress { origin: String, address: IpAddr, reach: Reach },
    #[error("the host `{host}` has no known address: `{reason}`")]
    Resolve { host: String, reason: String },
    #[error(transparent)]
    Header(#[from] HeaderRefused),
    #[error(transparent)]
    Client(#[from] ClientUnavailable),
    #[error("redirect `{hop}` was not followed: {reason}")]
    Redirect { hop: usize, reason: RedirectFault },
    #[error("the answer is longer than `{max_bytes}` bytes")]
    TooLarge { max_bytes: usize },
    #[error("the service took too long")]
    Timeout { sent: bool },
    #[error("the service cannot be reached: `{reason}`")]
    Unreachable { sent: bool, reason: String },
    #[error("the answer broke off: `{reason}`")]
    Interrupted { reason: String },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UrlFault {
    #[error("its scheme is not `http` or `https`")]
    Scheme,
    #[error("it names no host")]
    NoHost,
    #[error("it names a user or password")]
    UserInfo,
    #[error("its host ends with a dot: write it without")]
    TrailingDot,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RedirectFault {
    #[error("there are more than `{max}` in a row")]
    TooMany { max: usize },
    /// `target`: where it leads, if that is another origin.
    #[error("status `{status}` answers a request that is not a bare GET or HEAD")]
    NotRepeatable { status: u16, target: Option<Origin> },
    #[error("its location is not an HTTP URL")]
    Location,
    #[error("it leads to `{target}`, which is another origin")]
    OtherOrigin { target: Origin },
    #[error("it leads to a path of the same origin that the request may not go to")]
    OtherPath,
    #[error("{0}")]
    Refused(Box<EgressError>),
}

impl EgressError {
    /// Whether the service may have seen the request, and so may have acted on it. In doubt, yes.
    #[must_use]
    pub fn may_have_been_sent(&self) -> bool {
        match self {
            Self::UrlRefused { .. }
            | Self::HostNotAllowed { .. }
            | Self::ForbiddenAddress { .. }
            | Self::Resolve { .. }
            | Self::Header(_)
            | Self::Client(_) => false,
            Self::Timeout { sent } | Self::Unreachable { sent, .. } => *sent,
            Self::Redirect { .. } | Self::TooLarge { .. } | Self::Interrupted { .. } => true,
        }
    }

    /// The other origin that a redirect pointed to. Its host is the service's own choice.
    #[must_use]
    pub fn redirected_to(&self) -> Option<&Origin> {
        let Self::Redirect { reason, .. } = self else { return None };
        match reason {
            RedirectFault::OtherOrigin { target } => Some(target),
            RedirectFault::NotRepeatable { target, .. } => target.as_ref(),
            RedirectFault::TooMany { .. }
            | RedirectFault::Location
            | RedirectFault::OtherPath
            | RedirectFault::Refused(_) => None,
        }
    }

    /// The same fault, met on the way that a redirect pointed.
    pub(crate) fn on_redirect(self, hop: usize) -> Self {
        match self {
            Self::UrlRefused { .. }
            | Self::HostNotAllowed { .. }
            | Self::ForbiddenAddress { .. }
            | Self::Resolve { .. } => {
                Self::Redirect { hop, reason: RedirectFault::Refused(Box::new(self)) }
            }
            Self::Timeout { sent: _ } => Self::Timeout { sent: true },
            Self::Unreachable { sent: _, reason } => Self::Unreachable { sent: true, reason },
            Self::Header(_)
            | Self::Client(_)
            | Self::Redirect { .. }
            | Self::TooLarge { .. }
            | Self::Interrupted { .. } => self,
        }
    }

    // INVARIANT: `sent` is false only where no connection came about.
    pub(crate) fn of_send(error: &reqwest::Error) -> Self {
        let sent = !error.is_connect();
        if error.is_timeout() {
            Self::Timeout { sent }
        } else {
            Self::Unreachable { sent, reason: reason(error) }
        }
    }

    pub(crate) fn of_body(fault: BodyFault, max_bytes: usize) -> Self {
        match fault {
            BodyFault::Timeout(_) => Self::Timeout { sent: true },
            BodyFault::TooLarge => Self::TooLarge { max_bytes },
            BodyFault::Interrupted { reason } => Self::Interrupted { reason },
        }
    }
}
