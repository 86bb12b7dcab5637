//! Constructors of failures. Messages hold no secret and no foreign text.

use wiiiv_domain::{FailureCategory, StepFailure};

/// Nothing happened, or it is known what did.
pub(crate) fn failure(
    category: FailureCategory,
    code: &str,
    message: impl Into<String>,
) -> StepFailure {
    StepFailure {
        category,
        code: code.to_owned(),
        message: message.into(),
        effect_unknown: false,
        retry_after_ms: None,
        status: None,
        redirected_to: None,
        not_started: false,
    }
}

/// It failed before anything was begun.
pub(crate) fn not_started(failure: StepFailure) -> StepFailure {
    StepFailure { not_started: true, ..failure }
}

/// A value, a permit or a parameter that is not what the step needs. Never tried again.
pub(crate) fn contract(code: &str, message: impl Into<String>) -> StepFailure {
    failure(FailureCategory::ContractViolation, code, message)
}
