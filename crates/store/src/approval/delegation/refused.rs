//! Why a right was not lent, or a delegation not ended.

use crate::error::StoreError;
use wiiiv_gate::EvidenceError;

/// Of one person in one project, that are not over yet.
pub const DELEGATIONS_OPEN_MAX: i64 = 20;

#[derive(Debug, Clone, thiserror::Error)]
pub enum DelegationRefused {
    /// 422.
    #[error("nobody stands in for themselves: name another member of the project")]
    Yourself,
    /// 422.
    #[error("that person is no member of this project, or their account is closed")]
    NotMember,
    /// 409.
    #[error("this right is lent to that person in this time already: end that delegation first")]
    Overlaps,
    /// 409.
    #[error(
        "`{DELEGATIONS_OPEN_MAX}` delegations of one person run already: end one of them first"
    )]
    TooMany,
    /// 409: it was ended, or its time is.
    #[error("this delegation is over")]
    Over,
    /// The person has no such right, or the window is none.
    #[error(transparent)]
    NotProven(#[from] EvidenceError),
    #[error(transparent)]
    Store(#[from] StoreError),
}
