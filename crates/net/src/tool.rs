//! Client of the addresses in plans, guarded against server-side request forgery.

pub(crate) mod address;
pub(crate) mod client;
pub(crate) mod error;
pub(crate) mod hop;
pub(crate) mod redirect;
pub(crate) mod request;
pub(crate) mod resolver;
pub(crate) mod rule;
pub(crate) mod target;
