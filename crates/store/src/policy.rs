//! Policy versions, as evidence.

pub(crate) mod overrides;
pub(crate) mod stage;
pub(crate) mod version;
