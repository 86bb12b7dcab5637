//! Why a grant was not given or revoked.

use crate::{error::StoreError, grant::row::GRANTS_HELD_MAX};
use wiiiv_gate::NotGrantable;

#[derive(Debug, Clone, thiserror::Error)]
pub enum GrantRefused {
    #[error("there is no such grant")]
    NotFound,
    #[error("whoever gave it, or the project's owner, revokes it")]
    NotAllowed,
    /// Whoever it would be for.
    #[error("that person may not ask for work in this project")]
    Holder,
    /// It was taken back, or has ended, since the plan was looked at.
    #[error("nobody's yes to this plan stands")]
    NoYes,
    #[error("one person holds at most `{GRANTS_HELD_MAX}` grants in a project; revoke one of them")]
    TooMany,
    #[error(transparent)]
    NotGrantable(#[from] NotGrantable),
    #[error(transparent)]
    Store(#[from] StoreError),
}
