//! Yeses that are said beforehand: given, used and revoked. Rows are only added, so that no use is undone and
//! no revocation taken back.

pub(crate) mod evidence;
pub(crate) mod given;
pub(crate) mod listed;
pub(crate) mod refused;
mod revoked;
pub(crate) mod row;
pub(crate) mod taken;
