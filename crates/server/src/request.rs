//! Parts of a request that all routes read in the same way.

pub(crate) mod address;
pub(crate) mod days;
pub(crate) mod etag;
pub(crate) mod file;
pub(crate) mod fingerprint;
pub(crate) mod idempotency;
pub(crate) mod page;
pub(crate) mod payload;
pub(crate) mod query;
