//! What can go wrong, in words that say what to do.

use crate::{approval::ApprovalState, boundary::Boundary};
use sea_orm::DbErr;
use wiiiv_domain::SessionId;

#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// 503: nothing was written.
    #[error(
        "the database is unavailable, nothing was written: {reason}; check the disk, then try again"
    )]
    Unavailable { reason: String },
    /// 503: another owner has taken the session over.
    #[error("the lease of session `{session}` is lost: another owner has taken it over")]
    LeaseLost { session: SessionId },
    #[error("there is no such {what}")]
    NotFound { what: &'static str },
    #[error("the approval is `{}`, no longer pending", state.as_str())]
    NotPending { state: ApprovalState },
    #[error("{what} is over the limit of `{max}`")]
    TooLarge { what: &'static str, max: u64 },
    #[error("a write of {what} needs the session's lease")]
    NeedsSession { what: &'static str },
    #[error("{what} cannot be read back: restore the database from a backup")]
    Corrupt { what: String },
    /// 503: reads go on.
    #[error(
        "the audit is not as this server left it, so nothing is written: {what}; export it for evidence, then \
         restore the database from a backup"
    )]
    Tampered { what: String },
    #[error("{0}")]
    Key(String),
    #[error("the claim was made by another opening of the gate: nothing was written")]
    ForeignClaim,
}

impl StoreError {
    pub(crate) fn closed() -> Self {
        Self::Unavailable { reason: "the store is closed".to_owned() }
    }
    pub(crate) fn given_up() -> Self {
        Self::Unavailable { reason: "the write was given up with its transaction".to_owned() }
    }
    pub(crate) fn tampered(what: impl Into<String>) -> Self {
        Self::Tampered { what: what.into() }
    }
    pub(crate) fn corrupt(what: impl Into<String>) -> Self {
        Self::Corrupt { what: what.into() }
    }
}

impl From<DbErr> for StoreError {
    fn from(error: DbErr) -> Self {
        Self::Unavailable { reason: error.to_string() }
    }
}

impl From<wiiiv_gate::Corrupt> for StoreError {
    fn from(error: wiiiv_gate::Corrupt) -> Self {
        Self::corrupt(error.to_string())
    }
}

impl From<wiiiv_vault::VaultError> for StoreError {
    fn from(error: wiiiv_vault::VaultError) -> Self {
        Self::Key(error.to_string())
    }
}

impl From<wiiiv_vault::SealedFormat> for StoreError {
    fn from(error: wiiiv_vault::SealedFormat) -> Self {
        Self::Key(error.to_string())
    }
}

impl From<wiiiv_vault::WrongMasterKey> for StoreError {
    fn from(error: wiiiv_vault::WrongMasterKey) -> Self {
        Self::Key(error.to_string())
    }
}

impl From<wiiiv_vault::RandomnessUnavailable> for StoreError {
    fn from(error: wiiiv_vault::RandomnessUnavailable) -> Self {
        Self::Key(error.to_string())
    }
}

impl From<wiiiv_domain::CanonicalError> for StoreError {
    fn from(error: wiiiv_domain::CanonicalError) -> Self {
        Self::corrupt(error.to_string())
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        // Its text may quote the document.
        Self::corrupt(format!("a document ({:?} error)", error.classify()))
    }
}

/// The world is not as it was judged: gather and rule again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Moved {
    #[error("the policy has changed since it was judged")]
    PolicyChanged,
    #[error("an approval is gone: consumed, expired or withdrawn")]
    ApprovalGone,
    #[error("the budget no longer has room")]
    BudgetShort,
    #[error("the project is halted")]
    Halted,
    #[error("the session's risk or taint has changed since it was judged")]
    StandingChanged,
    #[error("it was already started, or can no longer be")]
    AlreadyStarted,
}

/// A commit that wrote nothing.
#[derive(Debug, thiserror::Error)]
pub enum CommitRefused {
    /// The boundary comes back for the next ruling.
    #[error("{0}")]
    Moved(Moved, Boundary),
    #[error(transparent)]
    Unavailable(#[from] StoreError),
}
