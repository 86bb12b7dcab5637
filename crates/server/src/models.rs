//! Available models and their providers.

pub(crate) mod local_models;
pub(crate) mod providers;
