//! Why a profile was not changed.

use crate::error::StoreError;
use wiiiv_domain::ProfileFault;

#[derive(Debug, Clone, thiserror::Error)]
pub enum ProfileRefused {
    /// 412: it was changed elsewhere.
    #[error("the profile has changed meanwhile: version `{current}` is the current one")]
    Stale { current: u64 },
    /// 422.
    #[error(transparent)]
    Fault(#[from] ProfileFault),
    /// 403.
    #[error("a profile is written by its person alone, as an owner or editor of the project")]
    NotAllowed,
    /// 404: it was never there, or is no longer kept.
    #[error("there is no such version of the profile")]
    NoVersion,
    #[error(transparent)]
    Store(#[from] StoreError),
}
