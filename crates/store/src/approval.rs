//! Questions put before people, and their answers.

pub(crate) mod question;
pub(crate) mod release;
pub(crate) mod state;
