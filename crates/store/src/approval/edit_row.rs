//! What edits leave in a question's row: the state, and who wrote values of its plan.

use crate::{approval::state::ApprovalState, database::entity::approval, error::StoreError};
use std::collections::BTreeSet;
use wiiiv_domain::UserId;

/// The record of an edit.
pub(crate) const EDITED: &str = "approval.edited";

/// As people call it: an edit is no rejection.
pub(crate) const fn state(row: &approval::Model) -> ApprovalState {
    if row.edited_to.is_some() { ApprovalState::Edited } else { row.state }
}

pub(crate) fn editors(row: &approval::Model) -> Result<BTreeSet<UserId>, StoreError> {
    let Some(text) = &row.editors else { return Ok(BTreeSet::new()) };
    serde_json::from_str(text).map_err(|_| StoreError::corrupt("an approval's editors"))
}

/// `None` where there are none.
pub(crate) fn editors_text(editors: &BTreeSet<UserId>) -> Result<Option<String>, StoreError> {
    let text = (!editors.is_empty()).then(|| serde_json::to_string(editors));
    Ok(text.transpose()?)
}
