//! Why a registration was refused.

use crate::error::StoreError;
use wiiiv_domain::{SYSTEMS_MAX, SystemError, SystemName};
use wiiiv_vault::CredentialError;

#[derive(Debug, Clone, thiserror::Error)]
pub enum SystemRefused {
    /// Somebody was faster, or there is one where a new one was meant (412).
    #[error("the system has changed meanwhile: revision `{current}` is the current one")]
    Stale { current: u64 },
    #[error("there is no such system in this project")]
    NotFound,
    #[error("a project keeps at most `{SYSTEMS_MAX}` systems: remove one first")]
    TooMany,
    #[error("the name or alias `{word}` is already a word for the system `{by}`")]
    WordTaken { word: String, by: SystemName },
    #[error(transparent)]
    Invalid(#[from] SystemError),
    /// What the system's kind of authentication does not go with.
    #[error("{0}")]
    Unfit(&'static str),
    #[error(transparent)]
    Credential(#[from] CredentialError),
    #[error(transparent)]
    Store(#[from] StoreError),
}
