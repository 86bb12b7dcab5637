//! What a preview shows about a request's credential.

use crate::language::Localized;
use serde::Serialize;

/// The executor does what this says, as long as the registration stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewCredential {
    pub kind: CredentialKind,
    /// The request is no registered operation: the registration lets the credential go to any path.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub any_path: bool,
    pub text: Localized,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CredentialKind {
    /// The system is registered without authentication.
    None,
    /// The stored credential is sent in a header.
    Header,
    /// The stored credential is exchanged for a token before the request.
    LogIn,
    /// The system needs a credential and none is stored: the executor refuses the step.
    Missing,
    /// The request is no registered operation: the executor refuses the step.
    NotRegistered,
    /// The registration is another one than the plan was drawn by, or gone: the plan is not run.
    SystemChanged,
}
