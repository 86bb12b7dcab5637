//! The parts of a request that every route reads alike.

pub(crate) mod address;
pub(crate) mod days;
pub(crate) mod etag;
pub(crate) mod fingerprint;
pub(crate) mod idempotency;
pub(crate) mod page;
pub(crate) mod payload;
pub(crate) mod query;
