//! Why there is no answer, in the categories that decide about a retry.

use crate::fault::failure;
use wiiiv_domain::{FailureCategory, HttpMethod, StepFailure};
use wiiiv_net::{EgressError, RedirectFault};

pub(super) fn failure_of(error: &EgressError, method: HttpMethod) -> StepFailure {
    let (category, code) = class(error);
    let message = match error {
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
    let effect_unknown = error.may_have_been_sent() && !method.is_safe();
    StepFailure { effect_unknown, ..failure(category, code, message) }
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
        EgressError::Redirect {
            reason:
                RedirectFault::TooMany { .. }
                | RedirectFault::NotRepeatable { .. }
                | RedirectFault::Location
                | RedirectFault::Downgrade,
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
