//! Errors of a plan: the node, and how to mend it.

use crate::{
    jq::JqError,
    validate::limits::{RETRY_ATTEMPTS_MAX, RETRY_BACKOFF_MS_MAX},
};
use wiiiv_domain::{BOUND_BYTES_MAX, NODES_MAX, PathError, StepId};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error("the plan has no step: add one")]
    Empty,
    #[error("the plan has `{found}` steps, at most `{NODES_MAX}`: split it")]
    TooManyNodes { found: usize },
    #[error("step `{step}` is there twice: give each its own id")]
    DuplicateId { step: StepId },
    #[error("step `{step}` depends on `{on}`, which is not in the plan: name another")]
    UnknownDependency { step: StepId, on: StepId },
    #[error("step `{step}` depends on itself in the end: break the circle")]
    Cycle { step: StepId },
    #[error(
        "step `{step}` uses the output of `{from}` without depending on it: add it to dependsOn"
    )]
    NotADependency { step: StepId, from: StepId },
    #[error(
        "step `{step}`: `{argument}` is bound to at most `{bytes}` bytes: allow 1 to \
         `{BOUND_BYTES_MAX}`, and less for a file name or a part of a URL"
    )]
    Bound { step: StepId, argument: String, bytes: u64 },
    #[error("step `{step}`: `{argument}` is longer than `{BOUND_BYTES_MAX}` bytes: shorten it")]
    LiteralTooLong { step: StepId, argument: String },
    #[error("step `{step}`: {error}")]
    Expr { step: StepId, error: JqError },
    #[error("step `{step}`: {error}")]
    Path { step: StepId, error: PathError },
    #[error("step `{step}`: the file name is no single name: put directories into `directory`")]
    FileName { step: StepId },
    #[error("step `{step}`: the place is no host of an `http` or `https` URL: name one")]
    Url { step: StepId },
    #[error("step `{step}`: a request with this method takes no body: leave it out")]
    BodyNotAllowed { step: StepId },
    #[error("step `{step}`: a body and its content type go together: give both or none")]
    ContentType { step: StepId },
    #[error("step `{step}` is not of the kind that its parameters are: correct `type`")]
    Kind { step: StepId },
    #[error("step `{step}` does not have the effect that its parameters have: correct `effect`")]
    Effect { step: StepId },
    #[error("step `{step}`: a condition is a JSON value: bind `when` as `json`")]
    ConditionKind { step: StepId },
    #[error(
        "step `{step}`: 1 to `{RETRY_ATTEMPTS_MAX}` attempts and at most `{RETRY_BACKOFF_MS_MAX}` \
         ms between them: correct `retry`"
    )]
    Retry { step: StepId },
}
