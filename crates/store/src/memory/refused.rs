//! Why a memory was not changed.

use crate::error::StoreError;
use wiiiv_domain::MemoryTextError;

#[derive(Debug, Clone, thiserror::Error)]
pub enum MemoryRefused {
    /// 412: somebody was faster.
    #[error("the memory has changed meanwhile: version `{current}` is the current one")]
    Stale { current: u64 },
    /// 422.
    #[error(transparent)]
    Text(#[from] MemoryTextError),
    /// 403.
    #[error(
        "a person's memory is written by that person alone, a project's by its owners and editors"
    )]
    NotAllowed,
    #[error(transparent)]
    Store(#[from] StoreError),
}
