//! Why a boundary was not written.

use crate::{error::StoreError, writer::boundary::Boundary};

/// The world is not as it was judged: gather and rule again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Moved {
    #[error("the policy has changed since it was judged")]
    PolicyChanged,
    #[error("an approval is gone: consumed, expired or withdrawn")]
    ApprovalGone,
    #[error("whoever asked for it, or is behind it, may do so no more")]
    AuthorityGone,
    #[error(
        "a grant is gone: used up, revoked, expired or not begun, or its giver may no longer give it"
    )]
    GrantGone,
    /// Of a system that it speaks to: another registration, another credential, or none.
    #[error("a registered system has changed since the plan was drawn")]
    SystemChanged,
    #[error("the budget no longer has room")]
    BudgetShort,
    #[error("the session, its project or the server is halted")]
    Halted,
    #[error("the session's risk or taint has changed since it was judged")]
    StandingChanged,
    #[error("a GHOST result that counts, or a runner's key, has changed since it was judged")]
    LedgerChanged,
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
