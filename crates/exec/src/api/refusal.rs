//! Why there is no answer, in the categories that decide about a retry.

use crate::fault::failure;
use wiiiv_domain::{FailureCategory, StepFailure};
use wiiiv_net::{EgressError, RedirectFault};

/// `acts`: a request that was sent may have had an effect.
pub(crate) fn failure_of(error: &EgressError, acts: bool) -> StepFailure {
    let (category, code) = class(error);
    let message = match error {
        EgressError::Redirect { reason: RedirectFault::NotRepeatable { status }, .. } => format!(
            "the service answered with status `{status}`, which sends the request elsewhere: it \
             was not sent again"
        ),
        // Where a redirect leads is the service's own text.
        EgressError::Redirect { hop, .. } => {
            format!("redirect `{hop}` leads where the request may not go: it was not followed")
        }
        EgressError::UrlRefused { .. }
        | EgressError::HostNotAllowed { .. }
        | EgressError::ForbiddenAddress { .. }
        | EgressError::Resolve { .. }
        | EgressError::Header(_)
        | EgressError::Client(_)
        | EgressError::TooLarge { .. }
        | EgressError::Timeout { .. }
        | EgressError::Unreachable { .. }
        | EgressError::Interrupted { .. } => error.to_string(),
    };
    let effect_unknown = acts && error.may_have_been_sent() && !was_answered(error);
    StepFailure { effect_unknown, ..failure(category, code, message) }
}

/// The service has seen the request and said what became of it: nothing is in doubt.
const fn was_answered(error: &EgressError) -> bool {
    match error {
        EgressError::Redirect { reason: RedirectFault::NotRepeatable { .. }, .. } => true,
        EgressError::UrlRefused { .. }
        | EgressError::HostNotAllowed { .. }
        | EgressError::ForbiddenAddress { .. }
        | EgressError::Resolve { .. }
        | EgressError::Header(_)
        | EgressError::Client(_)
        | EgressError::Redirect { .. }
        | EgressError::TooLarge { .. }
        | EgressError::Timeout { .. }
        | EgressError::Unreachable { .. }
        | EgressError::Interrupted { .. } => false,
    }
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
        EgressError::Redirect { reason: RedirectFault::Refused(_), .. } => {
            (FailureCategory::PermissionDenied, "REDIRECT_REFUSED")
        }
        EgressError::Redirect { reason: RedirectFault::NotRepeatable { .. }, .. } => {
            (FailureCategory::ContractViolation, "HTTP_STATUS")
        }
        EgressError::Redirect {
            reason:
                RedirectFault::TooMany { .. } | RedirectFault::Location | RedirectFault::Downgrade,
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
