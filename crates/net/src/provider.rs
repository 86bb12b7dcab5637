//! Client of model providers.

pub(crate) mod client;
pub(crate) mod credential;
pub(crate) mod error;
pub(crate) mod request;
