//! Why a halt or its end was refused.

use crate::error::StoreError;

#[derive(Debug, Clone, thiserror::Error)]
pub enum HaltRefused {
    /// 409.
    #[error("it is halted already")]
    AlreadyHalted,
    /// 409.
    #[error("it is not halted")]
    NotHalted,
    /// 403.
    #[error(
        "somebody else halted it, so resuming it needs the project's owner or an administrator"
    )]
    HaltedByAnother,
    #[error(transparent)]
    Store(#[from] StoreError),
}
