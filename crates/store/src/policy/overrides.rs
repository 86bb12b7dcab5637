//! Overrides of a project's policy: what is kept of them, and why one is refused. A version that an override
//! is, and the one that ends it, are written with its row, in one commit.

pub(crate) mod approve;
pub(crate) mod ending;
pub(crate) mod how_ended;
pub(crate) mod propose;
pub(crate) mod row;

use crate::{error::StoreError, policy::version::PolicyRefused};
use wiiiv_domain::{ContentDigest, PolicyVersionId, Salt};
use wiiiv_gate::EvidenceError;

/// The kinds of an override's records. They stand here and not beside what writes them, because the audit
/// checks rows by them, and those modules import the audit.
pub(crate) const PROPOSED: &str = "override.proposed";
pub(crate) const APPROVED: &str = "override.approved";
pub(crate) const BEGAN: &str = "override.began";
pub(crate) const ENDED: &str = "override.ended";

const SALT_BYTES: usize = 16;

/// What the record says of why a person ended one: nobody guesses the text from it.
pub(crate) fn digest(salt: &[u8], text: &str) -> Result<ContentDigest, StoreError> {
    let salt = <[u8; SALT_BYTES]>::try_from(salt);
    let salt = salt.map_err(|_| StoreError::corrupt("the salt of an override"))?;
    Ok(Salt::from_bytes(salt).digest_of(text))
}

#[derive(Debug, Clone, thiserror::Error)]
pub enum OverrideRefused {
    /// 412.
    #[error("the policy has changed meanwhile: version `{current}` is the current one")]
    Stale { current: PolicyVersionId },
    /// 409.
    #[error("an override of this project waits or runs already: end that one first")]
    Open,
    /// 409: approved, ended or expired, or who proposed it may do so no more.
    #[error("this override cannot be approved or ended any more")]
    Gone,
    /// It proves nothing.
    #[error(transparent)]
    NotProven(#[from] EvidenceError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<PolicyRefused> for OverrideRefused {
    fn from(refused: PolicyRefused) -> Self {
        match refused {
            PolicyRefused::Stale { current } => Self::Stale { current },
            PolicyRefused::Store(error) => Self::Store(error),
        }
    }
}
