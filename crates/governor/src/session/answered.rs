//! What is told to whoever answers a question that is not open any more.

use crate::{message::DecideError, session::SessionFault};
use wiiiv_domain::ApprovalId;
use wiiiv_store::{ApprovalState, Store};

pub async fn why_not(store: &Store, id: ApprovalId) -> Result<DecideError, SessionFault> {
    Ok(match store.approval(id).await? {
        None => DecideError::NotFound,
        Some(row) if row.state == ApprovalState::Expired => DecideError::Expired,
        Some(row) => already(row.state),
    })
}

pub fn already(state: ApprovalState) -> DecideError {
    DecideError::AlreadyDecided { state: state.as_str().to_owned() }
}
