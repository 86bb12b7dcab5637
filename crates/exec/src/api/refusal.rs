//! Why a request has no answer, in the categories that decide about a retry.

use super::redact::Secrets;
use crate::fault::failure;
use wiiiv_domain::{FailureCategory, StepFailure};
use wiiiv_net::{EgressError, RedirectFault};

/// `acts`: a request that was sent may have had an effect. `secrets`: what went out with it.
pub(crate) fn failure_of(error: &EgressError, acts: bool, secrets: &Secrets) -> StepFailure {
    let (category, code) = class(error);
    // A host is the service's own choice: it may spell what it was sent.
    let target = error.redirected_to().map(ToString::to_string);
    let target = target.filter(|target| !secrets.are_in_host(target));
    let message = if let EgressError::Redirect { hop, reason } = error {
        redirected(*hop, reason, target.as_deref())
    } else {
        error.to_string()
    };
    let effect_unknown = acts && error.may_have_been_sent() && !was_answered(error);
    let (redirected_to, not_started) = (target, was_not_begun(error));
    let failed = failure(category, code, message);
    StepFailure { effect_unknown, not_started, redirected_to, ..failed }
}

/// Of where it leads, the origin alone is told: all else is the service's own text.
fn redirected(hop: usize, reason: &RedirectFault, target: Option<&str>) -> String {
    let leads = target.map_or_else(|| "elsewhere".to_owned(), |target| format!("to `{target}`"));
    match reason {
        RedirectFault::NotRepeatable { status, target: _ } => format!(
            "the service answered with status `{status}`, which sends the request {leads}: it was \
             not sent again"
        ),
        RedirectFault::OtherOrigin { .. } => format!(
            "redirect `{hop}` leads {leads}, which is not the origin of the plan: it was not \
             followed; ask for that address to go there"
        ),
        RedirectFault::OtherPath => format!(
            "redirect `{hop}` leads to a path that is none of the system's registered operations: \
             it was not followed"
        ),
        RedirectFault::TooMany { .. } | RedirectFault::Location | RedirectFault::Refused(_) => {
            format!("redirect `{hop}` leads where the request may not go: it was not followed")
        }
    }
}

/// No connection came about, so no byte of the request left. What a client says of itself may be said
/// behind a redirect, and is no proof.
const fn was_not_begun(error: &EgressError) -> bool {
    match error {
        EgressError::UrlRefused { .. }
        | EgressError::HostNotAllowed { .. }
        | EgressError::ForbiddenAddress { .. }
        | EgressError::Resolve { .. } => true,
        EgressError::Timeout { sent } | EgressError::Unreachable { sent, .. } => !*sent,
        EgressError::Header(_)
        | EgressError::Client(_)
        | EgressError::Redirect { .. }
        | EgressError::TooLarge { .. }
        | EgressError::Interrupted { .. } => false,
    }
}

/// The service has seen the request and said what became of it: nothing is in doubt.
const fn was_answered(error: &EgressError) -> bool {
    matches!(error, EgressError::Redirect { reason: RedirectFault::NotRepeatable { .. }, .. })
}

fn class(error: &EgressError) -> (FailureCategory, &'static str) {
    match error {
        EgressError::UrlRefused { .. } => (FailureCategory::ContractViolation, "URL_REFUSED"),
        EgressError::HostNotAllowed { .. } => {
            (FailureCategory::PermissionDenied, "HOST_NOT_ALLOWED")
        }
        EgressError::ForbiddenAddress { .. } => {
            (FailureCategory::PermissionDenied, "ADDRESS_NOT_ALLOWED")
        }
        EgressError::Resolve { .. } => (FailureCategory::ExternalServiceError, "HOST_UNKNOWN"),
        EgressError::Header(_) => (FailureCategory::ContractViolation, "HEADER_REFUSED"),
        EgressError::Client(_) => (FailureCategory::Unknown, "CLIENT_UNAVAILABLE"),
        EgressError::Redirect {
            reason:
                RedirectFault::Refused(_) | RedirectFault::OtherOrigin { .. } | RedirectFault::OtherPath,
            ..
        } => (FailureCategory::PermissionDenied, "REDIRECT_REFUSED"),
        EgressError::Redirect { reason: RedirectFault::NotRepeatable { .. }, .. } => {
            (FailureCategory::ContractViolation, "HTTP_STATUS")
        }
        EgressError::Redirect {
            reason: RedirectFault::TooMany { .. } | RedirectFault::Location,
            ..
        } => (FailureCategory::ContractViolation, "REDIRECT_REFUSED"),
        EgressError::TooLarge { .. } => (FailureCategory::ContractViolation, "ANSWER_TOO_LARGE"),
        EgressError::Timeout { .. } => (FailureCategory::Timeout, "TIMEOUT"),
        EgressError::Unreachable { .. } => (FailureCategory::ExternalServiceError, "UNREACHABLE"),
        EgressError::Interrupted { .. } => {
            (FailureCategory::ExternalServiceError, "ANSWER_INTERRUPTED")
        }
    }
}
