//! Questions for approval, and their answers.

pub(crate) mod delegation;
pub(crate) mod edit;
pub(crate) mod edit_row;
pub(crate) mod error;
pub(crate) mod escalation;
pub(crate) mod escalation_row;
mod given;
pub(crate) mod inbox;
pub(crate) mod question;
pub(crate) mod quorum;
pub(crate) mod release;
pub(crate) mod revocation;
pub(crate) mod revoke;
pub(crate) mod state;
mod yeses;
