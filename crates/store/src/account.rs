//! Accounts, log-ins, tokens, roles, and a person's rights.

pub(crate) mod authentication;
pub(crate) mod authority;
pub(crate) mod bearer;
pub(crate) mod closing;
pub(crate) mod device;
pub(crate) mod login;
pub(crate) mod member;
pub(crate) mod names;
pub(crate) mod password;
pub(crate) mod presence;
pub(crate) mod presented;
pub(crate) mod refused;
pub(crate) mod role;
pub(crate) mod setup;
pub(crate) mod token;
pub(crate) mod token_kind;
pub(crate) mod token_text;
pub(crate) mod user;
