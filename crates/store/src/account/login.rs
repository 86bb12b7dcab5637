//! A log-in with the right password.

use crate::account::password::PasswordStamp;
use wiiiv_domain::UserId;

/// A password that fits. It opens nothing by itself: a token is issued for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Login {
    pub user: UserId,
    pub name: String,
    pub admin: bool,
    /// Of the password that fitted: a log-in is given only while it is still the one.
    pub(crate) stamp: PasswordStamp,
}
