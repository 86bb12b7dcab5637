//! What an executor reports: facts, no judgement.

use crate::digest::ContentDigest;
use serde::{Deserialize, Serialize};

/// Kind of a failure; it alone decides whether a retry is possible (execution.md 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FailureCategory {
    /// The step's own parameters or the answer break the contract; a retry would fail alike.
    ContractViolation,
    /// The file or the resource does not exist.
    ResourceNotFound,
    /// The file system or the service refused access.
    PermissionDenied,
    /// None of the others, or not known.
    Unknown,
    /// Reading or writing locally failed.
    IoError,
    /// No answer came in time.
    Timeout,
    /// The service failed or could not be reached.
    ExternalServiceError,
}

impl FailureCategory {
    /// Whether a retry may help; the step must be idempotent too.
    #[must_use]
    pub const fn may_retry(self) -> bool {
        match self {
            Self::IoError | Self::Timeout | Self::ExternalServiceError => true,
            Self::ContractViolation
            | Self::ResourceNotFound
            | Self::PermissionDenied
            | Self::Unknown => false,
        }
    }
}

/// Why a step failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StepFailure {
    /// Kind of failure, for the decision on a retry.
    pub category: FailureCategory,
    /// Stable, upper case, e.g. `HTTP_STATUS`.
    pub code: String,
    /// For people; holds no secret and no foreign text.
    pub message: String,
    /// The effect may have happened although no result came back.
    pub effect_unknown: bool,
    /// The service's `Retry-After`, in milliseconds.
    pub retry_after_ms: Option<u64>,
    /// HTTP status of an answer that refused the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// The other origin that a redirect pointed to, such as `https://host:8443`; it was not asked.
    /// The service chose it: only a host and a port, never a path or a query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirected_to: Option<String>,
    /// It failed before it began: nothing was sent and no file was touched. A record from before this
    /// field keeps its digest.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub not_started: bool,
}

/// What a step produced. The bytes are stored separately, by digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StepOutput {
    /// SHA-256 of the bytes.
    pub digest: ContentDigest,
    /// Length of the bytes.
    pub size_bytes: u64,
    /// `application/json`, `text/plain; charset=utf-8`, ...
    pub media_type: String,
    /// Came from outside (a service, a file): untrusted where it is used again.
    pub foreign: bool,
    /// HTTP status, where there is one.
    pub status: Option<u16>,
}

/// How one attempt of a step ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum StepOutcome {
    /// The step did its work.
    Success {
        /// What it produced.
        output: StepOutput,
    },
    /// The step failed.
    Failure {
        /// Why.
        failure: StepFailure,
    },
    /// Stopped before it began.
    Cancelled {
        /// Who stopped it: `user` or `run`.
        source: String,
    },
}

impl StepOutcome {
    /// Whether no effect can have happened; false in doubt.
    #[must_use]
    pub const fn is_not_started(&self) -> bool {
        match self {
            Self::Success { .. } => false,
            Self::Failure { failure } => failure.not_started && !failure.effect_unknown,
            Self::Cancelled { .. } => true,
        }
    }
}
