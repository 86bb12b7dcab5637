//! Policy versions, as evidence.

pub(crate) mod version;
