//! Why a runner's key was not registered or revoked: by which limits.

use crate::error::StoreError;

/// A name: ASCII letters, digits, `-`, `_` and `.`, in bytes.
pub const RUNNER_KEY_NAME_BYTES_MAX: usize = 64;
/// Registered at the same time, the revoked ones among them.
pub const RUNNER_KEYS_MAX: usize = 1_000;

#[derive(Debug, Clone, thiserror::Error)]
pub enum RunnerKeyRefused {
    /// 422.
    #[error(
        "a key's name is 1 to `{RUNNER_KEY_NAME_BYTES_MAX}` ASCII letters, digits, `-`, `_` and `.`"
    )]
    Name,
    /// 422.
    #[error("not an Ed25519 public key: expected the one that `wiiiv ghost key new` prints")]
    PublicKey,
    /// 409: registered already, or revoked before.
    #[error("this key was registered before; a revoked one stays revoked: make a new one")]
    Known,
    /// 409.
    #[error("a key of this name is registered: revoke that one first, or choose another name")]
    NameTaken,
    /// 409.
    #[error("this key is revoked already")]
    Revoked,
    /// 409.
    #[error("`{RUNNER_KEYS_MAX}` keys were registered: there is no room for more")]
    TooMany,
    #[error(transparent)]
    Store(#[from] StoreError),
}
