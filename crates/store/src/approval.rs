//! Questions for approval, and their answers.

pub(crate) mod question;
pub(crate) mod release;
pub(crate) mod state;
