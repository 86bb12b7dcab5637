//! Questions for approval, and their answers.

mod given;
pub(crate) mod question;
pub(crate) mod release;
pub(crate) mod state;
