//! Why an answer to a question was not taken.

use crate::{approval::state::ApprovalState, error::StoreError};
use wiiiv_gate::EvidenceError;

#[derive(Debug, Clone, thiserror::Error)]
pub enum ApprovalError {
    #[error("there is no such approval")]
    Unknown,
    #[error("the approval is already `{}`", state.as_str())]
    AlreadyDecided { state: ApprovalState },
    #[error("the question has expired; ask for a new one")]
    Expired,
    #[error("this person has said yes to it already, and it waits for others")]
    AlreadySaid,
    /// It was ended, its time is over, or whoever lent the right has lost it.
    #[error("the delegation is over: nothing is approved on behalf of that person any more")]
    DelegationOver,
    /// Somebody else said yes meanwhile, or may no longer.
    #[error("the yeses to it were counted otherwise meanwhile")]
    Miscounted,
    /// It is no yes to this question, or not of somebody whose yes counts.
    #[error(transparent)]
    NotProven(#[from] EvidenceError),
    #[error(transparent)]
    Store(#[from] StoreError),
}
