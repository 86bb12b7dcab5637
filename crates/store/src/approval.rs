//! Questions for approval, and their answers.

pub(crate) mod escalation;
mod given;
pub(crate) mod question;
pub(crate) mod quorum;
pub(crate) mod release;
pub(crate) mod state;
