//! Which models there are to choose from, and where.

pub(crate) mod local_models;
pub(crate) mod providers;
