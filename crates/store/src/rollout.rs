//! Rollout of a project's stage: what its reviews came to, what people found out about them, waivers, and
//! the reasons that a change is refused for. The change itself: `policy/stage.rs`.

pub(crate) mod drawn;
pub(crate) mod log;
pub(crate) mod rates;
pub(crate) mod review;
pub(crate) mod verdict;
pub(crate) mod waiver;

use crate::error::StoreError;
use wiiiv_domain::{ContentDigest, PolicyVersionId, Salt};

const SALT_BYTES: usize = 16;

/// What the record says of a person's text: nobody guesses the text from it.
pub(crate) fn digest(salt: &[u8], text: &str) -> Result<ContentDigest, StoreError> {
    let salt = <[u8; SALT_BYTES]>::try_from(salt);
    let salt = salt.map_err(|_| StoreError::corrupt("the salt of a review or a waiver"))?;
    Ok(Salt::from_bytes(salt).digest_of(text))
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum RolloutRefused {
    /// 412.
    #[error("the policy has changed meanwhile: version `{current}` is the current one")]
    Stale { current: PolicyVersionId },
    /// Judge again: a divergence or a review is newer than what was judged.
    #[error("somebody has reviewed a divergence, or there is a new one, meanwhile")]
    Moved,
    /// 409.
    #[error("a waiver of this project is open already: join that one")]
    WaiverOpen,
    /// 409: joined, used or expired, or an approver is none any more.
    #[error("this waiver cannot be joined or used any more")]
    WaiverGone,
    /// 409.
    #[error("a waiver takes two people: somebody else has to join it")]
    SamePerson,
    #[error(transparent)]
    Store(#[from] StoreError),
}
